// A request by form: groups of resources, each with traits and aggregates, and what is said of all of them.

import { field, fill, h, notice, select } from "../dom.js";
import { hostNames } from "../fleet.js";
import { emptyGroup, parsed, queryOf } from "../request.js";
import { suggestions } from "../suggestions.js";

const USUAL = ["VCPU", "PCPU", "MEMORY_MB", "DISK_GB"];
const NOTATION = "Commas between them, ! before one that is forbidden, | between those of which any will do.";

/** `ask(query)` is called with what the form holds; `fill(query)` shows a question, `query()` tells it. */
export function byForm(session, vocabulary, ask) {
  const known = { ...vocabulary, classes: [...USUAL.filter((name) => vocabulary.classes.includes(name)), ...vocabulary.classes.filter((name) => !USUAL.includes(name)).sort()] };
  const list = h("div", {});
  const elsewhere = h("div", {});
  const policy = select([["none", "may share a provider"], ["isolate", "each from another provider"]]);
  const policyField = field("Groups with names", policy);
  const root = h("input", { placeholder: "COMPUTE_NODE, !CUSTOM_…", spellcheck: "false" });
  const subtrees = h("input", { placeholder: "_1, _2", spellcheck: "false" });
  const limit = h("input", { type: "number", min: 1, placeholder: "200" });
  const more = h("details", {}, h("summary", {}, "More conditions"),
    field("The root must have", root, "Traits of the host itself, with commas between them, ! before one that is forbidden."), suggestions(root, () => known.traits),
    field("In one subtree", subtrees, "Groups whose providers are to be near each other; a semicolon begins other ones."),
    field("At most so many candidates", limit));
  let groups = [];
  let given = { policy: "", rest: [] };
  let question = ""; // as it was filled in, until somebody changes the form
  let isChanged = false;

  function add(content) {
    const group = groupForm(session, content, known, content.suffix ? () => { groups = groups.filter((each) => each !== group); arrange(); } : null);
    groups.push(group);
    return group;
  }

  function arrange() {
    isChanged = true;
    fill(list, groups.map((group) => group.element));
    policyField.hidden = groups.filter((group) => group.suffix()).length < 2;
  }

  function addNamed() {
    const taken = groups.map((group) => group.suffix());
    let number = 1;
    while (taken.includes(`_${number}`)) number += 1;
    const group = add({ ...emptyGroup(`_${number}`), resources: [[known.classes.find((name) => !USUAL.includes(name)) ?? "VCPU", 1]] });
    arrange();
    group.focus();
  }

  function show(query) {
    if (query === told()) return;
    const request = parsed(query);
    given = request;
    groups = [];
    request.groups.forEach(add);
    policy.value = request.policy || "none";
    root.value = request.rootTraits.join(", ");
    subtrees.value = request.sameSubtrees.map((suffixes) => suffixes.join(", ")).join("; ");
    limit.value = request.limit;
    more.open = Boolean(root.value || subtrees.value || limit.value);
    fill(elsewhere, request.rest.length ? notice("note", "The form has no field for ", h("code", {}, request.rest.map(([name, value]) => `${name}=${value}`).join("&")), "; it is still asked, and can be changed in the query string.") : null);
    arrange();
    question = query;
    isChanged = false;
  }

  function told() {
    if (!isChanged) return question;
    return queryOf({
      groups: groups.map((group) => group.read()),
      policy: policyField.hidden ? given.policy : policy.value,
      rootTraits: names(root.value),
      sameSubtrees: subtrees.value.split(";").map((each) => each.split(/[\s,]+/).filter(Boolean)).filter((suffixes) => suffixes.length),
      limit: limit.value,
      rest: given.rest,
    });
  }

  /** Two groups of one name would be taken for one. */
  function noteNames() {
    for (const group of groups) group.complain(groups.some((other) => other !== group && other.suffix() === group.suffix()) ? "Another group has this name." : "");
  }

  const element = h("form", { oninput: () => { isChanged = true; noteNames(); }, onsubmit: (event) => { event.preventDefault(); ask(told()); } },
    elsewhere, list, policyField, more,
    h("div", { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, "Find places"),
      h("button", { type: "button", onclick: addNamed }, "Add a group")));
  element.addEventListener("click", (event) => { if (event.target.closest(".changes")) isChanged = true; });
  return { element, fill: show, query: told };
}

