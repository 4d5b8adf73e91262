// Query strings for Placement that a person can read, and what the changes that an explanation names make of one.

/** Pairs as a query string that a person can read. */
export function written(pairs) {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%21/g, "!")}`).join("&");
}

/** The query with one of the changes that an explanation says would help: "resources=VCPU:96 instead of 100". */
export function relaxed(query, change) {
  const pairs = [...new URLSearchParams(query)];
  const smaller = change.match(/^(resources\S*)=(\S+):(\d+) instead of (\d+)$/);
  if (smaller) {
    const [, name, resource, amount] = smaller;
    return written(pairs.map(([key, value]) => (key === name ? [key, value.split(",").map((item) => (item.split(":")[0] === resource ? `${resource}:${amount}` : item)).join(",")] : [key, value])));
  }
  if (change.startsWith("group_policy=none")) {
    return written(pairs.map(([key, value]) => (key === "group_policy" ? [key, "none"] : [key, value])));
  }
  const less = change.match(/^without ([^=]+)=(.+)$/);
  if (!less) return null;
  const [, name, given] = less;
  const left = pairs.flatMap(([key, value]) => (key === name ? without(key, value, given) : [[key, value]]));
  return written(left);
}

/** A condition without one of its parts; "in:" conditions are one part, others a list. */
function without(name, value, part) {
  if (value === part || value === `in:${part}`) return [];
  if (value.startsWith("!in:") && part.startsWith("!")) {
    const kept = value.slice(4).split(",").filter((item) => item !== part.slice(1));
    return kept.length ? [[name, `!in:${kept.join(",")}`]] : [];
  }
  if (value.startsWith("in:") || value.startsWith("!in:")) return [[name, value]];
  const kept = value.split(",").filter((item) => item !== part && item.split(":")[0] !== part);
  return kept.length ? [[name, kept.join(",")]] : [];
}
