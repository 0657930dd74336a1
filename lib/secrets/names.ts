import {
  isDate,
  isNumberText,
  membersOf,
  readable,
  stepText,
  tagOf,
} from "../interpolation/mod.ts";
import { HIDDEN } from "./placeholders.ts";

/**
 * Names whose values are secrets, in plain words. They apply in camel case, snake case and kebab
 * case, after any other words (`githubToken`, `DB_PASSWORD`, `x-api-key`) and before a word that
 * changes nothing (`tokenValue`, `secret2`). A name that only refers to a secret does not count:
 * `tokenType`, `passwordPolicy`, `nextPageToken`.
 *
 * @example
 * ```ts
 * SECRET_NAMES.includes("api key"); // true
 * ```
 */
export const SECRET_NAMES: readonly string[] = [
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "pass",
  "pwd",
  "api key",
  "access key",
  "secret key",
  "private key",
  "shared key",
  "signing key",
  "encryption key",
  "subscription key",
  "account key",
  "master key",
  "auth key",
  "authorization",
  "auth",
  "bearer",
  "jwt",
  "credential",
  "credentials",
  "cookie",
  "session id",
  "sid",
  "otp",
  "totp",
  "sig",
  "signature",
];

/** Receives a secret text, and the placeholder that it came from, if any. */
export type Found = (text: string, placeholder?: string) => void;

/** Whether the value of a name is a secret. */
export interface NameRule {
  (name: string): boolean;
  /** Whether such a name may stand in a text. Most texts have none, and need not be searched for its value. */
  mayStandIn?(text: string): boolean;
}

const TAIL =
  "value|text|string|raw|plain|header|old|new|current|confirm|confirmation|prod|production|dev|test|staging|live|sandbox|\\d+";
/** Tokens of pagination, and names that protect nothing. */
const HARMLESS =
  /(?:^| )(?:page|next|continuation|sync|pagination|cursor|cancel|cancellation|max|min|has|is|use|no|forgot|reset|show|hide|validate|check) (?:.* )?tokens?$|^(?:is|has|needs|requires?|show|hide|forgot) /;
/** Hostile answers have many names: beyond this number all decisions are forgotten. */
const MEMORY = 2_000;

/**
 * Creates the rule of a list of names, each in plain words.
 *
 * @param names The list; {@link SECRET_NAMES} is a good one to begin with.
 */
export function createNameRule(names: readonly string[] = SECRET_NAMES): NameRule {
  const words = names.map((name) => wordsOf(name)).filter((name) => name !== "");
  if (words.length === 0) return () => false;
  // `apikey` and `sessionid` are as common as `apiKey`.
  const any = words.map((name) => name.replaceAll(" ", " ?")).join("|");
  const secret = new RegExp(`(?:^| )(?:${any})(?:(?<!s)s)?(?: (?:${TAIL}))*$`, "u");
  // The first letters alone: a process that has compiled much gets no more expressions that V8 optimises.
  const initials = words.map((name) => name.charAt(0) + name.charAt(0).toUpperCase()).join("");
  const spellings = new RegExp(`(?=[${initials}])(?:${words.map(spellingOf).join("|")})`);
  const known = new Map<string, boolean>();
  const isSecret = (name: string): boolean => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MEMORY) known.clear();
    const plain = name.length > 120 ? "" : wordsOf(name);
    const decision = secret.test(plain) && !HARMLESS.test(plain);
    known.set(name, decision);
    return decision;
  };
  return Object.assign(isSecret, {
    mayStandIn: (text: string) => spellings.test(text) || ESCAPED_LETTER.test(text),
  });
}