const names = (text) => text.replace(/\s*\|\s*/g, "|").split(/[\s,]+/).filter(Boolean).map((name) => name.toUpperCase());

function groupForm(session, { suffix, resources, traits, aggregates, inTree }, known, remove) {
  const rows = h("div", {});
  const named = h("input", { value: suffix, pattern: "[A-Za-z0-9_\\-]{1,64}", title: "Letters, digits, _ and -, at most 64", required: true, spellcheck: "false", oninvalid: () => { more.open = true; } });
  const wanted = h("input", { value: traits.join(", "), placeholder: "HW_CPU_X86_AVX2, !CUSTOM_…", spellcheck: "false" });
  const within = aggregateInput(aggregates, known.aggregates);
  const tree = h("input", { value: inTree, spellcheck: "false" });
  const legend = h("legend", {});
  const trees = () => (session.may.see_fleet ? hostNames(session).then((found) => [...found], () => []) : []);
  const more = h("details", { open: Boolean(inTree) }, h("summary", {}, suffix ? "Its name, and which tree" : "Which tree"),
    suffix ? field("Name of the group", named) : null,
    field("Only in the tree of", tree, "The UUID of one of its providers; a part of the name of a host finds it."), suggestions(tree, trees));
  const name = () => (suffix ? named.value.trim() : "");
  const entitle = () => { legend.textContent = suffix ? `Group ${name()}, from one provider` : "From the host, its tree and what it shares"; };

  function row([resource, value]) {
    const element = h("div", { class: "row" },
      select(known.classes.includes(resource) ? known.classes : [resource, ...known.classes], resource, { "aria-label": "Resource class" }),
      h("input", { type: "number", min: 1, value, "aria-label": "Amount", required: true }),
      h("button", { type: "button", class: "quiet changes", "aria-label": "Remove this resource", onclick: () => element.remove() }, "×"));
    return element;
  }

  rows.append(...resources.map(row));
  named.addEventListener("input", entitle);
  entitle();
  const element = h("fieldset", {},
    legend,
    rows,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "quiet changes", onclick: () => { rows.append(row(["DISK_GB", 20])); rows.lastChild.querySelector("select").focus(); } }, "+ resource"), remove ? h("button", { type: "button", class: "quiet", onclick: remove }, "Remove the group") : null),
    field("Traits", wanted, NOTATION), suggestions(wanted, () => known.traits),
    field("Aggregates", within.input, "In the same way, by name or UUID."), within.list,
    more);
  return {
    element,
    suffix: name,
    focus: () => rows.querySelector("select")?.focus(),
    complain: (text) => named.setCustomValidity(text),
    read: () => ({
      suffix: name(),
      resources: [...rows.children].map((each) => [each.children[0].value, each.children[1].value]),
      traits: names(wanted.value),
      aggregates: within.read(),
      inTree: tree.value.trim(),
    }),
  };
}

/** Aggregates by name where compute knows one, else by UUID. */
function aggregateInput(texts, aggregates) {
  const plain = aggregates.filter(({ name }) => !/[,|!]/.test(name));
  const nameOf = new Map(plain.map(({ uuid, name }) => [uuid, name]));
  const uuidOf = new Map(plain.map(({ uuid, name }) => [name, uuid]));
  const each = (text, table) => text.split("|").map((part) => {
    const [, not, name] = part.trim().match(/^(!?)\s*(.*)$/);
    return name && `${not}${table.get(name) ?? name}`;
  }).filter(Boolean).join("|");
  const input = h("input", { value: texts.map((text) => each(text, nameOf)).join(", "), placeholder: "any", spellcheck: "false" });
  return {
    input,
    list: suggestions(input, () => [...uuidOf.keys()]),
    read: () => input.value.split(",").map((text) => each(text, uuidOf)).filter(Boolean),
  };
}
