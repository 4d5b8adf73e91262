// A request by form: groups of resources, each with traits and aggregates.

import { field, fill, h, select } from "../dom.js";

const USUAL = ["VCPU", "PCPU", "MEMORY_MB", "DISK_GB"];

/** `ask(groups, policy)` is called with what the form holds. */
export function byForm({ classes, traits, aggregates }, ask) {
  const known = [...USUAL.filter((name) => classes.includes(name)), ...classes.filter((name) => !USUAL.includes(name)).sort()];
  const list = h("div", {});
  const policy = select([["none", "may share a provider"], ["isolate", "each from another provider"]]);
  const policyField = field("Groups with names", policy);
  const groups = [];
  let named = 0;

  function add(suffix, resources) {
    const group = groupForm(suffix, resources, { known, aggregates }, suffix ? () => { groups.splice(groups.indexOf(group), 1); arrange(); } : null);
    groups.push(group);
    arrange();
    return group;
  }

  function arrange() {
    fill(list, groups.map((group) => group.element));
    policyField.hidden = groups.filter((group) => group.suffix).length < 2;
  }

  add("", [["VCPU", 8], ["MEMORY_MB", 16384]]);
  return h("form", { onsubmit: (event) => { event.preventDefault(); ask(groups.map((group) => group.read()), policy.value); } },
    h("datalist", { id: "known-traits" }, traits.map((name) => h("option", { value: name }))),
    list, policyField,
    h("div", { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, "Find places"),
      h("button", { type: "button", onclick: () => add(`_${++named}`, [[known.find((name) => !USUAL.includes(name)) ?? "VCPU", 1]]).focus() }, "Add a group")));
}

function groupForm(suffix, resources, { known, aggregates }, remove) {
  const rows = h("div", {});
  const traits = h("input", { list: "known-traits", placeholder: "HW_CPU_X86_AVX2, !CUSTOM_…", spellcheck: "false" });
  const choices = [["", "–"], ...aggregates.map((aggregate) => [aggregate.uuid, aggregate.name])];
  const within = select(choices);
  const outside = select(choices);

  function row([name, value]) {
    const element = h("div", { class: "row" },
      select(known, name, { "aria-label": "Resource class" }),
      h("input", { type: "number", min: 1, value, "aria-label": "Amount", required: true }),
      h("button", { type: "button", class: "quiet", "aria-label": "Remove this resource", onclick: () => element.remove() }, "×"));
    return element;
  }

  rows.append(...resources.map(row));
  const element = h("fieldset", {},
    h("legend", {}, suffix ? `Group ${suffix}, from one provider` : "From the host, its tree and what it shares"),
    rows,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: () => { rows.append(row(["DISK_GB", 20])); rows.lastChild.querySelector("select").focus(); } }, "+ resource"), remove ? h("button", { type: "button", class: "quiet", onclick: remove }, "Remove the group") : null),
    field("Traits", traits, "Commas between them, ! before one that is forbidden, | between those of which any will do."),
    aggregates.length ? h("div", { class: "pair" }, field("Only in the aggregate", within), field("Never in the aggregate", outside)) : null);
  return {
    suffix,
    element,
    focus: () => rows.querySelector("select")?.focus(),
    read: () => ({
      suffix,
      resources: [...rows.children].map((each) => [each.children[0].value, each.children[1].value]),
      traits: traits.value.replace(/\s*\|\s*/g, "|").split(/[\s,]+/).filter(Boolean).map((name) => name.toUpperCase()),
      inAggregates: within.value,
      notInAggregates: outside.value,
    }),
  };
}
