// Names where there is little room for them.

/** A name, or as much of its two ends as fits: the end of a name tells hosts apart, so what is cut is its middle. */
export function withoutMiddle(name, fits) {
  if (fits(name)) return name;
  for (let kept = name.length - 1; kept > 2; kept -= 1) {
    const cut = `${name.slice(0, Math.ceil(kept / 2))}…${name.slice(-Math.floor(kept / 2))}`;
    if (fits(cut)) return cut;
  }
  return "…";
}
