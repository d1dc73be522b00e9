// The window onto a picture. The picture fits the window if it then stays legible. The user can
// zoom with buttons, keys, two fingers or the wheel, and move it by dragging.

const STEP = 1.25;
const [LEAST, MOST] = [0.1, 4];
const LEGIBLE = 0.7; // smaller only on request
const MARKED = 'g[color="#d9304c"]';
const ON_SCREEN = 3; // the largest factor on a full screen, or for a fitted subtree
const BELOW = 56; // pixels for what is below the picture, unless its style says it
const SHAKE = 4; // pixels before a movement counts as dragging

const zooms = new WeakMap(); // by their figures

export class Zoom {
  /** `figure` holds the picture; `tell` gets the current factor, 1 for its own size. */
  constructor(figure, tell) {
    Object.assign(this, { figure, tell, chosen: null, least: LEGIBLE, factor: 1 });
    zooms.set(figure, this);
    this.end = new AbortController();
    this.observer = new ResizeObserver(() => this.place());
    this.observer.observe(this.room);
    this.on("resize", () => this.place(), window);
    this.on("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.by(Math.exp(-event.deltaY / 200), at(event));
    });
    this.on("keydown", ({ key, ctrlKey, metaKey }) => {
      const acts = { "+": () => this.larger(), "-": () => this.smaller(), 0: () => this.fit() };
      if (!ctrlKey && !metaKey) acts[key]?.(); // with them, it is the zoom of the browser
    });
    this.pinch();
    this.drag();
  }

  on(name, act, target = this.figure) {
    target.addEventListener(name, act, { passive: false, signal: this.end.signal });
  }

  close() {
    this.end.abort();
    this.observer.disconnect();
  }

  /** The element that limits the width of the picture. */
  get room() {
    return this.figure.closest(":fullscreen, .room") ?? this.figure.closest("[role=tabpanel]");
  }

  /** Show a picture. A new tree is fitted, with lit or marked parts in the middle. */
  show(svg, isNew) {
    this.svg = svg;
    if (isNew) this.least = LEGIBLE;
    const root = this.middleOf("[data-node='0']");
    if (isNew) this.set(null, this.middleOf(".lit") ?? this.middleOf(MARKED) ?? root);
    else this.set(this.chosen, root);
  }

  /** Return the middle of the texts in some elements, if there are any. */
  middleOf(selector) {
    const found = [...this.svg?.querySelectorAll(`${selector} text`) ?? []];
    return found.length ? centre(around(found)) : null;
  }

  /** Bring lit parts to the middle unless they are in sight. */
  reach() {
    const { left, right, top, bottom } = this.figure.getBoundingClientRect();
    const { x, y } = this.middleOf(".lit") ?? middle(this.figure);
    if (x < left || x > right || y < top || y > bottom) this.set(this.chosen, { x, y });
  }

  fit() {
    for (const zoom of [this, ...this.beside]) {
      zoom.least = 0;
      zoom.set(null);
    }
  }

  larger() { this.by(STEP); }

  smaller() { this.by(1 / STEP); }

  by(factor, point = middle(this.figure)) {
    this.set(Math.min(Math.max(this.factor * factor, LEAST), MOST), point, point);
    for (const other of this.beside) other.set(this.chosen);
  }

  /** The trees beside this one, which are zoomed with it. */
  get beside() {
    return [...this.figure.closest(".pair")?.querySelectorAll("figure") ?? []]
      .map((one) => zooms.get(one)).filter((one) => one !== this);
  }

  /** Fit some elements of the picture, such as those of a subtree. */
  fitTo(elements) {
    const box = around(elements);
    const { width, height } = this.place();
    const factor = this.factor * Math.min(width / box.width, height / box.height);
    this.set(Math.min(factor, ON_SCREEN), centre(box));
  }

  /** Zoom to a factor, or fit the picture (null), and bring a point of it to a place. */
  set(chosen, point = null, place = null) {
    const before = this.svg.getBoundingClientRect();
    this.chosen = chosen;
    this.place();
    if (!point || !before.width) return;
    const after = this.svg.getBoundingClientRect();
    const { x, y } = place ?? middle(this.figure);
    const ratio = after.width / before.width;
    this.figure.scrollBy({
      left: after.left + (point.x - before.left) * ratio - x,
      top: after.top + (point.y - before.top) * ratio - y, behavior: "instant" });
  }

  /** Set the size of the picture; return that of its window. */
  place() {
    const { width, height } = this.svg?.viewBox.baseVal ?? {};
    const place = this.size();
    if (!width || place.width <= 0) return place; // in a hidden tab
    const most = document.fullscreenElement ? ON_SCREEN : 1;
    const fitted = Math.min(most, place.width / width, place.height / height);
    this.factor = this.chosen ?? Math.max(fitted, this.least);
    this.svg.setAttribute("width", width * this.factor);
    this.svg.setAttribute("height", height * this.factor);
    this.figure.classList.toggle("movable", this.factor > fitted);
    this.tell(this.factor);
    return place;
  }

  size() {
    const { figure, room } = this;
    const inside = (one) => one.clientWidth - 2 * parseFloat(getComputedStyle(one).paddingLeft);
    const frame = figure.offsetWidth - inside(figure);
    const number = figure.closest(".pair")?.childElementCount ?? 1; // of trees side by side
    const width = inside(room) > 640 && number > 1 ? inside(room) / number - 16 : inside(room);
    const above = figure.getBoundingClientRect().top + (document.fullscreenElement ? 0 : scrollY);
    const isBelow = above > innerHeight / 2; // one scrolls to it
    const below = Number(getComputedStyle(figure).getPropertyValue("--below")) || BELOW;
    const height = Math.max(240, isBelow ? 0.8 * innerHeight : innerHeight - above - below);
    figure.style.maxHeight = `${height}px`;
    return { width: width - frame, height: height - frame };
  }

  pinch() {
    let apart = 0; // the distance of two fingers
    const move = (act) => (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const [one, other] = [...event.touches].map(at);
      const now = Math.hypot(one.x - other.x, one.y - other.y);
      act(now / apart, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
      apart = now;
    };
    this.on("touchstart", move(() => {}));
    this.on("touchmove", move((ratio, point) => this.by(ratio, point)));
  }

  drag() {
    const { figure } = this;
    let from = null; // where the mouse was
    this.on("pointerdown", (event) => {
      const isHeld = event.pointerType === "mouse" && event.button === 0;
      from = isHeld && figure.classList.contains("movable") ? at(event) : null;
    });
    this.on("pointermove", (event) => {
      const { x, y } = at(event);
      if (!from || !event.buttons) return;
      const isDragging = figure.hasPointerCapture(event.pointerId);
      if (!isDragging && Math.hypot(x - from.x, y - from.y) < SHAKE) return;
      figure.setPointerCapture(event.pointerId); // it gets the click, too: no constituent does
      figure.scrollBy({ left: from.x - x, top: from.y - y, behavior: "instant" });
      from = { x, y };
    });
  }
}

const at = ({ clientX, clientY }) => ({ x: clientX, y: clientY });

function around(elements) {
  const boxes = elements.map((one) => one.getBoundingClientRect());
  const least = (side) => Math.min(...boxes.map((one) => one[side]));
  const most = (side) => Math.max(...boxes.map((one) => one[side]));
  const [left, top] = [least("left"), least("top")];
  return new DOMRect(left, top, most("right") - left, most("bottom") - top);
}

const centre = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });

export const middle = (element) => centre(element.getBoundingClientRect());
