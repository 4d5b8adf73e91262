// A request for allocation candidates, between the form and the query string that Placement reads.

/** A query string of groups: [{ suffix, resources: [[class, amount]], traits: [text], inAggregates, notInAggregates }]. A trait may be "!NAME" or "ONE|OTHER". */
export function queryOf(groups, policy) {
  const pairs = [];
  for (const { suffix, resources, traits, inAggregates, notInAggregates } of groups) {
    const wanted = resources.filter(([name, amount]) => name && Number(amount) > 0);
    if (wanted.length) pairs.push([`resources${suffix}`, wanted.map(([name, amount]) => `${name}:${Number(amount)}`).join(",")]);
    const [choices, single] = [true, false].map((several) => traits.filter((each) => each.includes("|") === several));
    if (single.length) pairs.push([`required${suffix}`, single.join(",")]);
    for (const choice of choices) pairs.push([`required${suffix}`, `in:${choice.split("|").filter(Boolean).join(",")}`]);
    if (inAggregates) pairs.push([`member_of${suffix}`, inAggregates]);
    if (notInAggregates) pairs.push([`member_of${suffix}`, `!${notInAggregates}`]);
  }
  if (groups.filter((group) => group.suffix).length > 1) pairs.push(["group_policy", policy]);
  return written(pairs);
}

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
