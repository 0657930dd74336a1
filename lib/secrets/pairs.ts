import { type Found, isCount, type NameRule, type Place, placeOfMember } from "./names.ts";
import { isHidden, type Stretch } from "./placeholders.ts";

// Stops `"token": "…"` of JSON, whole or cut, of JSON Lines and events, `apiKey = '…'` of programs,
// `login(password: "…")` of GraphQL, `DB_PASSWORD=…` of environment files and `token: …` of YAML.

const NAME =
  /(?:\\{1,7}"([^"\\\r\n]{1,100})\\{1,7}"|"((?:[^"\\\r\n]|\\.){1,100})"|'([^'\\\r\n]{1,100})'|(?<![\w$.:-])([\w$.-]{1,100}))\s{0,100}[:=]/g;
/**
 * A member of JSON, and in its strings a name before a text in quotes, which have backslashes there. The names in
 * between are not tried one by one, which would take most of the time of a long listing.
 */
const MEMBER =
  /(?:\\{1,7}"([^"\\\r\n]{1,100})\\{1,7}"|"((?:[^"\\\r\n]|\\.){1,100})")\s{0,100}:|[:=](?=\s{0,100}\\{1,7}["'])(?<=(?<![\w$.:-])([\w$.-]{1,100})\s{0,100}.)/g;
/** In JSON that stands in a string of JSON, a quote has backslashes before it. */
const QUOTE = /\s{0,100}(\\{0,7})(["'`])/y;
const DIGITS = /\s{0,100}(-?\d[\d.]{0,30})(?=\s{0,20}[,}\]])/y;
const CONTAINER = /\s{0,100}[[{]/y;
const COLON = /\s{0,100}:/y;
const BLANKS = /[ \t]{0,100}/y;
const BARE_END = /[\s"'`{}[\],;|>]|$/g;
const SHORTEST_BARE = 8;
/** What may follow a value without quotes on its line: a comma and a comment. */
const LINE_END = /,?[ \t]{0,100}(?:#[^\r\n]{0,1000})?$/my;

/** A value below a secret name, and the range where it is written, without its quotes. */
export interface Pair extends Stretch {
  readonly value: string;
  /** Whether the text ends before the value does. */
  readonly isCut?: boolean;
}

/**
 * Whether a value is in quotes or a number; may be the rest of a line, too; or may be nested in an object or a
 * list of JSON. Of JSON by its media type only the members are looked at.
 */
type ValueKind = "quoted" | "bare" | "json" | "members";

/** The pairs of a secret name and a value; of a value of another kind the range is empty. */
export function* pairsIn(
  text: string,
  isSecretName: NameRule,
  kind: ValueKind,
): Generator<Pair, void, undefined> {
  // A copy, since a regular expression keeps its position, and the generator may be suspended.
  const names = new RegExp(kind === "members" ? MEMBER : NAME);
  const isJson = kind === "json" || kind === "members";
  const bareValueAt = kind === "bare" ? createBareReader(text) : () => undefined;
  for (let pair = names.exec(text); pair !== null; pair = names.exec(text)) {
    const name = pair[1] ?? pair[2] ?? pair[3] ?? pair[4] ?? "";
    if (!isSecretName(plainTextOf(name))) continue;
    const start = names.lastIndex;
    const quoted = quotedAt(text, start, isJson);
    if (quoted !== undefined) {
      names.lastIndex = quoted.after;
      yield quoted;
      continue;
    }
    const number = matchAt(DIGITS, text, start);
    if (number !== null) {
      const digits = numberAt(number);
      names.lastIndex = digits.end;
      if (!isCount(name)) yield digits;
      continue;
    }
    const bare = bareValueAt(start);
    // A name inside the value is not searched for: each would have the rest of the value as its own.
    if (bare !== undefined) names.lastIndex = bare.end;
    yield bare ?? { start, end: start, value: "" };
    const [opening] = (isJson && matchAt(CONTAINER, text, start)) || [];
    if (opening === undefined) continue;
    const place: Place = { state: "named", takesNumbers: !isCount(name) };
    names.lastIndex = yield* leavesInside(text, start + opening.length - 1, place, isSecretName);
  }
}

function numberAt({ index, 0: whole, 1: value = "" }: RegExpExecArray): Pair {
  const end = index + whole.length;
  return { start: end - value.length, end, value };
}

interface Quoted extends Pair {
  /** The offset after the quote that ends it. */
  readonly after: number;
}

/** A text in quotes. It is not matched by a pattern, which would remember each of its characters. */
function quotedAt(text: string, place: number, orCut: boolean): Quoted | undefined {
  const [whole, escapes = "", quote = ""] = matchAt(QUOTE, text, place) ?? [];
  if (whole === undefined) return undefined;
  const start = place + whole.length;
  const level = escapes.length;
  let end = text.indexOf(quote, start);
  let backslashes = 0;
  for (; end >= 0; end = text.indexOf(quote, end + 1)) {
    backslashes = 0;
    while (end - backslashes > start && text[end - backslashes - 1] === "\\") backslashes++;
    if (quote === "'" && text[end + 1] === "'") end++;
    else if (backslashes < level || backslashes % (2 * level + 2) === level) break;
  }
  const isCut = end < 0;
  if (isCut && !(orCut && quote === '"')) return undefined;
  const after = isCut ? text.length : end + 1;
  // The quote of an outer string ends the value as well.
  end = isCut ? text.length : end - Math.min(backslashes, level);
  const written = text.slice(start, end);
  if (quote === "'" && /[\r\n]/.test(written)) return undefined;
  let value = quote === "'" ? written.replaceAll("''", "'") : written;
  for (let depth = level; depth >= 0; depth = depth === 0 ? -1 : depth >> 1) {
    value = plainTextOf(value);
  }
  return { start, end, value, after, ...(isCut && { isCut }) };
}

/**
 * The texts and numbers of an object or a list below a secret name, but for those beside them, such as a user name.
 *
 * @returns The offset after it.
 */
function* leavesInside(
  text: string,
  opening: number,
  place: Place,
  isSecretName: NameRule,
): Generator<Pair, number, undefined> {
  const tokens = /\\{0,7}"|[[\]{}]|(?<=[[,:\s])(-?\d[\d.]{0,30})(?=\s{0,20}[,}\]])/g;
  tokens.lastIndex = opening;
  const places: Place[] = [];
  let next = place;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [mark] = token;
    const outer = places.at(-1) ?? place;
    if (mark === "[" || mark === "{") places.push(next);
    else if (mark === "]" || mark === "}") {
      places.pop();
      if (places.length === 0) return tokens.lastIndex;
    } else if (mark.endsWith('"')) {
      const quoted = quotedAt(text, token.index, true);
      if (quoted === undefined) continue;
      tokens.lastIndex = quoted.after;
      if (matchAt(COLON, text, quoted.after) !== null) {
        next = placeOfMember(outer, quoted.value, isSecretName);
        continue;
      }
      if (next.state !== "open") yield quoted;
    } else if (next.takesNumbers) yield numberAt(token);
    next = places.at(-1) ?? place;
  }
  return text.length;
}

/**
 * Reads values without quotes at the end of a line, at places that do not decrease. The characters up to
 * the end of a value are searched once, however many names are among them.
 */
function createBareReader(text: string): (start: number) => Pair | undefined {
  let searched = 0;
  let end = 0;
  return (place) => {
    const start = place + (matchAt(BLANKS, text, place)?.[0].length ?? 0);
    if (start >= searched) {
      searched = matchAt(BARE_END, text, start)?.index ?? text.length;
      end = endOfBare(text, start, searched);
    }
    const length = end - start;
    if (length < SHORTEST_BARE) return undefined;
    const value = text.slice(start, end);
    return looksSecret(value) ? { start, end, value } : undefined;
  };
}

/** Where a value without quotes ends: before a comment at the latest; `start` if it does not end its line. */
function endOfBare(text: string, start: number, end: number): number {
  if (matchAt(LINE_END, text, end) !== null) return end;
  const comment = start + text.slice(start, end).lastIndexOf("#");
  return comment > start && matchAt(LINE_END, text, comment) !== null ? comment : start;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** `password: string = "…"`, `token ??= "…"`, `keys = ["…", "…"]` of programs. */
const ASSIGNED =
  /(?<![\w$])([\w$]{1,100})[?!]?\s{0,20}(?::[^=;()"'`\r\n]{1,200})?(?:\?\?|\|\||&&)?=\s{0,20}\[?/g;
const SEPARATOR = /\s{0,20},/y;

/** The secrets of pairs of a name and a value in source code. */
export function findInPairs(text: string, isSecretName: NameRule, found: Found): void {
  for (const { value } of pairsIn(text, isSecretName, "quoted")) found(value);
  for (const { index, 0: whole, 1: name = "" } of text.matchAll(ASSIGNED)) {
    if (!isSecretName(name)) continue;
    let quoted = quotedAt(text, index + whole.length, false);
    while (quoted !== undefined) {
      found(quoted.value);
      const comma = whole.endsWith("[") ? matchAt(SEPARATOR, text, quoted.after) : null;
      quoted = comma === null ? undefined : quotedAt(text, quoted.after + comma[0].length, false);
    }
  }
}

/** Undoes the escapes of a quoted text. */
export function plainTextOf(quoted: string): string {
  if (!quoted.includes("\\")) return quoted;
  try {
    return JSON.parse(`"${quoted.replace(/\\(['`])/g, "$1")}"`) as string;
  } catch {
    // It breaks the rules of JSON: line ends in a template, escapes that are cut.
    return quoted.replace(/\\(["'`\\/])/g, "$1");
  }
}

/** Whether a value is unlike a word: in prose, `Password: incorrect` mentions a password without giving it. */
export function looksSecret(value: string): boolean {
  return !/\s/.test(value) && ((value.length >= 8 && /\d/.test(value)) || value.length >= 20);
}

// Stops `https://ada:password@host`, `?access_token=…`, `#id_token=…` and `password=…` of forms.

/** The secrets of a URL: user information, and parameters with secret names. */
export function findInUrl(url: string, isSecretName: NameRule, found: Found): void {
  // Most URLs have none of these, and every request is searched.
  if (!/[@?#]/.test(url)) return;
  const [, info = "", query = "", fragment = ""] =
    /^(?:[^:/?#]*:\/\/(?:([^/?#]*)@)?)?[^?#]*(?:\?([^#]*))?(?:#([\s\S]*))?/.exec(url) ?? [];
  findInUserInfo(info, found);
  findInForm(query, isSecretName, found);
  findInForm(fragment, isSecretName, found);
}

/** A user name is not a secret, unless it is a token that needs no password. */
const SHORTEST_TOKEN = 16;

function findInUserInfo(info: string, found: Found): void {
  const colon = info.indexOf(":");
  if (colon >= 0 || info.length >= SHORTEST_TOKEN) found(decoded(info.slice(colon + 1)));
}

const FORM_PAIR = /(?<=^|[&;])([^=&;]+)=([^&;]*)/g;

/** The secrets of a form (`application/x-www-form-urlencoded`). */
export function findInForm(text: string, isSecretName: NameRule, found: Found): void {
  for (const { value } of pairsInForm(text, isSecretName)) found(value);
}

/** The values of a form below secret names, one by one: a list of all would be far larger than the form. */
export function* pairsInForm(text: string, isSecretName: NameRule): Generator<Pair> {
  for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.matchAll(FORM_PAIR)) {
    if (!isSecretName(decodedField(name))) continue;
    const start = index + whole.length - value.length;
    const written = value.trimEnd();
    yield { start, end: start + written.length, value: decodedField(written) };
  }
}

/** The secrets of URLs in any text. */
export function findInUrls(text: string, isSecretName: NameRule, found: Found): void {
  for (const { start, end } of locateInUrls(text, isSecretName)) {
    const value = text.slice(start, end);
    if (text[end] === "@") findInUserInfo(value, found);
    else found(decodedField(value));
  }
}

// No part begins within another one, so matching takes linear time.
const USER_INFO = /:\/\/([^\s/?#@"'<>\\{}]+)@/g;
const PARAMETER = /[?&;#]([\w.~%[\]$-]{1,64})=([^&\s"'<>#;\\`)\]]+)/g;

/**
 * The ranges that are secret by their place in a URL, whether known or not: user information, and
 * parameters with secret names. Those with a placeholder or a mask are left out.
 */
export function locateInUrls(text: string, isSecretName: NameRule): readonly Stretch[] {
  const found: Stretch[] = [];
  const push = (end: number, value: string): void => {
    if (!isHidden(value)) found.push({ start: end - value.length, end });
  };
  if (text.includes("@") && text.includes("://")) {
    for (const { index, 0: whole, 1: value = "" } of text.matchAll(USER_INFO)) {
      push(index + whole.length - 1, value);
    }
  }
  if (text.includes("=")) {
    for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.matchAll(PARAMETER)) {
      if (isSecretName(decodedField(name))) push(index + whole.length, value);
    }
  }
  return found;
}

/** Decodes a name or a value of a form or a query. */
function decodedField(text: string): string {
  return decoded(text.replaceAll("+", " "));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken escapes are kept as they are.
    return text;
  }
}
