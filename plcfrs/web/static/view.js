// The view of a picture: its size, its layout, and the place that is in sight.

import { element, say } from "./dom.js";

const STEP = 1.25;

/** Buttons above a figure; `redraw` is called when the layout has changed. */
export class View {
  constructor(figure, redraw) {
    this.figure = figure;
    this.scale = 1;
    this.error = element("p", { class: "error", role: "alert", hidden: "" });
    this.layout = element("input", { type: "checkbox" });
    this.layout.addEventListener("change", redraw);
    this.gaps = element("input", { type: "checkbox" });
    this.gaps.addEventListener("change", redraw);
    this.fit = element("input", { type: "checkbox" });
    this.fit.addEventListener("change", () => this.apply());
    figure.before(element("div", { class: "row tools view" },
      this.button("−", "Smaller", () => this.zoom(1 / STEP)),
      this.button("+", "Larger", () => this.zoom(STEP)),
      element("label", {}, this.fit, "Fit to width"),
      element("label", {}, this.layout, "Spacious"),
      element("label", {}, this.gaps, "Gaps")), this.error);
    window.addEventListener("resize", () => this.apply());
  }

  get spacious() {
    return this.layout.checked;
  }

  /** Whether the picture is not as the server draws it at first. */
  get isChanged() {
    return this.layout.checked || this.gaps.checked;
  }

  say(message) {
    say(this.error, message);
  }

  /** Show a picture, with its root in sight. */
  show(svg) {
    this.svg = svg;
    this.apply();
    const root = svg.querySelector("[data-node]");
    if (!root) return;
    const { left, width } = root.querySelector("text").getBoundingClientRect();
    const frame = this.figure.getBoundingClientRect();
    this.figure.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
  }

  zoom(factor) {
    this.fit.checked = false;
    this.scale = Math.min(Math.max(this.scale * factor, 0.25), 4);
    this.apply();
  }

  apply() {
    if (!this.svg) return;
    const { width, height } = this.svg.viewBox.baseVal;
    const scale = this.fit.checked ? this.room() / width : this.scale;
    this.svg.setAttribute("width", width * scale);
    this.svg.setAttribute("height", height * scale);
  }

  /** Return the width that a picture may have. */
  room() {
    const { paddingLeft, borderLeftWidth } = getComputedStyle(this.figure);
    return this.figure.parentElement.clientWidth
      - 2 * (parseFloat(paddingLeft) + parseFloat(borderLeftWidth));
  }

  button(text, name, action) {
    const made = element("button", { type: "button", "aria-label": name, title: name }, text);
    made.addEventListener("click", action);
    return made;
  }
}
