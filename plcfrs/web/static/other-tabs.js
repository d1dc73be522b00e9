// All tabs except the first, in their order.

import { tab as compare } from "./compare.js";
import { tab as draw } from "./draw.js";
import { tab as grammar } from "./grammar.js";
import { tab as surprisal } from "./surprisal.js";
import { tab as teach } from "./teach.js";
import { tab as treebank } from "./treebank.js";

export const others = [surprisal, grammar, treebank, compare, teach, draw];