/** A letter of ASCII that JSON, JavaScript, a URL or markup has escaped. */
const ESCAPED_LETTER = /(?:\\u00|\\x|%)(?:[46][1-9a-f]|[57][\da])|\\u\{|&#/i;
/** What may stand between two words, as it is or escaped. */
const BETWEEN = String.raw`(?:[^A-Za-z\d]|(?:%|\\u|\\x)[\dA-Fa-f]{2,4}|\\[bfnrt]|&[a-z]{2,4};){0,100}`;

/** How a name may be written: `api key` as `apiKey`, `API_KEY`, `x-api-keys`; not as a part of a longer word. */
function spellingOf(name: string): string {
  const spellings = name.split(" ").map((word) => {
    const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
    return `(?:${word}|${capitalized}|${word.toUpperCase()})`;
  });
  return `${spellings.join(BETWEEN)}[sS]?(?![a-z])`;
}

/** The words of a name in lower case: `XApi-key_2` is `x api key 2`. */
function wordsOf(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\d)/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

// Stops `{ password: "…" }` in values of programs and in parsed JSON, and what is nested below such a name.

/** Members of an object of credentials that are not secret themselves. */
const BESIDE =
  /^(?:user|users|user_?name|login|name|e?mail|account|tenant|type|kind|scheme|realm|region|host|url|uri|scope|issuer|audience|grant_?type|client_?id|id|expir\w*|path|domain|algorithm|alg|in|method)$/i;

/** Whether a number under this name counts something: `total_tokens: 150000`. */
export function isCount(name: string): boolean {
  return /s$/i.test(name) && !/pass$/i.test(name);
}

/** What is secret at a place of a value, by the names on the path to it. */
export interface Place {
  /** Declared to be secret, secret by a name, or not secret. */
  readonly state: "declared" | "named" | "open";
  /** Whether a number is a secret: in a declared secret, and directly below a secret name. */
  readonly takesNumbers: boolean;
}

export const DECLARED: Place = { state: "declared", takesNumbers: true };
export const OPEN: Place = { state: "open", takesNumbers: false };

/** The place of a member; items of a list have that of the list. */
export function placeOfMember(outer: Place, name: string, isSecretName: NameRule): Place {
  if (outer.state === "declared") return outer;
  if (isSecretName(name)) return { state: "named", takesNumbers: !isCount(name) };
  const isBeside = outer.state === "open" || BESIDE.test(name);
  return isBeside ? OPEN : { state: "named", takesNumbers: false };
}

/** A value may have a million items; this many are searched. */
const MOST = 20_000;
const DEEPEST = 50;

/** How a value is searched. */
interface SearchedValue {
  /** The path of a placeholder that refers to the value, if there is one. */
  readonly path?: string | undefined;
  /** Where the value is; {@link OPEN} unless told. */
  readonly place?: Place;
  readonly isSecretName: NameRule;
}

/** The secret texts inside a value: all of them if it was declared secret, else those below secret names. */
export function findSecretValues(
  value: unknown,
  { path: root, place = OPEN, isSecretName }: SearchedValue,
  found: Found,
): void {
  const seen = new Set<object>();
  let left = MOST;
  const visit = (
    item: unknown,
    name: string,
    path: string | undefined,
    at: Place,
    depth: number,
  ): void => {
    if (--left < 0 || depth > DEEPEST) return;
    for (const text of textsOf(item, name, at)) {
      // The placeholder of a header is all of it, with its scheme.
      const isWhole = path !== undefined && text === String(item);
      found(text, isWhole ? `{{${path}}}` : undefined);
    }
    if (!isContainer(item) || seen.has(item)) return;
    seen.add(item);
    for (const [key, member] of entriesOf(item)) {
      if (left < 0) return;
      const step = Array.isArray(item) ? Number(key) : String(key);
      const inside = typeof step === "number" ? at : placeOfMember(at, step, isSecretName);
      const inner = path === undefined ? undefined : path + stepText(step);
      visit(member, String(step), inner, inside, depth + 1);
    }
  };
  visit(value, "", root, place, 0);
}

/** What holds entries that are no properties: maps, and the headers, parameters and fields of the web. */
const KEYED = /^(?:Map|Headers|URLSearchParams|FormData)$/;

/** The entries of an object: of a map, of headers, parameters and fields those that it holds, else its members. */
export function* entriesOf(
  item: object,
): Generator<readonly [key: unknown, value: unknown], undefined> {
  if (!KEYED.test(tagOf(item))) return yield* membersOf(item);
  try {
    for (const [key, value] of item as Map<unknown, unknown>)
      yield [readable(key), readable(value)];
  } catch {
    // An object with the tag of a map that is none.
    yield* membersOf(item);
  }
}

/** The texts of a leaf that are secret, that of a date as it is inserted; the scheme of `Authorization: Bearer …` is not. */
function textsOf(item: unknown, name: string, { state, takesNumbers }: Place): readonly string[] {
  if (typeof item === "string") {
    if (state === "open") return [];
    return state === "named" && isCredentialHeader(name) ? secretsOfHeader(name, item) : [item];
  }
  if (isDate(item) && state === "declared") {
    return Number.isNaN(item.getTime()) ? [] : [item.toISOString()];
  }
  return isNumeric(item) && takesNumbers ? [String(item)] : [];
}

/** Whether a value is a number, one that is kept as its text included. */
export function isNumeric(item: unknown): boolean {
  if (typeof item === "number" || typeof item === "bigint") return true;
  return typeof item === "object" && item !== null && isNumberText(item);
}

function isContainer(item: unknown): item is object {
  const isObject = typeof item === "object" && item !== null;
  return isObject && !(isDate(item) || ArrayBuffer.isView(item) || isNumberText(item));
}

/**
 * Headers whose values are credentials, in lower case.
 *
 * @example
 * ```ts
 * CREDENTIAL_HEADERS.includes("x-api-key"); // true
 * ```
 */
export const CREDENTIAL_HEADERS: readonly string[] = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "apikey",
  "x-auth-token",
  "x-access-token",
  "x-csrf-token",
  "x-xsrf-token",
  "x-amz-security-token",
  "x-goog-api-key",
  "x-functions-key",
  "x-gitlab-token",
  "x-vault-token",
  "private-token",
  "ocp-apim-subscription-key",
  "x-rapidapi-key",
  "x-mashape-key",
  "x-honeycomb-team",
  "dd-application-key",
  "x-goog-iap-jwt-assertion",
  "cf-access-jwt-assertion",
  "authentication-info",
  "dpop",
];

