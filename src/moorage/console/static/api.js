// Requests to the services beside the console. The token travels in a header, never in an address.

/** Where the services are: the folder that the console's own folder is in. */
const ROOT = new URL("../", document.baseURI);

/** The address of something beside the console. */
export const placeOf = (path) => new URL(path, ROOT).href;

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A client that sends a token with each request; `onRefused` is told when the token is no longer good. */
export function client(token, onRefused = () => {}) {
  /** The answer, whatever its status. */
  async function ask(path, { method = "GET", body, headers = {}, signal } = {}) {
    const sent = { Accept: "application/json", ...headers };
    if (token) sent["X-Auth-Token"] = token;
    if (body !== undefined) sent["Content-Type"] = "application/json";
    try {
      return await fetch(placeOf(path), {
        method, headers: sent, body: body === undefined ? undefined : JSON.stringify(body), signal, credentials: "omit",
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ApiError(0, "The service cannot be reached.");
    }
  }

  async function request(path, options) {
    const response = await ask(path, options);
    const text = await response.text();
    if (response.ok) return { content: text ? JSON.parse(text) : null, headers: response.headers };
    if (response.status === 401 && token) onRefused();
    throw new ApiError(response.status, sentence(text) || `${response.status} ${response.statusText}`);
  }

  const content = async (...args) => (await request(...args)).content;
  const placementHeaders = { "OpenStack-API-Version": "placement 1.39" };
  const computeHeaders = { "OpenStack-API-Version": "compute 2.61" };
  return {
    ask,
    request,
    openapi: (path) => content(`openapi/${path}`),
    console: (path, options) => content(`console/api/${path}`, options),
    placement: (path, options) => content(`placement/${path}`, { headers: placementHeaders, ...options }),
    compute: (path, options) => content(`compute/v2.1/${path}`, { headers: computeHeaders, ...options }),
    image: (path, options) => content(`image/v2/${path}`, options),
    identity: (path, options) => content(`identity/v3/${path}`, options),
    reservation: (path, options) => content(`reservation/v1/${path}`, options),
  };
}

/** What an error says, in whatever way the API words it. */
function sentence(text) {
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    return text.trim().slice(0, 500);
  }
  if (Array.isArray(told.errors)) return told.errors.map((error) => error.detail).join(" ").trim();
  if (typeof told.message === "string") return told.message;
  if (typeof told.error_message === "string") return told.error_message;
  const inner = Object.values(told).find((value) => value && typeof value.message === "string");
  return inner ? inner.message : "";
}
