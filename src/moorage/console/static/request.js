// A request for allocation candidates as a form holds it, and the query string that Placement reads.
//
// { groups: [{ suffix, resources: [[class, amount]], traits, aggregates, inTree }], policy, rootTraits, sameSubtrees, limit, rest }
//
// Traits and aggregates are texts: "ONE", "!ONE" for what is forbidden, "ONE|OTHER" for any of them. `rest` are the pairs
// of name and value that no field of the form stands for; they are kept as they are.

import { written } from "./query.js";

const AMOUNTS = /^[A-Z0-9_]+:[1-9]\d*(,[A-Z0-9_]+:[1-9]\d*)*$/;
const TRAITS = /^(in:\w+(,\w+)*|!?\w+(,!?\w+)*)$/;
const AGGREGATES = /^(!?in:[\w-]+(,[\w-]+)*|!?[\w-]+)$/;
const OF_GROUP = /^(resources|required|member_of|in_tree)([A-Za-z0-9_-]{0,64})$/;

/** What a query string asks for, as far as a form can hold it. */
export function parsed(query) {
  const groups = new Map([["", emptyGroup("")]]);
  const request = { policy: "", rootTraits: [], sameSubtrees: [], limit: "", rest: [] };
  for (const [name, value] of new URLSearchParams(query)) {
    const [, part, suffix] = name.match(OF_GROUP) ?? [];
    if (part && !groups.has(suffix)) groups.set(suffix, emptyGroup(suffix));
    const understood = part ? ofGroup(groups.get(suffix), part, value) : ofAll(request, name, value);
    if (!understood) request.rest.push([name, value]);
  }
  return { groups: [...groups.values()], ...request };
}

export const emptyGroup = (suffix) => ({ suffix, resources: [], traits: [], aggregates: [], inTree: "" });

/** Takes over what a pair says of a group; false if the form cannot show it. */
function ofGroup(group, part, value) {
  if (part === "resources") {
    if (group.resources.length || !AMOUNTS.test(value)) return false;
    group.resources = value.split(",").map((each) => each.split(":"));
  } else if (part === "required") {
    if (!TRAITS.test(value)) return false;
    group.traits.push(...(value.startsWith("in:") ? [value.slice(3).replaceAll(",", "|")] : value.split(",")));
  } else if (part === "member_of") {
    if (!AGGREGATES.test(value)) return false;
    const names = value.replace(/^!?in:/, "").split(",");
    group.aggregates.push(...(value.startsWith("!in:") ? names.map((each) => `!${each}`) : [names.join("|")]));
  } else {
    if (group.inTree || !value) return false;
    group.inTree = value;
  }
  return true;
}

/** The same for what is said of all groups together. */
function ofAll(request, name, value) {
  if (name === "group_policy" && !request.policy && ["none", "isolate"].includes(value)) request.policy = value;
  else if (name === "root_required" && !request.rootTraits.length && TRAITS.test(value) && !value.startsWith("in:")) request.rootTraits = value.split(",");
  else if (name === "same_subtree" && value) request.sameSubtrees.push(value.split(","));
  else if (name === "limit" && !request.limit && /^[1-9]\d*$/.test(value)) request.limit = value;
  else return false;
  return true;
}

/** The query string of a request. */
export function queryOf({ groups, policy, rootTraits, sameSubtrees, limit, rest }) {
  const pairs = groups.flatMap(pairsOf);
  // Placement wants to be told as soon as there are two groups; then they may share a provider unless somebody says otherwise.
  const several = groups.filter((group) => group.suffix).length > 1;
  if (policy || several) pairs.push(["group_policy", policy || "none"]);
  if (rootTraits.length) pairs.push(["root_required", rootTraits.join(",")]);
  for (const suffixes of sameSubtrees) pairs.push(["same_subtree", suffixes.join(",")]);
  if (limit) pairs.push(["limit", limit]);
  return written([...pairs, ...rest]);
}

function pairsOf({ suffix, resources, traits, aggregates, inTree }) {
  const pairs = [];
  const wanted = resources.filter(([name, amount]) => name && Number(amount) > 0);
  if (wanted.length) pairs.push([`resources${suffix}`, wanted.map(([name, amount]) => `${name}:${Number(amount)}`).join(",")]);
  const single = traits.filter((each) => !each.includes("|"));
  if (single.length) pairs.push([`required${suffix}`, single.join(",")]);
  for (const choice of choices(traits)) pairs.push([`required${suffix}`, choice]);
  for (const one of aggregates.filter((each) => !each.includes("|"))) pairs.push([`member_of${suffix}`, one]);
  for (const choice of choices(aggregates)) pairs.push([`member_of${suffix}`, choice]);
  if (inTree) pairs.push([`in_tree${suffix}`, inTree]);
  return pairs;
}

const choices = (texts) => texts.filter((each) => each.includes("|")).map((each) => `in:${each.split("|").filter(Boolean).join(",")}`);
