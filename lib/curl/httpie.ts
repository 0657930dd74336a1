import { escapeBraces } from "../interpolation/mod.ts";

/**
 * Translates the words after `http` into the arguments of a curl command.
 *
 * @param scheme Of a URL that has none: `http`, or `https` for the command of that name.
 * @param readText Reads the files of `name=@path` and `name:=@path`.
 * @throws {HttpieError} An option or an item is not supported, or a file is not JSON.
 */
export async function httpieToCurl(
  words: readonly string[],
  scheme: "http" | "https",
  readText: ReadText,
): Promise<readonly string[]> {
  const parts = readWords(words);
  const { method, url, options, items, auth, authType } = parts;
  if (url === undefined)
    throw new HttpieError("No URL is given: write http URL, for example :8787/users");
  const data = await dataOf(parts, readText);
  return [
    "-g",
    "--compressed",
    ...(method === undefined ? [] : ["-X", method]),
    completeUrl(url, scheme),
    ...options,
    ...(auth === undefined ? [] : authOptions(auth, authType)),
    ...items.flatMap((item) => HEAD[item.separator]?.(item) ?? []),
    ...data,
  ];
}

function authOptions(value: string, type: string): readonly string[] {
  if (type === "bearer") return ["--oauth2-bearer", value];
  if (type === "digest") return ["--digest", "-u", value];
  if (type === "basic") return ["-u", value];
  throw new HttpieError(
    `The authentication "${type}" is not supported: use basic, digest or bearer`,
  );
}

