// How well text can be read on a ground, as WCAG 2 counts it: 4.5 is enough, 21 the most there is.

const ENOUGH = 4.5;

/** A colour as CSS computes it, "#rrggbb", as its three parts. */
export const rgb = (hex) => [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));

/** The contrast between two colours, each in three parts from 0 to 255. */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(parts) {
  const [red, green, blue] = parts.map((part) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The first of the inks that can be read there; black or white where none can, one of which always does. */
export function readable(ground, inks) {
  return [...inks, "#000000", "#ffffff"].find((ink) => contrast(ground, rgb(ink)) >= ENOUGH);
}
