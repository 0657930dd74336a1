import { findJsonComments } from "../../lib/request/mod.ts";
import { type Body, joinText, type Text } from "./collection.ts";

/** The body of a request, and its Content-Type. */
export interface TypedBody {
  readonly type: string;
  readonly body: Body;
}

/** A field of a form. */
export interface FormField {
  readonly name: Text;
  readonly value: Text | { readonly file: string };
  readonly fileName?: string;
  readonly type?: string;
}

export function textBody(text: Text, type: string): TypedBody {
  return { type, body: { kind: "text", pieces: text } };
}

/** JSON without its comments, as Bruno and Postman send it. A line that begins with `#` is no comment for them. */
export function withoutComments(text: string): string {
  const all = findJsonComments(text, { start: 0, end: text.length }, []);
  const found = all.filter(({ start }) => text[start] === "/");
  if (found.length === 0) return text;
  const pieces = [{ end: 0 }, ...found].map(({ end }, at) => text.slice(end, found[at]?.start));
  const trimmed = pieces.map((piece) => piece.trimEnd());
  return trimmed.join("").trim();
}

/** The fields of a form, percent-encoded as the URL standard says. */
export function formBody(fields: readonly (readonly [name: Text, value: Text])[]): TypedBody {
  const pieces = fields.flatMap(
    ([name, value], index): Text => [
      index === 0 ? "" : "&",
      ...encodeForm(name),
      "=",
      ...encodeForm(value),
    ],
  );
  return textBody(joinText(pieces), "application/x-www-form-urlencoded");
}

function encodeForm(text: Text): Text {
  return text.map((part) => {
    if (typeof part !== "string") return part;
    return new URLSearchParams([["", part]]).toString().slice(1);
  });
}

/** Percent-encodes the literal parts of a text for a query or a path. */
export function encodeText(text: Text): Text {
  return text.map((part) =>
    typeof part === "string" ? encodeURIComponent(wellFormed(part)) : part,
  );
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

const BOUNDARY = "restlab-boundary";

/** The parts of a multipart form (RFC 7578). */
export function multipartBody(fields: readonly FormField[]): TypedBody {
  const content = JSON.stringify(fields);
  let boundary = BOUNDARY;
  for (let count = 2; content.includes(boundary); count++) boundary = `${BOUNDARY}-${count}`;
  const pieces = fields.flatMap(
    ({ name, value, fileName, type }): (Text[number] | { file: string })[] => {
      const isFile = "file" in value;
      const shownName = fileName ?? (isFile ? value.file.replace(/^.*\//, "") : undefined);
      return [
        `--${boundary}\r\nContent-Disposition: form-data; name="`,
        ...name.map((part) => (typeof part === "string" ? escapeName(part) : part)),
        shownName === undefined ? '"' : `"; filename="${escapeName(shownName)}"`,
        type === undefined ? "" : `\r\nContent-Type: ${type.replace(/[\r\n]+/g, " ")}`,
        "\r\n\r\n",
        ...(isFile ? [value] : value.map(withLineEnds)),
        "\r\n",
      ];
    },
  );
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: { kind: "text", pieces: [...pieces, `--${boundary}--\r\n`] },
  };
}

/** Browsers send the line breaks of a field as CRLF (HTML standard, 4.10.21.8). */
function withLineEnds(part: Text[number]): Text[number] {
  return typeof part === "string" ? part.replace(/\r\n?|\n/g, "\r\n") : part;
}

/** As browsers escape the names of a form. */
function escapeName(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** The path of a file beside the document, for any path of a source: it leads to no other folder. */
export function filePath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  const isInside = !/^(?:[\\/~]|[A-Za-z]:)/.test(path) && !parts.includes("..");
  const kept = isInside ? parts : parts.slice(-1);
  const safe = kept.map((part) => part.replace(/[\p{Cc}{}<>:"|?*]+/gu, "_").trim()).filter(Boolean);
  return `./${safe.join("/") || "file"}`;
}
