// How much is free over time: a line of steps over a filled ground, on the same axis as the leases above it.

import { s } from "../dom.js";
import { number } from "../format.js";
import { axis } from "./time_axis.js";

const HEIGHT = 150;
const TOP = 22;

/** Stretches are { from, until, free }. */
export function steps(stretches, view, start, width) {
  const names = Math.min(200, Math.max(92, width * 0.2));
  const time = axis(view, start, names, width - 1);
  const most = Math.max(1, ...stretches.map((stretch) => stretch.free));
  const level = (free) => HEIGHT - 4 - (free / most) * (HEIGHT - TOP - 14);
  const seen = stretches.map((stretch) => ({ ...stretch, span: time.span(stretch.from, stretch.until) })).filter((stretch) => stretch.span);
  const line = seen.flatMap(({ span, free }) => [[span[0], level(free)], [span[1], level(free)]]);
  const ground = line.length ? [[line[0][0], HEIGHT - 4], ...line, [line.at(-1)[0], HEIGHT - 4]] : [];
  const points = (places) => places.map((place) => place.map((value) => value.toFixed(1)).join(",")).join(" ");
  return s("svg", { class: "steps", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": told(stretches) },
    time.marks(0, HEIGHT),
    s("text", { class: "name", x: 0, y: level(most) + 4 }, number(most)),
    s("text", { class: "name", x: 0, y: HEIGHT - 6 }, "0"),
    s("polygon", { class: "ground", points: points(ground) }),
    s("polyline", { class: "line", points: points(line) }),
    seen.map(({ span, free }) => (span[1] - span[0] > 34 ? s("text", { class: "mark", x: span[0] + 5, y: level(free) - 5 }, number(free)) : null)));
}

function told(stretches) {
  if (!stretches.length) return "Nothing is known about this time.";
  const free = stretches.map((stretch) => stretch.free);
  return `Free over time: between ${Math.min(...free)} and ${Math.max(...free)}.`;
}
