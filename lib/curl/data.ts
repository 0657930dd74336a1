import { hasBytes, splitBytes } from "./bytes.ts";
import type { CurlPiece, State } from "./command.ts";
import type { Report, Word } from "./words.ts";

/** Adds the value of `-d`, `--data-binary` or `--json`; `@path` names a file. */
export function addData(
  state: State,
  value: string,
  word: Word,
  report: Report,
  kind: "text" | "binary" | "json" = "text",
): void {
  const change = kind === "text" ? "unbroken" : undefined;
  const piece = value.startsWith("@")
    ? readFile(state, value.slice(1), change, word, report)
    : { text: value };
  const last = state.data.at(-1);
  // curl joins the values of --json directly, others with an ampersand.
  if (kind === "json" && last !== undefined) last.push(piece);
  else state.data.push([piece]);
}

type Change = Extract<CurlPiece, { path: string }>["change"];

/** How the text of standard input is changed, as that of a file. */
const CHANGES: Readonly<Record<NonNullable<Change>, (text: string) => string>> = {
  unbroken: (text) => text.replace(/[\r\n\0]/g, ""),
  encoded: encode,
  json: (text) => JSON.stringify(text).slice(1, -1),
};

function readFile(
  { input }: State,
  path: string,
  change: Change,
  word: Word,
  report: Report,
): CurlPiece {
  if (hasBytes(path)) refuseBytes(word, report);
  if (path === "-" && input !== undefined) {
    return { text: change === undefined ? input : CHANGES[change](input) };
  }
  if (path === "-") {
    report(
      word.span,
      "Reading the body from standard input is not supported",
      "Write the body in the command, or the path of a file",
    );
  }
  return { path, change };
}

/** Reports bytes that belong to no character where a text is needed. They are not quoted: they may be a secret. */
export function refuseBytes({ span }: Word, report: Report): void {
  const hint =
    "Write the character itself, or \\u and its number. The data of a request may have such bytes";
  report(
    span,
    "The value has bytes that are not UTF-8: only the data of a request can have them",
    hint,
  );
}

/** Reads a value of `--data-urlencode`: `content`, `=content`, `name=content`, `@file`, `name@file`. */
export function encodeData(state: State, value: string, word: Word, report: Report): CurlPiece[] {
  const at = value.search(/[=@]/);
  const name = at < 0 ? "" : value.slice(0, at);
  const content = value.slice(at + 1);
  const head = name === "" ? "" : `${name}=`;
  if (value[at] !== "@") return [{ text: `${head}${encode(content)}` }];
  return [{ text: head }, readFile(state, content, "encoded", word, report)];
}

/** The pieces of all values, joined as in a form; neighbouring texts are one. */
export function joinData(data: readonly (readonly CurlPiece[])[]): readonly CurlPiece[] {
  const joined: CurlPiece[] = [];
  for (const [index, pieces] of data.entries()) {
    const separator = index === 0 ? [] : [{ text: "&" }];
    for (const piece of [...separator, ...pieces]) {
      const last = joined.at(-1);
      if (last !== undefined && "text" in last && "text" in piece) {
        joined[joined.length - 1] = { text: last.text + piece.text };
      } else joined.push(piece);
    }
  }
  return joined;
}

/** The pieces of the query of a URL, which has no bytes, and of a file only what `--data-urlencode` makes of it. */
export function queryOf(
  data: readonly (readonly CurlPiece[])[],
  span: Word["span"],
  report: Report,
): readonly CurlPiece[] {
  const pieces = joinData(data);
  for (const piece of pieces) {
    if ("text" in piece) {
      if (hasBytes(piece.text)) refuseBytes({ text: "", span }, report);
    } else if (piece.change !== "encoded") {
      const hint = "Write --data-urlencode @file, which encodes it";
      report(span, `The file "${piece.path}" cannot be in a URL as it is`, hint);
    }
  }
  return pieces;
}

/** Percent-encodes a text as in a form. Placeholders are encoded when they are rendered: `{{%name}}`. */
export function encode(text: string): string {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, index) =>
      index % 2 === 1 ? part.replace(/^\{\{(?!\s*%)/, "{{%") : encodePlain(part),
    )
    .join("");
}

function encodePlain(text: string): string {
  return splitBytes(text)
    .map((part) =>
      typeof part === "string"
        ? encodeURIComponent(part.toWellFormed())
            .replace(/[!'()*]/g, (character) => percent(character.charCodeAt(0)))
            .replaceAll("%20", "+")
        : Array.from(part, percent).join(""),
    )
    .join("");
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
