import type { CurlField } from "./command.ts";
import type { Report, Word } from "./word.ts";

/** Parses the value of `-F`: `name=text`, `name=@file;type=…;filename=…`, `name=<file`. */
export function parseField(value: string, word: Word, report: Report): CurlField | undefined {
  const equals = value.indexOf("=");
  if (equals === -1) {
    report(word.span, `"${value}" is not a form field`, "Write it as name=value or name=@file");
    return undefined;
  }
  const name = value.slice(0, equals);
  const sign = /^[@<]/.exec(value.slice(equals + 1))?.[0] ?? "";
  const from = equals + 1 + sign.length;
  const content = /"((?:[^"\\]|\\.)*)"|[^;]*/y;
  content.lastIndex = from;
  const found = content.exec(value);
  const text = found?.[1]?.replace(/\\(["\\])/g, "$1") ?? found?.[0] ?? "";
  const more = readParameters(value.slice(content.lastIndex));
  if (more === undefined) {
    const hint = "Use --form-string name=value for text with semicolons";
    report(word.span, `curl would send only part of the field "${name}"`, hint);
    return undefined;
  }
  if (sign === "@" && text.includes(",")) {
    const hint = "Write one -F for each file";
    report(word.span, `The field "${name}" names several files`, hint);
    return undefined;
  }
  // A file after `<` is sent as text without a file name.
  const fileName = more.filename ?? (sign === "@" ? text.replace(/^.*[/\\]/, "") : undefined);
  const type = more.type ?? (sign === "@" ? "application/octet-stream" : undefined);
  return {
    name,
    value: sign === "" ? { text } : { path: text },
    ...(type === undefined ? {} : { type }),
    ...(fileName === undefined ? {} : { fileName }),
  };
}

interface Parameters {
  type?: string;
  filename?: string;
}

function readParameters(text: string): Parameters | undefined {
  const parameters: Parameters = {};
  let rest = text;
  while (rest.trim() !== "") {
    const found = /^\s*;\s*(type|filename)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/.exec(rest);
    if (found === null) return undefined;
    const [whole, key, quoted, plain = ""] = found;
    parameters[key as keyof Parameters] = quoted?.replace(/\\(["\\])/g, "$1") ?? plain;
    rest = rest.slice(whole.length);
  }
  return parameters;
}
