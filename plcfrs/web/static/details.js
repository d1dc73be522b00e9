// What is known of a constituent or a token besides its label and its words.

const NAMES = { function: "function", lemma: "lemma", morph: "morphology" };

/** Whether there is more to say of a tree than its picture shows. */
export const hasDetails = (tree) => Boolean(tree.posteriors) || tree.secondary_edges.length > 0
  || tree.functions.some((one) => one.length)
  || tree.tokens.some((token) => Object.keys(NAMES).some((name) => token[name]));

/** Return texts about a part of a drawing: a constituent (`node`), or a token. */
export function detailsOf(tree, { node, positions }) {
  const edges = tree.secondary_edges.map((edge) => edgeOf(tree, node, positions, edge));
  return [...(node === undefined ? ofToken(tree, positions) : ofNode(tree, node)), ...edges].filter(Boolean);
}

function ofToken({ tokens }, [position, ...others]) {
  if (others.length) return []; // it is collapsed
  return Object.entries(NAMES).map(
    ([name, text]) => tokens[position][name] && `${text} ${tokens[position][name]}`);
}

function ofNode({ functions, posteriors }, node) {
  const probability = posteriors?.[node];
  return [
    functions[node].length > 0 && `function ${functions[node].join("-")}`,
    probability !== undefined && `probability ${probability.toFixed(3)}`,
  ];
}

/** Return what a secondary edge is to a part, if it is one of its ends. */
function edgeOf({ labels, tokens }, node, positions, edge) {
  const isChild = node === undefined ? positions.length === 1 && edge.token === positions[0] : edge.node === node;
  const child = edge.token === null ? labels[edge.node] : tokens[edge.token].form;
  if (isChild) return `secondary edge ${edge.label} to ${labels[edge.mother]}`;
  return edge.mother === node && `secondary edge ${edge.label} from ${child}`;
}