const KNOWN: ReadonlySet<string> = new Set(CREDENTIAL_HEADERS);
const SCHEME =
  /^((?:Basic|Bearer|Digest|Negotiate|NTLM|Token|ApiKey|DPoP|Hawk|AWS4-HMAC-SHA256)\s+)?([\s\S]*)$/i;

/**
 * A value with a scheme of HTTP authentication: a credential under any name, a misspelt one too. A challenge
 * (`Bearer realm="users"`) is none.
 */
const AUTHENTICATION =
  /^\s*(?:Bearer\s+(?![\w-]+\s*=\s*["\w])\S|Basic\s+[A-Za-z\d+/_-]{8,}=*\s*$)/i;

/** Whether the value of a header is a credential, by the name or by the value. */
export function isCredentialHeader(name: string, value = ""): boolean {
  return (name.length < 100 && KNOWN.has(name.toLowerCase())) || AUTHENTICATION.test(value);
}

/** Placeholders and masks, and what stands between them in a header. */
const MASKED = new RegExp(String.raw`^(?:\{\{[^{}]*\}\}|${HIDDEN}|[\s:;,])+$`);

/**
 * Masks the value of a credential header: only its scheme, the names and attributes of cookies and placeholders
 * remain.
 */
export function hideCredential(
  name: string,
  value: string,
  mask: (text: string) => string,
): string {
  const kind = name.toLowerCase();
  if (kind !== "cookie" && kind !== "set-cookie") return hideInScheme(value, mask);
  const parts = value.split(/;\s*/);
  // Attributes such as Path follow the first pair.
  const isPair = (index: number): boolean => kind === "cookie" || index === 0;
  return parts
    .map((part, index) => (isPair(index) ? hideCookie(part, mask) : mask(part)))
    .join("; ");
}

function hideCookie(pair: string, mask: (text: string) => string): string {
  const start = pair.indexOf("=") + 1;
  return mask(pair.slice(0, start)) + hideInScheme(pair.slice(start), mask);
}

function hideInScheme(value: string, mask: (text: string) => string): string {
  const [, scheme = "", rest = ""] = SCHEME.exec(value) ?? [];
  if (rest === "") return mask(value);
  const masked = mask(rest);
  return scheme + (MASKED.test(masked) ? masked : HIDDEN);
}

/** The secret texts of a credential header. */
export function secretsOfHeader(name: string, value: string): string[] {
  const kind = name.toLowerCase();
  if (kind === "cookie") return value.split(/;\s*/).map(cookieValue);
  // Attributes such as Path follow the first pair.
  if (kind === "set-cookie") return value.split(";", 1).map(cookieValue);
  const [, scheme = "", rest = ""] = SCHEME.exec(value.trim()) ?? [];
  return /^basic/i.test(scheme) ? [rest, ...pairOf(rest)] : [rest];
}

function cookieValue(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1).replace(/^"(.*)"$/, "$1");
}

/** The password of Basic credentials, and both together. */
function pairOf(encoded: string): string[] {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const pair = new TextDecoder().decode(bytes);
    const colon = pair.indexOf(":");
    return colon < 0 ? [] : [pair.slice(colon + 1), pair];
  } catch {
    // Not base64: only the value itself is a secret.
    return [];
  }
}
