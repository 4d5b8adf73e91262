// Who is signed in. The token is kept by this tab of the browser, and is forgotten when the tab is closed.

import { ApiError, client } from "./api.js";

const KEY = "moorage-session";

/** What the service says to everybody: what is served, and how one signs in. */
export const welcome = () => client(null).console("");

/** The session that this tab has, or null; fails with 401 if its token is no longer good. */
export async function resume(onEnd) {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  return kept ? opened(kept, onEnd) : null;
}

/** Sign in with a token that somebody already has. */
export const signInWithToken = (token, onEnd) => begun({ token, given: false }, onEnd);

/** Sign in with a name and a password, to a project or to the first of those that one has. */
export async function signInWithPassword({ user, password, domain, project }, onEnd) {
  const identity = { methods: ["password"], password: { user: { name: user, password, domain: { name: domain } } } };
  if (project) {
    const scope = { project: { name: project, domain: { name: domain } } };
    return begun({ token: await tokenFor({ identity, scope }), given: true }, onEnd);
  }
  const token = await tokenFor({ identity, scope: "unscoped" });
  try {
    const { projects } = await client(token).identity("auth/projects");
    if (!projects.length) throw new ApiError(403, "You have no role in any project. An administrator can give you one.");
    return await inProject(token, projects[0].id, onEnd);
  } finally {
    takeBack(token);
  }
}

/** The same person in another project; the session before is over then, and its token is taken back. */
export async function switchProject(session, projectId, onEnd) {
  const next = await inProject(session.token, projectId, onEnd);
  session.close();
  takeBack(session.token);
  return next;
}

async function inProject(token, projectId, onEnd) {
  const identity = { methods: ["token"], token: { id: token } };
  return begun({ token: await tokenFor({ identity, scope: { project: { id: projectId } } }), given: true }, onEnd);
}

/** Forget the token here, and have the service forget it where it is one that was given out. */
export async function signOut(session) {
  forget();
  session.close();
  if (session.given) await takeBack(session.token);
}

/** A token that the service gave out is good no longer. */
async function takeBack(token) {
  try {
    await client(token).request("identity/v3/auth/tokens", { method: "DELETE", headers: { "X-Subject-Token": token } });
  } catch {
    // It expires by itself.
  }
}

export const forget = () => sessionStorage.removeItem(KEY);

async function tokenFor(auth) {
  const { headers } = await client(null).request("identity/v3/auth/tokens", { method: "POST", body: { auth } });
  return headers.get("X-Subject-Token");
}

/** A session that this tab keeps. */
async function begun(kept, onEnd) {
  const session = await opened(kept, onEnd);
  sessionStorage.setItem(KEY, JSON.stringify(kept));
  return session;
}

/** `given` tells a token that the identity service here gave out, and so knows the person behind, from any other. */
async function opened({ token, given }, onEnd) {
  let open = false;
  const api = client(token, () => { if (open) onEnd(); }); // what never began, or is over, does not end
  const [who, { services }] = await Promise.all([api.console("session"), welcome()]);
  const person = given ? await personOf(api, token) : { projects: [], userName: null, projectName: null };
  open = true;
  const close = () => { open = false; };
  return { token, given, api, services, close, ...who, ...person };
}

async function personOf(api, token) {
  const [{ projects }, { token: known }] = await Promise.all([
    api.identity("auth/projects"),
    api.identity("auth/tokens", { headers: { "X-Subject-Token": token } }),
  ]);
  return { projects, userName: known.user.name, projectName: known.project?.name ?? null };
}
