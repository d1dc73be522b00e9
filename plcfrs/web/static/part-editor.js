// What a person who annotates does to the parts of a tree, mostly to the one with the focus.

import { get } from "./api.js";
import { focusOn } from "./dom.js";
import { isNull } from "./drawing.js";
import { Editor } from "./editor.js";
import { askInMenu } from "./label-menu.js";

const TITLES = { form: "Word", lemma: "Lemma", morph: "Morphology", note: "Note on the node" };
const UNKNOWN = "UNKNOWN"; // the tag of words without one
const NO_WORD = "Go to a word first.";

export class PartEditor extends Editor {
  /** `inTurn` does something when everything before it is done. */
  constructor(id, { inTurn, ...acts }) {
    super(id, acts);
    this.inTurn = inTurn;
  }

  /** The sentence in sight. */
  show(view) {
    this.view = view;
    this.choose();
  }

  /** Put the focus on a part. */
  go(name) {
    if (!name) return;
    this.at = name;
    this.choose();
    focusOn(this.element(name));
  }

  get token() {
    return this.view.tree.tokens[this.view.names.tokens.indexOf(this.at)];
  }

  get label() {
    return this.view.tree.labels[this.view.names.nodes.indexOf(this.at)];
  }

  get function() {
    const { functions } = this.view.tree;
    return this.token?.function ?? functions[this.view.names.nodes.indexOf(this.at)]?.join("-");
  }

  /** The note on the constituent with the focus. */
  get note() {
    const { notes = {} } = JSON.parse(this.view.tree.json_line);
    return notes[this.view.names.nodes.indexOf(this.at)] ?? "";
  }

  /** Return the next doubtful part in the order of the text, or the one before. */
  doubt(by, doubts = this.view.doubts) {
    const names = doubts.map(({ part }) => part);
    const place = names.indexOf(this.at);
    if (place >= 0) return names.at((place + by) % names.length);
    const start = (name) => this.positions(name)[0] ?? -1;
    const after = names.findIndex((name) => start(name) >= start(this.at));
    return names.at(by > 0 ? Math.max(after, 0) : after - 1);
  }

  nextFinding() {
    const names = this.view.findings.flatMap(({ parts }) => parts.slice(0, 1));
    this.go(names[(names.indexOf(this.at) + 1) % names.length]);
  }

  do(operation) {
    this.act({ do: operation, parts: this.parts() });
  }

  goByLetters() {
    this.pick([], (name) => this.go(name), this.others([...this.names.nodes, ...this.names.tokens]));
  }

  others(names) {
    return names.filter((name) => name !== this.at);
  }

  attachByLetters() {
    const parts = this.parts();
    const below = new Set(parts.flatMap((name) => this.below(name)));
    const mothers = this.names.nodes.filter((name) => !below.has(name));
    this.pick(parts, (mother) => this.moveTo(mother, parts), mothers);
  }

  /** Ask for a label of the part with the focus that differs from the current one; without a server,
   * for any text. */
  ask(kind, title, take, current, more = []) {
    const { at, view: { id } } = this;
    this.inTurn(async () => {
      const all = await get("project/menu", { id, part: at, kind }).catch(() => []);
      askInMenu({ title, take, beside: this.element(at),
        labels: [...all.filter(({ label }) => label !== current), ...more] });
    });
  }

  relabel() {
    const { at, token } = this;
    if (token && isNull(token)) return this.write("form");
    if (token) {
      const more = token.tag === UNKNOWN ? () => this.tagNext() : null;
      return this.ask("tag", `Tag of ${token.form}`, (tag) => this.act(
        { do: "relabel", parts: [at], label: tag }, more), token.tag);
    }
    const [rest = ""] = /[-=].*$/.exec(this.label) ?? []; // functions and indices stay
    return this.ask("category", "Label", (label) => this.act(
      { do: "relabel", parts: [at], label: /[-=]/.test(label) ? label : label + rest }),
    this.label.slice(0, this.label.length - rest.length));
  }

  /** Return the first word after the one with the focus, or in the sentence, that has no tag. */
  untagged() {
    const { tree: { tokens }, names } = this.view;
    const all = names.tokens.filter((_, place) => tokens[place].tag === UNKNOWN);
    return all.find((name) => names.tokens.indexOf(name) > names.tokens.indexOf(this.at)) ?? all[0];
  }

  /** Ask for the tag of the next word that has none; Esc ends this. */
  tagNext() {
    this.go(this.untagged());
    if (this.token?.tag === UNKNOWN) this.relabel();
  }

  setFunction() {
    const { at } = this;
    this.ask("function", "Function", (label) => this.act(
      { do: "annotate", parts: [at], values: { function: label } }), this.function,
    this.function ? [{ label: "" }] : []);
  }

  addNode() {
    const parts = this.parts();
    this.ask("category", "Label of the new node", (label) => this.act({ do: "add", parts, label }));
  }

  /** Add a null element before the word with the focus, or at the end of the constituent. */
  addNull() {
    const { at, names: { tokens } } = this;
    const [mother, before] = this.isNode(at) ? [at, tokens[this.positions(at).at(-1) + 1]]
      : [this.around([at]), at];
    this.ask("null", "Null element", (form) => this.ask("category", `Node above ${form}`,
      (label) => this.act({ do: "null", mother, before, form, label }), null, [{ label: "" }]));
  }

  coindex() {
    const { tree, names } = this.view;
    const nulls = this.positions(this.at).filter((place) => isNull(tree.tokens[place]));
    if (nulls.length !== 1) return this.say("Go to a null element to choose its antecedent.");
    return this.pick([this.at], (antecedent) => this.act(
      { do: "coindex", null: names.tokens[nulls[0]], antecedent }), this.others(names.nodes));
  }

  addEdge() {
    const { at } = this;
    this.pick([at], (mother) => {
      this.choose();
      this.ask("function", "Label of the edge", (label) => this.act(
        { do: "edge", parts: [at], mother, label }));
    }, this.others(this.names.nodes));
  }

  /** Act on the word with the focus, or on a word of the constituent that the user chooses. */
  onWord(act) {
    const words = this.positions(this.at).map((place) => this.names.tokens[place]);
    const take = (name) => {
      this.go(name);
      if (this.token) act();
      else this.say(NO_WORD);
    };
    if (words.length === 1) take(words[0]);
    else this.pick([], take, words);
  }

  splitWord() {
    const { at, token: { form } } = this;
    askInMenu({ title: "Blanks where to split", text: form, beside: this.element(at),
      take: (text) => this.act({ do: "split", token: at, forms: text.split(/\s+/) }) });
  }

  /** Join the chosen words, or the one with the focus with the next one. */
  joinWords() {
    const { tokens } = this.names;
    if (this.parts().some((name) => this.isNode(name))) return this.say(NO_WORD);
    const places = this.parts().map((name) => tokens.indexOf(name)).sort((one, other) => one - other);
    const last = places.length > 1 ? places.at(-1) : places[0] + 1;
    return this.act({ do: "join", first: tokens[places[0]], last: tokens[last] });
  }

  splitSentence() {
    this.act({ do: "split-sentence", before: this.names.tokens[this.positions(this.at)[0]] });
  }

  /** Ask for an attribute of the part with the focus. */
  write(name) {
    const { at } = this;
    askInMenu({ title: TITLES[name], text: this.token?.[name] ?? this.note, beside: this.element(at),
      take: (text) => this.act({ do: "annotate", parts: [at], values: { [name]: text } }) });
  }

  writeNote() {
    askInMenu({ title: "Note on the sentence", text: this.view.note,
      take: (note) => this.act({ do: "note", note }) });
  }
}
