import { isHeaderName, isSecretName } from "../../lib/request/mod.ts";
import { encodeText, filePath } from "./bodies.ts";
import type { CollectionBuilder, Row, Text } from "./collection.ts";
import { hideSecrets } from "./credentials.ts";

/** Reads the text of a source: its variables in place. */
export type ReadText = (text: string) => Text;

/** Variable lines above a request. */
export type Settings = (readonly [name: string, value: Text])[];

/**
 * Reads a URL without its query. A segment `:name` is a variable of the path: its value becomes a variable line.
 *
 * @param pathValue The value of a variable of the path; a segment without one is text.
 */
export function readAddress(
  base: string,
  pathValue: (name: string) => string | undefined,
  settings: Settings,
  read: ReadText,
  builder: CollectionBuilder,
): Text {
  const isWhole = /^(?:[a-z][a-z\d+.-]*:\/\/|\{\{)/i.test(base);
  const parts = `${isWhole ? "" : "http://"}${base || "localhost"}`.split(
    /(?<=[^:/]\/+):([^/?#:{}]+)(?=[/?#]|$)/,
  );
  return parts.flatMap((part, index): Text => {
    if (index % 2 === 0) return read(part);
    const written = pathValue(part);
    if (written === undefined) return [`:${part}`];
    const value = read(written);
    if (value.some((one) => typeof one !== "string")) return value;
    const name = builder.nameOf(part, value.length === 0 ? "collection" : "path");
    if (value.length > 0) settings.push([name, value]);
    return [{ variable: name }];
  });
}

/** A row of a query; one without a value has no `=`. */
export function queryRow(
  key: string,
  value: string | undefined,
  disabled: boolean,
  read: ReadText,
  builder: CollectionBuilder,
): Row {
  const name = encodeQuery(read(key));
  if (value === undefined) return { name: key, value: name, disabled };
  const text = read(value);
  const isLiteral = text.length > 0 && text.every((part) => typeof part === "string");
  const shown = isLiteral && isSecretName(key) ? [builder.secret(key, text)] : encodeQuery(text);
  return { name: key, value: [...name, "=", ...shown], disabled };
}

/** Tools send what is encoded already as it is, and encode the rest. */
function encodeQuery(text: Text): Text {
  return text.map((part) =>
    typeof part === "string"
      ? part.replace(/[#&+\s"'<>]/g, (sign) =>
          sign === "+" ? "+" : (encodeText([sign])[0] as string),
        )
      : part,
  );
}

/** A header; none without a name, or with one that no header can have. */
export function headerRow(
  { name: written, value, disabled = false }: Row,
  where: string,
  builder: CollectionBuilder,
): readonly Row[] {
  const name = written.trim();
  if (name === "") return [];
  if (isHeaderName(name)) return [{ name, value, disabled }];
  builder.remark("left out", where, "No header can have this name");
  return [];
}

/** The headers of a request: the type of its body, those that a person has written, and those of its credentials. */
export function joinHeaders(
  written: readonly Row[],
  body: { readonly type?: string } | undefined,
  credentials: readonly Row[],
  builder: CollectionBuilder,
): readonly Row[] {
  const isMultipart = body?.type?.startsWith("multipart/") === true;
  const isType = ({ name }: Row): boolean => /^content-type$/i.test(name);
  const headers = isMultipart ? written.filter((row) => !isType(row)) : written;
  const hasType = headers.some((row) => isType(row) && row.disabled !== true);
  const type =
    body?.type === undefined || hasType ? [] : [{ name: "Content-Type", value: [body.type] }];
  // A header that a person has written goes before the credentials of the folder.
  const own = new Set(
    headers.filter(({ disabled }) => !disabled).map(({ name }) => name.toLowerCase()),
  );
  const added = credentials.filter(({ name }) => !own.has(name.toLowerCase()));
  return [...hideSecrets([...type, ...headers], builder), ...added];
}

/** A file is looked for beside the document: a path of another machine could be any file of this one. */
export function namedFile(
  path: string,
  where: string,
  builder: CollectionBuilder,
): { readonly file: string } {
  const file = filePath(path);
  builder.remark("changed", where, `The file "${path}" is read from "${file}": put it there`);
  return { file };
}
