// The frame around the pages: signing in, the menu, and which page is shown.

import { ApiError } from "./api.js";
import { fill, h, notice, select } from "./dom.js";
import { apisPage } from "./pages/apis.js";
import { capacityPage } from "./pages/capacity.js";
import { fitPage } from "./pages/fit.js";
import { fleetPage } from "./pages/fleet.js";
import { healthPage } from "./pages/health.js";
import { hostPage } from "./pages/host.js";
import { leasesPage } from "./pages/leases.js";
import { signInPage } from "./pages/sign_in.js";
import { address, go, here } from "./router.js";
import { forget, resume, signOut, switchProject } from "./session.js";

/** Each page: its place in the menu (none if others lead to it), and what one must be allowed to do to see it, if anything. */
const PAGES = {
  fleet: { title: "Fleet", menu: true, needs: "see_fleet", show: fleetPage },
  fit: { title: "Where does it fit?", menu: true, needs: "see_candidates", show: fitPage },
  leases: { title: "Leases", menu: true, needs: "see_leases", show: leasesPage },
  capacity: { title: "Capacity", menu: true, needs: "see_capacity", show: capacityPage },
  health: { title: "Health", menu: true, show: healthPage },
  apis: { title: "APIs", menu: true, show: apisPage },
  hosts: { title: "Host", menu: false, needs: "see_fleet", show: hostPage },
};

const app = document.getElementById("app");
let session = null;
let leave = () => {};

const allowed = (page) => !page.needs || session.may[page.needs];

async function start() {
  try {
    session = await resume(ended);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) ended();
    else fill(app, h("main", { class: "page" }, notice("error", error.message)));
    return;
  }
  show();
}

function ended() {
  forget();
  session = null;
  show("Your session has ended. Sign in again.");
}

function show(message) {
  leave();
  leave = () => {};
  if (!session) {
    document.title = "Sign in · Moorage";
    fill(app, signInPage({ message, onSession: entered, onEnd: ended }));
    return;
  }
  const { parts, parameters } = here();
  const [name, ...rest] = parts.length ? parts : [firstPage()];
  const page = PAGES[name];
  const main = h("main", { class: "page", id: "content", tabindex: -1 });
  fill(app,
    h("a", { class: "skip", href: "#content", onclick: (event) => { event.preventDefault(); main.focus(); } }, "Skip to the content"),
    header(name), main);
  app.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.title = `${page?.title ?? "Nothing here"} · Moorage`;
  if (!page) {
    fill(main, notice("note", name ? "There is no such page." : "Your roles let you see nothing of the cloud. An administrator can give you others."));
  } else if (!allowed(page)) {
    fill(main, notice("note", `Your roles (${session.roles.join(", ") || "none"}) do not let you see this page.`));
  } else {
    const shown = page.show(main, { session, rest, parameters, failed: (error) => failed(main, error) });
    if (typeof shown === "function") leave = shown;
  }
}

/** Whoever may see nothing of the cloud shall be told so, and not wonder. */
const firstPage = () => Object.keys(PAGES).find((name) => PAGES[name].menu && PAGES[name].needs && allowed(PAGES[name])) ?? "";

/** What went wrong, said on the page. */
function failed(main, error) {
  if (error.name === "AbortError") return;
  const kind = error instanceof ApiError && error.status === 403 ? "note" : "error";
  const text = kind === "note" ? `Your roles do not let you see this: ${error.message}` : error.message;
  for (const each of main.querySelectorAll(".under-way")) each.remove();
  main.append(notice(kind, text));
  if (!(error instanceof ApiError)) throw error;
}

function header(current) {
  const links = Object.entries(PAGES).filter(([, page]) => page.menu && allowed(page)).map(([name, page]) =>
    h("a", { href: address([name]), "aria-current": name === current || (name === "fleet" && current === "hosts") ? "page" : undefined }, page.title));
  return h("header", { class: "top" },
    h("a", { class: "brand", href: address([]) }, h("img", { src: "icon.svg", alt: "", width: 26, height: 26 }), "Moorage"),
    h("nav", { "aria-label": "Pages" }, links),
    h("div", { class: "who" }, projects(), h("button", { class: "quiet", type: "button", onclick: goodbye }, "Sign out")));
}

function projects() {
  if (session.projects.length < 2) {
    const name = [session.userName, session.projectName].filter(Boolean).join(" · ") || session.roles[0] || "";
    return h("span", { class: "muted name" }, name);
  }
  const choice = select(session.projects.map((project) => [project.id, project.name]), session.project_id, {
    "aria-label": `Project of ${session.userName}`,
    onchange: async () => {
      const old = session;
      try {
        session = await switchProject(old, choice.value, ended);
        show();
      } catch (error) {
        choice.value = old.project_id;
        failed(document.getElementById("content"), error);
      }
    },
  });
  return choice;
}

function entered(found) {
  session = found;
  show();
  document.getElementById("content")?.focus();
}

async function goodbye() {
  const old = session;
  session = null;
  await signOut(old);
  go([]);
  show();
}

window.addEventListener("hashchange", () => {
  show();
  document.getElementById("content")?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
});
start();
