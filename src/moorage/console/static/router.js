// Addresses within the console: "#/hosts/UUID?class=VCPU". What is behind the # never leaves the browser.

/** The address as its parts and its parameters. */
export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").filter(Boolean).map(decodeURIComponent), parameters: new URLSearchParams(query) };
}

export function address(parts, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "" && value != null));
  const path = parts.map(encodeURIComponent).join("/");
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** Note parameters in the address without going anywhere, so that a reload or a link shows the same. */
export function note(parts, parameters) {
  // A page that was still loading when somebody went elsewhere must not lead them back.
  const [now = parts[0]] = here().parts;
  if (now !== parts[0]) return;
  history.replaceState(null, "", address(parts, parameters));
}

/** Go on within a page that shows it by itself; the way back leads here. */
export function move(parts, parameters) {
  history.pushState(null, "", address(parts, parameters));
}

export const go = (parts, parameters) => {
  location.hash = address(parts, parameters);
};
