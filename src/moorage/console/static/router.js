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
  if (isShown(parts[0])) history.replaceState(null, "", address(parts, parameters));
}

/** Go on within a page that shows it by itself; the way back leads here. */
export function move(parts, parameters) {
  const old = here();
  // Who asks for the same again has not gone on.
  if (address(parts, parameters) === address(old.parts, Object.fromEntries(old.parameters))) return;
  if (isShown(parts[0])) history.pushState(null, "", address(parts, parameters));
}

/** A page that was still loading when somebody went elsewhere must not lead them back. */
function isShown(page) {
  const [now = page] = here().parts;
  return now === page;
}

export const go = (parts, parameters) => {
  location.hash = address(parts, parameters);
};
