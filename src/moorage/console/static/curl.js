// A request as a command for a shell. Credentials, and what must be there and is not known, are variables of the shell.

import { bodyLike } from "./example.js";
import { composed } from "./openapi.js";

export function curl({ document, server }, operation, values = {}) {
  const { address, headers } = composed(operation, values, (name) => `$${name.replace(/\W+/g, "_").toUpperCase()}`);
  const method = operation.method === "GET" ? "" : ` -X ${operation.method}`;
  const lines = [`curl -s${method} "${server}${address}"`];
  if (operation.security) lines.push('-H "X-Auth-Token: $TOKEN"');
  for (const [name, text] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${text}`)}`);
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type) lines.push(`-H ${quoted(`Content-Type: ${type}`)}`, type.endsWith("json") ? `-d ${quoted(JSON.stringify(bodyLike(document, content.schema), null, 2))}` : "--data-binary @FILE");
  return lines.join(" \\\n  ");
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
