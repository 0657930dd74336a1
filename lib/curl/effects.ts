import type { CurlField } from "./command.ts";
import { parseField } from "./field.ts";
import type { Report, Word } from "./words.ts";

/** What the options of a command have come to so far. */
export interface State {
  method: string | undefined;
  readonly urls: Word[];
  readonly headers: (readonly [name: string, value: string])[];
  /** Headers that curl would not add: `-H 'Accept:'`. */
  readonly removed: Set<string>;
  readonly cookies: string[];
  readonly data: string[];
  dataFile: string | undefined;
  readonly fields: CurlField[];
  readonly query: string[];
  uploads: string | undefined;
  isHead: boolean;
  isGet: boolean;
  isJson: boolean;
  isLiteral: boolean;
  follows: boolean;
  user: string | undefined;
  seconds: number | undefined;
  retries: number | undefined;
  output: string | undefined;
  savesByName: boolean;
}

type Effect = (state: State, value: string, word: Word, report: Report) => void;

/** What each option that is used does. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  request: (state, value) => {
    state.method = value;
  },
  header: addHeader,
  data: addData,
  "data-ascii": addData,
  "data-binary": (state, value, word, report) => addData(state, value, word, report, "binary"),
  "data-raw": (state, value) => void state.data.push(value),
  "data-urlencode": (state, value, word, report) => {
    const encoded = encodeData(value, word, report);
    if (encoded !== undefined) state.data.push(encoded);
  },
  json: (state, value, word, report) => {
    state.isJson = true;
    addData(state, value, word, report, "json");
  },
  form: (state, value, word, report) => {
    const field = parseField(value, word, report);
    if (field !== undefined) state.fields.push(field);
  },
  "form-string": (state, value) => {
    const [name = "", ...rest] = value.split("=");
    state.fields.push({ name, value: { text: rest.join("=") } });
  },
  user: (state, value) => {
    state.user = value;
  },
  "oauth2-bearer": (state, value) => void state.headers.push(["Authorization", `Bearer ${value}`]),
  cookie: (state, value, word, report) => {
    if (value.includes("=")) state.cookies.push(value);
    else
      report(word.span, `The cookie file "${value}" is not read`, "Write the cookies themselves");
  },
  "user-agent": (state, value) => void state.headers.push(["User-Agent", value]),
  referer: (state, value) => void state.headers.push(["Referer", value.replace(/;auto$/, "")]),
  head: (state) => {
    state.isHead = true;
  },
  location: (state) => {
    state.follows = true;
  },
  get: (state) => {
    state.isGet = true;
  },
  "upload-file": (state, value) => {
    state.uploads = value;
  },
  url: (state, value, word) => void state.urls.push({ ...word, text: value }),
  "url-query": (state, value, word, report) => {
    const encoded = value.startsWith("+") ? value.slice(1) : encodeData(value, word, report);
    if (encoded !== undefined) state.query.push(encoded);
  },
  range: (state, value) => void state.headers.push(["Range", `bytes=${value}`]),
  globoff: (state) => {
    state.isLiteral = true;
  },
  "max-time": (state, value, word, report) => {
    state.seconds = number(value, word, report);
  },
  retry: (state, value, word, report) => {
    state.retries = number(value, word, report);
  },
  output: (state, value, word, report) => {
    if (value !== "-") state.output = value;
    if (value === "") report(word.span, "The output file has no name", "Write a name behind -o");
  },
  "remote-name": (state) => {
    state.savesByName = true;
  },
  // Fetch asks for compressed answers by itself.
  compressed: () => undefined,
};

function addHeader(state: State, value: string, word: Word, report: Report): void {
  if (value.startsWith("@")) {
    report(
      word.span,
      `The header file "${value.slice(1)}" is not read`,
      "Write the headers themselves",
    );
    return;
  }
  const [, name = "", sign, rest = ""] = /^([^:;]*)([:;]?)([\s\S]*)$/.exec(value) ?? [];
  const text = rest.trim();
  if (name.trim() === "" || sign === "" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim())) {
    report(word.span, `"${value}" is no header`, "Write it as Name: value");
  } else if (sign === ":" && text === "") state.removed.add(name.trim().toLowerCase());
  else state.headers.push([name.trim(), sign === ";" ? "" : text]);
}

function addData(
  state: State,
  value: string,
  word: Word,
  report: Report,
  kind: "text" | "binary" | "json" = "text",
): void {
  if (!value.startsWith("@")) {
    // curl strings the texts of --json together, others with an ampersand.
    if (kind === "json" && state.data.length > 0) state.data.push(`${state.data.pop()}${value}`);
    else state.data.push(value);
    return;
  }
  const path = value.slice(1);
  if (path === "-") {
    report(word.span, "There is no standard input to read the body from", "Write the body itself");
  } else if (kind === "text" && !state.isJson && !/\.json$/i.test(path)) {
    // Line ends mean nothing in JSON; elsewhere they may.
    const hint = "Write --data-binary to send the file as it is";
    report(word.span, `curl would take the line ends out of "${path}"`, hint);
  } else state.dataFile = path;
}

/** `content`, `=content`, `name=content`, `@file`, `name@file`, as curl takes them. */
function encodeData(value: string, word: Word, report: Report): string | undefined {
  const at = value.search(/[=@]/);
  if (at >= 0 && value[at] === "@") {
    const hint = "Write its content in its place";
    report(word.span, `The file "${value.slice(at + 1)}" is not read to be encoded`, hint);
    return undefined;
  }
  const name = at < 0 ? "" : value.slice(0, at);
  const content = value.slice(at + 1);
  return `${name === "" ? "" : `${name}=`}${encode(content)}`;
}

/** Placeholders are encoded when they are filled: `{{%name}}`. */
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
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

function number(value: string, word: Word, report: Report): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  report(word.span, `"${value}" is no number`, "Write a number of seconds, or of repetitions");
  return undefined;
}