/** HTTPie's shorthands: `:8787/users` and `:/users` for localhost, `://example.org` as it was pasted. */
function completeUrl(url: string, scheme: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("{{")) return url;
  if (url.startsWith("://")) return `${scheme}${url}`;
  const [, port, rest = ""] = /^:(\d*)((?:[/?#][\s\S]*)?)$/.exec(url) ?? [];
  if (port === undefined) return `${scheme}://${url}`;
  return `${scheme}://localhost${port === "" ? "" : `:${port}`}${rest}`;
}

/** Reads the text of a file. */
type ReadText = (path: string) => Promise<string>;

/** The arguments of curl for headers and the query. */
const HEAD: { readonly [S in Separator]?: (item: Item) => readonly string[] } = {
  ":": ({ name, value }) => ["-H", value === "" ? `${name}:` : `${name}: ${value}`],
  ";": ({ name }) => ["-H", `${name};`],
  "==": ({ name, value }) => ["--url-query", `${name}=${value}`],
};

const REFUSED: ReadonlySet<Separator> = new Set([":@", "==@"]);

/** The arguments of curl for the body. */
async function dataOf({ kind, items }: Parts, readText: ReadText): Promise<readonly string[]> {
  const refused = items.find(({ separator }) => REFUSED.has(separator));
  if (refused !== undefined) {
    const { name, separator, value } = refused;
    throw new HttpieError(`"${name}${separator}${value}" is not supported: write the value itself`);
  }
  const fields = items.filter(({ separator }) => HEAD[separator] === undefined);
  if (fields.length === 0) return [];
  const whole = fields.find(({ separator, name }) => separator === "@" && name === "");
  if (whole !== undefined) {
    if (fields.length > 1) {
      throw new HttpieError(`"@${whole.value}" is the whole body: remove the other items`);
    }
    const type = whole.value.endsWith(".json") ? "application/json" : "application/octet-stream";
    return [
      ...(hasHeader(items, "content-type") ? [] : ["-H", `Content-Type: ${type}`]),
      "--data-binary",
      `@${whole.value}`,
    ];
  }
  if (kind === "multipart" || fields.some(({ separator }) => separator === "@")) {
    return (await Promise.all(fields.map((item) => toPart(item, readText)))).flat();
  }
  if (kind === "form") return fields.flatMap(toField);
  const members = await Promise.all(fields.map((item) => toMember(item, readText)));
  const accept = hasHeader(items, "accept") ? [] : ["-H", "Accept: application/json, */*;q=0.5"];
  return [...accept, "--json", `{${members.join(", ")}}`];
}

function hasHeader(items: readonly Item[], lowerName: string): boolean {
  return items.some(
    ({ separator, name }) => /^[:;]$/.test(separator) && name.toLowerCase() === lowerName,
  );
}

async function toPart(
  { separator, name, value }: Item,
  readText: ReadText,
): Promise<readonly string[]> {
  if (separator === "@") return ["-F", `${name}=@${value}`];
  const text = separator.endsWith("@") ? escapeBraces(await readText(value)) : value;
  if (text.includes("\0")) {
    throw new HttpieError(`The file "${value}" has NUL: send it as a file, with ${name}@${value}`);
  }
  return ["--form-string", `${name}=${text}`];
}

function toField({ separator, name, value }: Item): readonly string[] {
  const isFile = separator === "=@" || separator === ":=@";
  return ["--data-urlencode", isFile ? `${name}@${value}` : `${name}=${value}`];
}

async function toMember({ separator, name, value }: Item, readText: ReadText): Promise<string> {
  if (/\[.*\]$/.test(name)) {
    const key = name.replace(/\[.*$/, "") || "name";
    throw new HttpieError(`The nested name "${name}" is not supported: write ${key}:='{…}'`);
  }
  const key = JSON.stringify(name);
  if (separator === "=") return `${key}: ${quote(value)}`;
  if (separator === "=@") return `${key}: ${escapeJson(JSON.stringify(await readText(value)))}`;
  if (separator === ":=@")
    return `${key}: ${escapeJson(checkJson(await readText(value), `The file "${value}"`))}`;
  return `${key}: ${value.includes("{{") ? value : checkJson(value, `The value of "${name}"`)}`;
}

function checkJson(text: string, what: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw new HttpieError(`${what} is not JSON: write text with = in place of :=`);
  }
  return text.trim();
}

/** A JSON string in which placeholders stay as they are. */
function quote(text: string): string {
  const parts = text.split(/(\{\{[^{}]*\}\})/);
  return `"${parts.map((part, index) => (index % 2 === 1 ? part : JSON.stringify(part).slice(1, -1))).join("")}"`;
}

/** Double braces of a file are not placeholders. In JSON they occur in strings alone. */
const escapeJson = (json: string): string => json.replace(/\{(?=\{)/g, "\\u007b");

/** A request item of HTTPie: `name=value`, `Header:value` and their kin. */
interface Item {
  readonly separator: Separator;
  readonly name: string;
  readonly value: string;
}

/** Of two that begin at the same place, the longer one counts. */
const SEPARATORS = [":=@", "==@", "=@", ":@", ":=", "==", "@", "=", ":", ";"] as const;

type Separator = (typeof SEPARATORS)[number];

/**
 * Parses a request item as HTTPie does: the first separator that no backslash precedes counts.
 *
 * @returns `undefined` for a word without a separator.
 * @see https://httpie.io/docs/cli/request-items
 */
function parseItem(word: string): Item | undefined {
  let name = "";
  for (let at = 0; at < word.length; at++) {
    const next = word[at + 1];
    if (word[at] === "\\" && next !== undefined && /[\\:=@;]/.test(next)) {
      name += next;
      at += 1;
      continue;
    }
    const separator = SEPARATORS.find((it) => word.startsWith(it, at));
    // A semicolon is one only at the end: `Header;`.
    if (separator === undefined || (separator === ";" && at < word.length - 1)) name += word[at];
    else return { separator, name, value: word.slice(at + separator.length) };
  }
  return undefined;
}

/** A command line of HTTPie, with its options as arguments of curl. */
interface Parts {
  method?: string;
  url?: string;
  kind: "json" | "form" | "multipart";
  authType: string;
  auth?: string;
  readonly options: string[];
  readonly items: Item[];
}

/** Reads the words after `http`. */
function readWords(words: readonly string[]): Parts {
  const parts: Parts = { kind: "json", authType: "basic", options: [], items: [] };
  const positionals: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!/^-./.test(word)) {
      positionals.push(word);
      continue;
    }
    const [, name = word, attached] = /^(--[^=]+)=([\s\S]*)$/.exec(word) ?? [];
    const option = OPTIONS[name];
    if (option === undefined) {
      const hint = "write the request as restlab GET URL with options of curl";
      throw new HttpieError(`The option "${name}" of HTTPie is not supported: ${hint}`);
    }
    if (!option.takesValue) {
      option.apply(parts, "");
      continue;
    }
    const value = attached ?? words[++index];
    if (value === undefined) throw new HttpieError(`The option "${name}" has no value`);
    option.apply(parts, value);
  }
  const hasMethod = /^[A-Za-z]+$/.test(positionals[0] ?? "") && isUrl(positionals[1]);
  if (hasMethod) parts.method = (positionals.shift() ?? "").toUpperCase();
  const [url, ...rest] = positionals;
  if (url !== undefined) parts.url = url;
  for (const word of rest) {
    const item = parseItem(word);
    if (item === undefined) {
      throw new HttpieError(
        `"${word}" is not a request item: write name=value, name:=json, Header:value, name==query or name@file`,
      );
    }
    parts.items.push(item);
  }
  return parts;
}

/** Whether a word after the first can be a URL: `http get name=x` has none. */
function isUrl(word: string | undefined): boolean {
  return (
    word !== undefined &&
    (parseItem(word) === undefined || /^:|\/\/|^[\w.-]+(?::\d|\/)|^\{\{/.test(word))
  );
}

interface Option {
  readonly takesValue: boolean;
  readonly apply: (parts: Parts, value: string) => void;
}

const flag = (apply: (parts: Parts) => void): Option => ({ takesValue: false, apply });
const valued = (apply: Option["apply"]): Option => ({ takesValue: true, apply });
const passed = (name: string): Option =>
  valued(({ options }, value) => void options.push(name, value));
const kind = (to: Parts["kind"]): Option =>
  flag((parts) => {
    parts.kind = to;
  });
const none: Option = flag(() => undefined);

const auth = valued((parts, value) => {
  parts.auth = value;
});
const authType = valued((parts, value) => {
  parts.authType = value;
});
const follow = flag(({ options }) => void options.push("-L"));

const OPTIONS: Readonly<Record<string, Option>> = {
  "-j": none,
  "--json": none,
  "-f": kind("form"),
  "--form": kind("form"),
  "--multipart": kind("multipart"),
  "-a": auth,
  "--auth": auth,
  "-A": authType,
  "--auth-type": authType,
  "-F": follow,
  "--follow": follow,
  "--max-redirects": passed("--max-redirs"),
  "-o": passed("-o"),
  "--output": passed("-o"),
  "--raw": passed("--data-raw"),
  "--cert": passed("--cert"),
  "--cert-key": passed("--key"),
  "--verify": valued(({ options }, value) => {
    if (/^(?:no|false)$/i.test(value)) options.push("-k");
    else if (!/^(?:yes|true)$/i.test(value)) options.push("--cacert", value);
  }),
  // `http:http://127.0.0.1:3128`
  "--proxy": valued(
    ({ options }, value) => void options.push("-x", value.replace(/^\w+:(?=\w+:)/, "")),
  ),
  "-I": none,
  "--ignore-stdin": none,
};

/** A command line of HTTPie cannot be translated; the message says why and what to do. */
export class HttpieError extends Error {
  override readonly name = "HttpieError";
}
