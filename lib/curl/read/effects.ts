import { CONNECTION_EFFECTS } from "./connection-effects.ts";
import { addData, encodeData } from "./data.ts";
import type { Effect } from "./effect.ts";
import { parseField } from "./field.ts";
import type { State } from "./state.ts";
import type { Report, Word } from "./word.ts";

/** The effects of the options of kind `used`. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  request: (state, value) => {
    state.method = value;
  },
  header: addHeader,
  data: addData,
  "data-ascii": addData,
  "data-binary": (state, value, word, report) => addData(state, value, word, report, "binary"),
  "data-raw": (state, value) => void state.data.push([{ text: value }]),
  "data-urlencode": (state, value, word, report) =>
    void state.data.push(encodeData(value, word, report)),
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
      report(
        word.span,
        `Reading cookies from the file "${value}" is not supported`,
        "Write the cookies in the command",
      );
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
    const isEncoded = value.startsWith("+");
    state.query.push(isEncoded ? [{ text: value.slice(1) }] : encodeData(value, word, report));
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
    if (value === "") report(word.span, "The output file has no name", "Write a name after -o");
  },
  "remote-name": (state) => {
    state.savesByName = true;
  },
  "max-redirs": (state, value, word, report) => {
    // The client has no unlimited number of redirects.
    state.redirectLimit = value === "-1" ? 1000 : number(value, word, report);
  },
  basic: (state) => {
    state.scheme = "basic";
  },
  digest: (state) => {
    state.scheme = "digest";
  },
  "aws-sigv4": (state, value, word, report) => {
    const [provider = "", , region, service] = value.split(":");
    if (provider.toLowerCase() !== "aws") {
      report(word.span, `The signature "${value}" is not supported`, "Use aws:amz");
    }
    state.scheme = "aws";
    state.signedFor = [region && `region:${region}`, service && `service:${service}`]
      .filter(Boolean)
      .join(" ");
  },
  ...CONNECTION_EFFECTS,
  // fetch always accepts compressed responses.
  compressed: () => undefined,
};

function addHeader(state: State, value: string, word: Word, report: Report): void {
  if (value.startsWith("@")) {
    report(
      word.span,
      `Reading headers from the file "${value.slice(1)}" is not supported`,
      "Write the headers in the command",
    );
    return;
  }
  const [, name = "", sign, rest = ""] = /^([^:;]*)([:;]?)([\s\S]*)$/.exec(value) ?? [];
  const text = rest.trim();
  if (name.trim() === "" || sign === "" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim())) {
    report(word.span, `"${value}" is not a header`, "Write it as Name: value");
  } else if (sign === ":" && text === "") state.removed.add(name.trim().toLowerCase());
  else state.headers.push([name.trim(), sign === ";" ? "" : text]);
}

function number(value: string, word: Word, report: Report): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  report(word.span, `"${value}" is not a number`, "Write a number");
  return undefined;
}
