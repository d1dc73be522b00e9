// The tree beside a parse: the parse by another model, or the gold tree.

import { get, post } from "./api.js";
import { byId, counted, setOptions } from "./dom.js";
import { session } from "./model.js";

export const GOLD = "gold tree";

/** Offer the other models, and the gold tree if there is one. */
export function offerBeside(hasGold) {
  const names = session.all.map(({ name }) => name).filter((name) => name !== session.model.name);
  setOptions(byId("beside"), ["", ...names, ...(hasGold ? [GOLD] : [])]);
  byId("beside").parentElement.hidden = byId("beside").options.length === 1;
}

/** Return the tree beside the parse of a sentence, or the problem why there is none. The last
 * parameter says where the gold tree is. */
export async function findBeside(sentence, name, { treebank, query, within, transform, tree }) {
  if (name !== GOLD) {
    const { parses: [best], message } = await post("parse", { ...sentence, model: name }, "beside");
    return { tree: best.tree, problem: best.score === null ? message : "" };
  }
  const { trees: [found], message } = await get(
    "trees", { treebank, query, within, transform, offset: tree - 1 }, "beside");
  if (message) throw new Error(message);
  return { tree: found.tree, problem: "" };
}

/** Return the two trees with their differences marked, and a summary of these. */
export async function compareBeside(tree, { tree: other, problem }, name) {
  if (problem) return { tree, other, summary: `${name}: ${problem}` };
  const isGold = name === GOLD;
  const { first, second, same, errors } = await post(
    "compare", { first: other.discbracket, second: tree.discbracket, transform: true });
  const only = isGold ? [[first, "missed"], [second, "spurious"]]
    : [[second, `only by ${session.model.name}`], [first, `only by ${name}`]];
  const parts = only.map(([{ marked }, how]) => `${counted(marked.length, "constituent")} ${how}`);
  const tags = first.marked_tokens.length;
  if (tags) parts.push(`${counted(tags, "tag")} different`);
  return {
    tree: second, other: first, errors: isGold ? errors : [],
    summary: same ? "The same tree." : `${parts.join(", ")}.`,
  };
}
