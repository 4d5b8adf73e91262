// How many hosts are left after each condition, as a funnel.

import { h, s } from "../dom.js";
import { number, plural } from "../format.js";

/** Steps are { group, condition, roots, providers } as Placement's explanation tells them. */
export function funnel(steps, words = (condition) => condition) {
  const most = Math.max(1, ...steps.map((step) => step.roots));
  // A single host of ten thousand must still be seen.
  const width = (count) => (count ? Math.max(2, (100 * count) / most) : 0);
  return h("ol", { class: "funnel", "aria-label": "What is left after each condition" }, steps.map((step, place) => {
    const [above, here] = [width((steps[place - 1] ?? step).roots), width(step.roots)];
    const points = [[50 - above / 2, 0], [50 + above / 2, 0], [50 + here / 2, 20], [50 - here / 2, 20]];
    return h("li", { class: step.roots ? undefined : "empty" },
      h("div", { class: "told" },
        h("span", {}, step.group ? h("span", { class: "chip" }, `group ${step.group}`) : null, words(step.condition)),
        h("strong", { title: plural(step.providers, "provider") }, number(step.roots))),
      s("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("polygon", { points: points.map((point) => point.join(",")).join(" ") })));
  }));
}
