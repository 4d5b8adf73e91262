// A stretch of time along a picture: where an instant is, and the marks that tell days and hours.

import { s } from "../dom.js";
import { clock, day, isoDay, weekday } from "../format.js";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const LETTER = 6.2; // about as wide as one of a mark is
const LABELS = 18; // as high as the row of them

/** What can be seen at once, by name: how long it is, how far apart marks are, and what they say. */
export const VIEWS = {
  day: { length: DAY, step: 3 * HOUR, mark: clock, back: DAY },
  week: { length: 7 * DAY, step: DAY, mark: weekday, back: 7 * DAY },
  month: { length: 31 * DAY, step: DAY, mark: (date) => (date.getUTCDay() === 1 ? day(date) : ""), back: 28 * DAY },
  quarter: { length: 91 * DAY, step: 7 * DAY, mark: day, back: 84 * DAY },
};

/** The midnight before a time, or the Monday where whole weeks are shown. */
export function beginning(time, view) {
  const midnight = Math.floor(time / DAY) * DAY;
  if (view === "day") return midnight;
  const weekdays = (new Date(midnight).getUTCDay() + 6) % 7;
  return midnight - weekdays * DAY;
}

/** Where another view begins, so that now, or else the middle of what was seen, stays about where it was. */
export function zoomed(start, from, to, now = Date.now()) {
  const [before, after] = [VIEWS[from].length, VIEWS[to].length];
  const anchor = now >= start && now < start + before ? now : start + before / 2;
  const found = beginning(anchor - ((anchor - start) / before) * after, to);
  return anchor < found + after ? found : beginning(anchor, to);
}

export const dayOf = (time) => isoDay(new Date(time));

/** Where times are between two places of a picture. */
export function axis(view, start, left, right) {
  const { length, step, mark } = VIEWS[view];
  const end = start + length;
  const place = (time) => left + ((time - start) / length) * (right - left);
  return {
    start, end, place,
    /** Where something that lasts is, as far as it is to be seen; null if it is not. */
    span(from, until) {
      const [begin, stop] = [Math.max(from, start), Math.min(until, end)];
      return begin < stop ? [place(begin), place(stop)] : null;
    },
    marks(top, bottom) {
      const lines = [];
      let taken = -Infinity; // up to where the last mark reaches
      for (let time = start; time <= end; time += step) {
        const text = time < end ? mark(new Date(time)) : "";
        const labelled = text && place(time) > taken && place(time) + text.length * LETTER < right + 4;
        // Only the line of a label reaches up to it; the others would run through it.
        lines.push(s("line", { class: "grid", x1: place(time), x2: place(time), y1: labelled ? top : top + LABELS, y2: bottom }));
        if (labelled) {
          lines.push(s("text", { class: "mark", x: place(time) + 4, y: top + 13 }, text));
          taken = place(time) + 8 + text.length * LETTER;
        }
      }
      const now = Date.now();
      if (now > start && now < end) lines.push(s("line", { class: "now", x1: place(now), x2: place(now), y1: top + LABELS, y2: bottom }));
      return lines;
    },
  };
}
