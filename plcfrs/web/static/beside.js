// What is beside a parse: the parse by another model, or the gold tree.

import { compare, goldTrees, parseBeside } from "./api.js";
import { byId, counted, options } from "./dom.js";

export const GOLD = "gold tree";
let gold = null; // where the gold tree of the sentence is: treebank, query, transform, tree

/** Offer the other models, and the gold tree if there is one. */
export function offerBeside(model, models) {
  const chosen = byId("beside").value;
  const names = models.map(({ name }) => name).filter((name) => name !== model.name);
  options(byId("beside"), ["", ...names, ...(gold ? [GOLD] : [])]);
  byId("beside").options[0].text = "nothing";
  if (names.includes(chosen) || (gold && chosen === GOLD)) byId("beside").value = chosen;
  byId("beside").parentElement.hidden = byId("beside").options.length === 1;
}

/** Note where the gold tree of the sentence is: null if there is none. */
export function setGold(place) {
  gold = place;
}

/** Return where the gold tree is, for an address. */
export const goldAddress = () => gold ?? {};

/** Return where an address has the gold tree. */
export const goldOf = ({ treebank, query, transform, tree }) => (treebank
  ? { treebank, tree, ...(query && { query }), ...(transform && { transform }) } : null);

/** Return the tree beside the parse of a sentence, or why there is none. */
export async function findBeside(sentence, name) {
  if (name !== GOLD) {
    const { parses: [best], message } = await parseBeside({ ...sentence, model: name });
    return { tree: best.tree, problem: best.score === null ? message : "" };
  }
  const { tree, ...wanted } = gold;
  const { trees: [found] } = await goldTrees({ ...wanted, offset: tree - 1, limit: 1 });
  if (!found) throw new Error(`${gold.treebank} has no tree ${tree}.`);
  return { tree: found.tree, problem: "" };
}

/** Return the tree of a parse by a model and the other one, with their differences marked and in words. */
export async function compareBeside(tree, model, { tree: other, problem }, name) {
  if (problem) return { tree, other, summary: `${name}: ${problem}` };
  const isGold = name === GOLD;
  const [first, second] = (isGold ? [other, tree] : [tree, other]).map((one) => one.discbracket);
  const found = await compare({ first, second, transform: true });
  return {
    tree: isGold ? found.second : found.first,
    other: isGold ? found.first : found.second,
    errors: isGold ? found.errors : [],
    summary: found.same ? "The same tree." : differences(
      found, isGold ? ["missed", "spurious"] : [`only by ${model.name}`, `only by ${name}`]),
  };
}

function differences({ first, second }, names) {
  const tags = first.marked_tokens.length;
  const parts = [first, second].map(({ marked }, i) => `${counted(marked.length, "constituent")} ${names[i]}`);
  if (tags) parts.push(`${counted(tags, "tag")} different`);
  return `${parts.join(", ")}.`;
}
