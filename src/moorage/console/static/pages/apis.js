// APIs: every operation of each API that is served, to be found, read and tried.

import { placeOf } from "../api.js";
import { field, fill, h, notice, select, table } from "../dom.js";
import { plural } from "../format.js";
import { byPath, finder, listApis, readApi } from "../openapi.js";
import { address, go, move, note } from "../router.js";
import { method, operationView } from "./api_operation.js";

export function apisPage(main, { session, rest: [name, chosen], parameters, failed }) {
  const choice = h("div", {});
  const body = h("div", {}, h("p", { class: "muted" }, "Reading …"));
  fill(main, h("div", { class: "heading which-api" }, h("h1", {}, "APIs"), choice), body);
  load().catch((error) => {
    fill(body);
    failed(error);
  });

  async function load() {
    const apis = await listApis(session.api);
    const wanted = apis.find((each) => each.name === name);
    if (!wanted) {
      fill(body, name ? notice("note", "There is no such API here.") : null, served(apis));
      return;
    }
    fill(choice, select(apis.map((each) => [each.name, each.title]), name, { "aria-label": "API", onchange: (event) => go(["apis", event.target.value]) }));
    fill(body, reader(session, await readApi(session.api, wanted), chosen, parameters.get("q") ?? ""));
  }
}

function served(apis) {
  const rows = apis.map(({ name, title, mount, document: file }) => [
    h("a", { href: address(["apis", name]) }, title), h("code", {}, mount), h("a", { href: placeOf(`openapi/${file}`) }, file),
  ]);
  return [
    h("p", {}, "Every operation of each of them can be read here, and tried if it only reads."),
    table("APIs", ["API", "Where", "OpenAPI document"], rows),
  ];
}

/** The list of operations, and beside it the one that is chosen. */
function reader(session, described, chosen, text) {
  const { name, operations } = described;
  const search = h("input", { type: "search", value: text, placeholder: "part of a path, method or summary", spellcheck: "false" });
  const count = h("p", { class: "muted", role: "status" });
  const list = h("nav", { class: "operations", "aria-label": "Operations", onkeydown: byArrows });
  const view = h("div", { class: "card operation-view" });
  const frame = h("div", { class: "split apis" },
    h("div", { class: "card contents" },
      h("form", { role: "search", onsubmit: (event) => { event.preventDefault(); list.querySelector("a")?.click(); } }, field("Find an operation", search)),
      count, list),
    view);
  const found = () => operations.filter(finder(search.value));
  const parts = (id) => ["apis", name, ...(id ? [id] : [])];
  const query = () => ({ q: search.value.trim() });
  let current = chosen;
  search.addEventListener("input", () => {
    note(parts(current), query());
    showList();
  });
  showList();
  showView();
  // It can be scrolled to when it is on the page.
  requestAnimationFrame(() => list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }));
  return frame;

  function showList() {
    const matching = found();
    count.textContent = matching.length === operations.length ? plural(matching.length, "operation") : `${matching.length} of ${plural(operations.length, "operation")}`;
    fill(list, [...byPath(matching)].map(([path, group]) => h("section", {},
      h("h3", {}, h("code", {}, path)),
      h("ul", {}, group.map((operation) => h("li", {}, link(operation)))))));
  }

  function link(operation) {
    const id = operation.operationId;
    return h("a", { href: address(parts(id), query()), "aria-current": id === current ? "true" : undefined, onclick: (event) => choose(event, id) }, method(operation), h("span", {}, operation.summary));
  }

  /** Without drawing the page anew, so that the list stays where it is; in another tab if that is asked for. */
  function choose(event, id) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const before = list.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    if (id) event.currentTarget.setAttribute("aria-current", "true");
    current = id;
    move(parts(id), query());
    showView();
    window.scrollTo(0, 0);
    (id ? view.querySelector("h2") : before)?.focus({ preventScroll: Boolean(id) });
  }

  function showView() {
    const operation = operations.find((each) => each.operationId === current);
    frame.classList.toggle("reading", Boolean(operation));
    const back = h("p", { class: "back narrow-only" }, h("a", { href: address(parts(), query()), onclick: (event) => choose(event) }, "← All operations"));
    if (operation) fill(view, back, operationView(session, described, operation));
    else fill(view, current ? notice("note", "There is no such operation.") : null, about(described));
  }
}

/** Up and down go from one operation to the next. */
function byArrows(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const next = links[links.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function about({ document: { info, openapi }, title, address: place, server, name }) {
  return [
    h("h2", {}, title),
    h("p", {}, info.description),
    h("dl", { class: "plain" },
      h("dt", {}, "Where"), h("dd", {}, h("code", {}, server)),
      h("dt", {}, "Version"), h("dd", {}, info.version),
      h("dt", {}, "Credential"), h("dd", {}, "a token, in the header ", h("code", {}, "X-Auth-Token")),
      h("dt", {}, "Document"), h("dd", {}, h("a", { href: place }, `${name}.json`), `, OpenAPI ${openapi}`)),
    h("p", { class: "muted" }, "Choose an operation to see who may do it, what goes in and what comes out. The address leads others to the same."),
  ];
}
