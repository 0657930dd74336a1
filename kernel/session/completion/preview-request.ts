import type { Client, RenderedRequest } from "../../../lib/mod.ts";
import type { Inspection } from "../cell/mod.ts";

/**
 * Shows the request at a UTF-16 offset of a cell as it would be sent, without its secrets; nothing
 * is sent. Placeholders without a value stay as they stand.
 */
export function previewRequest(
  client: Pick<Client, "renderAll" | "secrets">,
  code: string,
  position: number,
): Inspection | undefined {
  const { secrets } = client;
  try {
    const request = client.renderAll(upToEnd(code, position), { missing: "keep" }).at(-1);
    if (request === undefined) return undefined;
    const { method, url, headers, body, warnings, notes = [] } = request;
    secrets.learn({ kind: "url", url }, "person");
    secrets.learn({ kind: "headers", headers }, "person");
    const text = bodyText(body);
    const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    if (text !== undefined) secrets.learn({ kind: "body", text, mediaType: type }, "person");
    const lines = [`${method} ${url}`, ...headers.map(toLine)];
    const whole = [...lines, ...(text === undefined ? [] : ["", text])].join("\n");
    return {
      signature: secrets.mask(whole),
      documentation: secrets.mask([...warnings, ...notes].join("\n")),
      language: "http",
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The reason why it cannot be sent is shown in its place.
    return { signature: secrets.mask(error.message), documentation: "", language: "text" };
  }
}

/** The text up to the end of the request that the offset is in. */
function upToEnd(code: string, position: number): string {
  const next = /^[^\S\n]*###/gm;
  next.lastIndex = code.indexOf("\n", position) + 1;
  const isLast = next.lastIndex === 0;
  const found = isLast ? null : next.exec(code);
  return found === null ? code : code.slice(0, found.index);
}

function bodyText(body: RenderedRequest["body"]): string | undefined {
  if (typeof body !== "object") return body;
  const pieces = "pieces" in body ? body.pieces : [body];
  return pieces
    .map((piece) =>
      typeof piece === "string" ? piece : `<${piece.interpolated ? "@" : ""} ${piece.path}`,
    )
    .join("");
}

/** A placeholder without a value that is a whole line has no name yet. */
function toLine([name, value]: readonly [string, string]): string {
  return name === "" ? value : `${name}: ${value}`;
}
