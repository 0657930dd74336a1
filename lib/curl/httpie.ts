import { type CurlField, type CurlPiece, emptyState, type State } from "./command.ts";
import { encode } from "./data.ts";
import { EFFECTS } from "./effects.ts";
import { nameOfFile, typeOfFile } from "./file-names.ts";
import { addMember, type JsonNode, quoteJson, writeNode } from "./httpie-json.ts";
import { commandStart, type ParsedCurl, withoutFaults } from "./reader.ts";
import { toCommand } from "./to-command.ts";
import { type Report, splitWords, type Word } from "./words.ts";

/**
 * A line that begins a command of HTTPie: `http :8787/users name=Ada`, `https -f POST example.org a=1`. Neither
 * `http in all` nor `http = 1` does.
 */
export const HTTPIE: RegExp =
  /^\s*(?:\$\s+)?https?[ \t]+(?:--[a-z]|-[A-Za-z]\S*[ \t]+\S|(?:(?:[A-Z]+|get|post|put|patch|delete|head|options)[ \t]+)?["']?(?::|\{\{|https?:\/\/|localhost(?=[:/\s]|$)|[\w-]+(?:\.[\w-]+)+(?=[:/\s]|$)))/;

/**
 * Parses a command of HTTPie. An option that is not supported, or an item that cannot be read, is a fault.
 *
 * @param source The text.
 * @param start The offset of the command.
 * @param onFault Called with each fault.
 * @see https://httpie.io/docs/cli/request-items
 */
export function parseHttpie(source: string, start: number, onFault: Report): ParsedCurl {
  return withoutFaults(onFault, (report) => {
    const begin = commandStart(source, start);
    const { words, next } = splitWords(source, begin, report);
    const [program, ...rest] = words;
    const span = { start: begin, end: words.at(-1)?.span.end ?? begin };
    const parts = readWords(rest, report);
    if (parts.url === undefined) {
      report(span, "No URL is given", "Write http URL, for example :8787/users");
      return { command: undefined, next };
    }
    const scheme = program?.text === "https" ? "https" : "http";
    const url = { ...parts.url, text: completeUrl(parts.url.text, scheme) };
    return { command: toCommand(toState(parts, url, report), span, report), next };
  });
}

function toState(parts: Parts, url: Word, report: Report): State {
  const { method, items, auth, authType } = parts;
  const state = emptyState();
  Object.assign(state, { isLiteral: true, isCompressed: true });
  for (const { name, value, word } of parts.options) EFFECTS[name]?.(state, value, word, report);
  state.urls.push(url);
  if (auth !== undefined) authorize(state, auth, authType, report);
  for (const { separator, name, value, word } of items) {
    if (separator === ":") {
      // Without a value it also removes those before it.
      const others = state.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
      if (value === "") state.headers.splice(0, Number.POSITIVE_INFINITY, ...others);
      EFFECTS["header"]?.(state, value === "" ? `${name}:` : `${name}: ${value}`, word, report);
    } else if (separator === ";") EFFECTS["header"]?.(state, `${name};`, word, report);
    else if (separator === ":@" || separator === "==@") {
      report(word.span, `"${name}${separator}" is not supported`, "Write the value itself");
    }
  }
  const query = byName(items.filter(({ separator }) => separator === "=="));
  for (const { name, value } of query) {
    state.query.push([{ text: `${encode(name)}=${encode(value)}` }]);
  }
  const hasBody = addBody(state, parts, report);
  state.method = method ?? (hasBody ? "POST" : "GET");
  return state;
}

function authorize(state: State, auth: Word, type: string, report: Report): void {
  if (type === "bearer") EFFECTS["oauth2-bearer"]?.(state, auth.text, auth, report);
  else if (type === "basic" || type === "digest") {
    state.user = auth.text;
    state.scheme = type;
  } else {
    const hint = "Use basic, digest or bearer";
    report(auth.span, `The authentication "${type}" is not supported`, hint);
  }
}

/** HTTPie's shorthands: `:8787/users` and `:/users` for localhost, `://example.org` as it was pasted. */
function completeUrl(url: string, scheme: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("{{")) return url;
  if (url.startsWith("://")) return `${scheme}${url}`;
  const [, port, rest = ""] = /^:(\d*)((?:[/?#][\s\S]*)?)$/.exec(url) ?? [];
  if (port === undefined) return `${scheme}://${url}`;
  return `${scheme}://localhost${port === "" ? "" : `:${port}`}${rest}`;
}

const OF_HEAD: ReadonlySet<Separator> = new Set([":", ";", "==", ":@", "==@"]);
const JSON_TYPE = "application/json";

/** Adds the body and the headers that HTTPie sends with it; returns whether there is a body. */
function addBody(state: State, parts: Parts, report: Report): boolean {
  const { kind, isAsked, raw } = parts;
  const fields = byName(parts.items.filter(({ separator }) => !OF_HEAD.has(separator)));
  const [first, second] = fields;
  const whole = fields.find(({ separator, name }) => separator === "@" && name === "");
  if (first !== undefined && (raw !== undefined || (whole !== undefined && second !== undefined))) {
    const what = whole === undefined ? "--raw" : `@${whole.value}`;
    report((whole ?? first).word.span, `${what} is the whole body`, "Remove the other items");
  }
  const isMultipart =
    whole === undefined &&
    (kind === "multipart" || fields.some(({ separator }) => separator === "@"));
  const hasBody = first !== undefined || raw !== undefined;
  const isJson = kind === "json" && !isMultipart;
  if (isJson && (isAsked || hasBody)) {
    state.made.set("Accept", `${JSON_TYPE}, */*;q=0.5`).set("Content-Type", JSON_TYPE);
  }
  if (kind === "form" && !isMultipart) {
    state.made.set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  }
  if (raw !== undefined) state.data.push([{ text: raw.text }]);
  else if (whole !== undefined) {
    const type = typeOfFile(whole.value);
    if (type !== undefined) state.made.set("Content-Type", type);
    state.data.push([{ path: whole.value }]);
  } else if (isMultipart) state.fields.push(...fields.map((item) => toPart(item, report)));
  else if (isJson && first !== undefined) state.data.push([...toJson(fields, report)]);
  else state.data.push(...fields.map((item) => toField(item, report)));
  return hasBody;
}

/** A part of a multipart form: `name@file;type`, `name=text`, `name=@file` for its text. */
function toPart(item: Item, report: Report): CurlField {
  const { separator, name, value } = item;
  if (separator === "=@" || separator === ":=@") return { name, value: { path: value } };
  if (separator !== "@") return { name, value: { text: textOf(item, report) } };
  const [path = "", written] = value.split(";", 2);
  const type = (written ?? "").replace(/^type=/, "") || typeOfFile(path);
  return { name, value: { path }, fileName: nameOfFile(path), ...(type && { type }) };
}

/** The items with a repeated name behind its first one, as HTTPie sends fields and a query. */
function byName(items: readonly Item[]): readonly Item[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.name) ?? [];
    group.push(item);
    groups.set(item.name, group);
  }
  return [...groups.values()].flat();
}

/** A field of a form. */
function toField(item: Item, report: Report): CurlPiece[] {
  const { separator, name, value } = item;
  const head = { text: `${encode(name)}=` };
  if (separator === "=@" || separator === ":=@") return [head, { path: value, change: "encoded" }];
  return [head, { text: encode(textOf(item, report)) }];
}

/** The text of a value in a form. */
function textOf({ separator, name, value, word }: Item, report: Report): string {
  if (separator !== ":=") return value;
  if (/^\s*[[{](?!\{)/.test(value)) {
    report(word.span, `The value of "${name}" is no text for a form`, "Write it with = as text");
  }
  return value.trim().replace(/^"(.*)"$/s, "$1");
}

/** The members of a JSON body, whose names may be nested: `user[tags][]=a`. */
function toJson(fields: readonly Item[], report: Report): readonly CurlPiece[] {
  let root: JsonNode | undefined;
  for (const { separator, name, value, word } of fields) {
    const pieces: readonly CurlPiece[] =
      separator === "="
        ? [{ text: quoteJson(value) }]
        : separator === "=@"
          ? [{ text: '"' }, { path: value, change: "json" }, { text: '"' }]
          : separator === ":=@"
            ? [{ path: value }]
            : [{ text: value.trim() }];
    if (separator === ":=" && !value.includes("{{") && !isJson(value)) {
      const hint = "Write text with = in place of :=";
      report(word.span, `The value of "${name}" is not JSON`, hint);
    }
    root = addMember(root, name, pieces, (message, hint) => report(word.span, message, hint));
  }
  return root === undefined ? [] : writeNode(root);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A request item of HTTPie: `name=value`, `Header:value` and their kin. */
interface Item {
  readonly separator: Separator;
  readonly name: string;
  readonly value: string;
  readonly word: Word;
}

/** Of two that begin at the same place, the longer one counts. */
const SEPARATORS = [":=@", "==@", "=@", ":@", ":=", "==", "@", "=", ":", ";"] as const;

type Separator = (typeof SEPARATORS)[number];

/**
 * Parses a request item as HTTPie does: the first separator that no backslash precedes counts.
 *
 * @returns `undefined` for a word without a separator.
 */
function parseItem(word: Word): Item | undefined {
  const { text } = word;
  let name = "";
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1];
    if (text[at] === "\\" && next !== undefined) {
      name += /[:=@;]/.test(next) ? next : `\\${next}`;
      at += 1;
      continue;
    }
    const separator = SEPARATORS.find((it) => text.startsWith(it, at));
    // A semicolon is one only at the end: `Header;`.
    if (separator === undefined || (separator === ";" && at < text.length - 1)) name += text[at];
    else {
      const value = text.slice(at + separator.length).replace(/\\([:=@;])/g, "$1");
      return { separator, name, value, word };
    }
  }
  return undefined;
}

/** A command line of HTTPie, with some of its options as those of curl. */
interface Parts {
  method?: string;
  url?: Word;
  kind: "json" | "form" | "multipart";
  /** Whether `--json` is written. */
  isAsked?: boolean;
  raw?: Word;
  authType: string;
  auth?: Word;
  readonly options: { readonly name: string; readonly value: string; readonly word: Word }[];
  readonly items: Item[];
}

/** Reads the words after `http`. */
function readWords(words: readonly Word[], report: Report): Parts {
  const parts: Parts = { kind: "json", authType: "basic", options: [], items: [] };
  const positionals: Word[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    if (!/^-./.test(word.text)) {
      positionals.push(word);
      continue;
    }
    const [, name = word.text, attached] = /^(--[^=]+)=([\s\S]*)$/.exec(word.text) ?? [];
    const option = OPTIONS[name];
    if (option === undefined) {
      const hint = "Write the request as curl, or as text";
      report(word.span, `The option "${name}" of HTTPie is not supported`, hint);
      continue;
    }
    if (!option.takesValue) {
      option.apply(parts, word);
      continue;
    }
    const value = attached === undefined ? words[++index] : { ...word, text: attached };
    if (value === undefined) report(word.span, `The option "${name}" has no value`, "Write one");
    else option.apply(parts, value);
  }
  const [first] = positionals;
  if (/^[A-Za-z]+$/.test(first?.text ?? "") && isUrl(positionals[1])) {
    parts.method = (positionals.shift()?.text ?? "").toUpperCase();
  }
  const [url, ...rest] = positionals;
  if (url !== undefined) parts.url = url;
  for (const word of rest) {
    const item = parseItem(word);
    const hint = "Write name=value, name:=json, Header:value, name==query or name@file";
    if (item === undefined) report(word.span, `"${word.text}" is not a request item`, hint);
    else parts.items.push(item);
  }
  return parts;
}

/** Whether a word after the first can be a URL: `http get name=x` has none. */
function isUrl(word: Word | undefined): boolean {
  return (
    word !== undefined &&
    (parseItem(word) === undefined || /^:|\/\/|^[\w.-]+(?::\d|\/)|^\{\{/.test(word.text))
  );
}

interface Option {
  readonly takesValue: boolean;
  /** Takes the word of the option, or that of its value. */
  readonly apply: (parts: Parts, word: Word) => void;
}

const flag = (apply: Option["apply"]): Option => ({ takesValue: false, apply });
const valued = (apply: Option["apply"]): Option => ({ takesValue: true, apply });
/** An option that curl has as well. */
const passed = (name: string): Option =>
  valued(({ options }, word) => void options.push({ name, value: word.text, word }));
const kind = (to: Parts["kind"]): Option =>
  flag((parts) => {
    parts.kind = to;
    parts.isAsked = to === "json";
  });

const auth = valued((parts, word) => {
  parts.auth = word;
});
const authType = valued((parts, { text }) => {
  parts.authType = text;
});
const follow = flag(
  ({ options }, word) => void options.push({ name: "location", value: "", word }),
);
/** What is shown of the answer is not part of the request. */
const shown = flag(() => undefined);
const shownAs = valued(() => undefined);

/** An option by each of its names. */
const named = (names: string, option: Option): Readonly<Record<string, Option>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, option]));

const OPTIONS: Readonly<Record<string, Option>> = {
  "-j": kind("json"),
  "--json": kind("json"),
  "-f": kind("form"),
  "--form": kind("form"),
  "--multipart": kind("multipart"),
  "--raw": valued((parts, word) => {
    parts.raw = word;
  }),
  "-a": auth,
  "--auth": auth,
  "-A": authType,
  "--auth-type": authType,
  "-F": follow,
  "--follow": follow,
  "--max-redirects": passed("max-redirs"),
  "--timeout": passed("max-time"),
  "-o": passed("output"),
  "--output": passed("output"),
  "--cert": passed("cert"),
  "--cert-key": passed("key"),
  "--cert-key-pass": passed("pass"),
  "--path-as-is": flag(
    ({ options }, word) => void options.push({ name: "path-as-is", value: "", word }),
  ),
  "--verify": valued(({ options }, word) => {
    const { text } = word;
    if (/^(?:no|false)$/i.test(text)) options.push({ name: "insecure", value: "", word });
    else if (!/^(?:yes|true)$/i.test(text)) options.push({ name: "cacert", value: text, word });
  }),
  // `http:http://127.0.0.1:3128`
  "--proxy": valued(({ options }, word) => {
    options.push({ name: "proxy", value: word.text.replace(/^\w+:(?=\w+:)/, ""), word });
  }),
  ...named("-I --ignore-stdin -v --verbose -h --headers -b --body -q --quiet", shown),
  ...named("-S --stream --check-status", shown),
  ...named("-p --print --pretty -s --style", shownAs),
};
