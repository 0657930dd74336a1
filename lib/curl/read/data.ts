import type { State } from "./state.ts";
import type { Report, Word } from "./word.ts";

/** Adds the value of `-d`, `--data-binary` or `--json`; `@path` names a file. */
export function addData(
  state: State,
  value: string,
  word: Word,
  report: Report,
  kind: "text" | "binary" | "json" = "text",
): void {
  if (!value.startsWith("@")) {
    // curl joins the values of --json directly, others with an ampersand.
    if (kind === "json" && state.data.length > 0) state.data.push(`${state.data.pop()}${value}`);
    else state.data.push(value);
    return;
  }
  const path = value.slice(1);
  if (path === "-") {
    report(
      word.span,
      "Reading the body from standard input is not supported",
      "Write the body in the command",
    );
  } else if (kind === "text" && !state.isJson && !/\.json$/i.test(path)) {
    // Only in JSON do line breaks not matter.
    const hint = "Write --data-binary to send the file as it is";
    report(word.span, `curl would strip the line breaks from "${path}"`, hint);
  } else state.dataFile = path;
}

/** Encodes a value of `--data-urlencode`: `content`, `=content`, `name=content`, `@file`, `name@file`. */
export function encodeData(value: string, word: Word, report: Report): string | undefined {
  const at = value.search(/[=@]/);
  if (at >= 0 && value[at] === "@") {
    const hint = "Write its content instead";
    report(word.span, `Encoding the file "${value.slice(at + 1)}" is not supported`, hint);
    return undefined;
  }
  const name = at < 0 ? "" : value.slice(0, at);
  const content = value.slice(at + 1);
  return `${name === "" ? "" : `${name}=`}${encode(content)}`;
}

/** Placeholders are encoded when they are rendered: `{{%name}}`. */
function encode(text: string): string {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, index) =>
      index % 2 === 1 ? part.replace(/^\{\{(?!\s*%)/, "{{%") : encodePlain(part),
    )
    .join("");
}

function encodePlain(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, "\ufffd");
  return encodeURIComponent(wellFormed)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}
