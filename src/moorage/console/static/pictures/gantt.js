// What is held when: a row for each lease or host, a bar for each stretch of time.

import { h, s } from "../dom.js";
import { withoutMiddle } from "./names.js";
import { axis } from "./time_axis.js";

const LANE = 24;
const PADDING = 10;
const TOP = 26;
const GAP = 7;
const LEAST = 3; // as wide as the shortest bar

/** Rows are { name, bars: [{ from, until, kind, text, name, label, href }] }; `view` and `start` say what is seen, `nothing` is said without rows. */
export function gantt(rows, view, start, width, nothing) {
  const names = Math.min(200, Math.max(92, width * 0.2));
  const time = axis(view, start, names, width - 1);
  let bottom = TOP;
  const drawnRows = rows.map(({ name, bars }) => {
    const top = bottom;
    const found = lanes(bars.filter((bar) => time.span(bar.from, bar.until)));
    bottom += Math.max(1, found.length) * LANE + PADDING;
    return s("g", {},
      s("line", { class: "grid", x1: 0, x2: width, y1: top, y2: top }),
      s("text", { class: "name", x: 0, y: top + 21 }, withoutMiddle(name, (cut) => cut.length <= letters(names - 8)), s("title", {}, name)),
      found.map((lane, place) => drawn(lane, time, [names + 4, width], top + PADDING / 2 + place * LANE + 1, LANE - 2)));
  });
  const height = Math.max(bottom, TOP + LANE) + 6;
  return s("svg", { class: "gantt", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "What is held when" },
    time.marks(0, height), drawnRows,
    rows.length ? null : s("text", { class: "name", x: names + 12, y: TOP + 18 }, nothing));
}

/** The bars of a lane, which are one behind the other, between two edges of the picture. */
function drawn(lane, time, [first, last], top, height) {
  const spans = lane.map((bar) => time.span(bar.from, bar.until));
  let taken = first; // up to where there is something already
  return lane.map((bar, place) => {
    const [left, right] = [spans[place][0], Math.max(spans[place][1], spans[place][0] + LEAST)];
    const words = wording(bar, left, right, taken, spans[place + 1]?.[0] ?? last);
    taken = words.to;
    const shape = [
      // What is beside a bar belongs to it, for whoever points at it.
      s("rect", { class: "reach", x: words.from, y: top, width: words.to - words.from, height }),
      s("rect", { class: `held ${bar.kind}`, x: left, y: top, width: right - left, height, rx: Math.min(5, height / 3) }),
      words.text ? s("text", { class: words.look, x: words.x, y: top + height / 2 + 4, "text-anchor": words.anchor }, words.text) : null,
      s("title", {}, bar.label),
    ];
    return bar.href ? s("a", { href: bar.href, "aria-label": bar.label }, shape) : s("g", {}, shape);
  });
}

/** What is said of a bar, and where: on it, else behind it or before it, else its name or what fits of the text on it. */
function wording({ text, name }, left, right, taken, next) {
  const width = widthOf(text) + GAP;
  const on = (words) => ({ text: words, look: "on-bar", x: left + GAP, from: left, to: right });
  if (width <= right - left - 2) return on(text);
  if (width + GAP <= next - right) return { text, look: "beside", x: right + GAP, from: left, to: right + width };
  if (width + GAP <= left - taken) return { text, look: "beside", x: left - GAP, anchor: "end", from: left - width, to: right };
  if (widthOf(name) + GAP <= right - left - 2) return on(name);
  return on(right - left > 40 ? shortened(text, right - left - 2 * GAP) : "");
}

/** Bars that overlap are drawn below each other. */
function lanes(bars) {
  const found = [];
  for (const bar of [...bars].sort((one, other) => one.from - other.from)) {
    const lane = found.find((each) => each.at(-1).until <= bar.from);
    if (lane) lane.push(bar);
    else found.push([bar]);
  }
  return found;
}

/** A letter is about seven pixels wide. */
const LETTER = 7.2;
const letters = (width) => Math.floor(width / LETTER);
const widthOf = (text) => text.length * LETTER;

function shortened(text, width) {
  const most = letters(width);
  return text.length <= most ? text : most > 1 ? `${text.slice(0, most - 1)}…` : "";
}

/** A picture that is drawn anew whenever its frame gets another width. */
export function responsive(draw) {
  const frame = h("div", { class: "frame" });
  const redraw = () => { if (frame.clientWidth) frame.replaceChildren(draw(frame.clientWidth)); };
  const watcher = new ResizeObserver(redraw);
  watcher.observe(frame);
  return { element: frame, redraw, close: () => watcher.disconnect() };
}
