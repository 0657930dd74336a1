import { splitHeader } from "./header-line.ts";
import { indentation } from "./line.ts";

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/** Whether a text begins with `scheme://`. */
export function hasScheme(text: string): boolean {
  return SCHEME.test(text);
}

/** The end of the word that begins at `start`: the first whitespace outside of placeholders. */
export function wordEnd(text: string, start: number): number {
  return findOutside(text, start, /\s|\{\{/g);
}

/**
 * Where a pattern matches first outside of placeholders; the end of the text if it does not.
 *
 * @param pattern A global one, which also matches the beginning of a placeholder.
 */
function findOutside(text: string, start: number, pattern: RegExp): number {
  const lastClosing = text.lastIndexOf("}}");
  pattern.lastIndex = start;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0] !== "{{") return found.index;
    if (lastClosing >= pattern.lastIndex)
      pattern.lastIndex = text.indexOf("}}", pattern.lastIndex) + 2;
  }
  return text.length;
}

const VERSION = /^HTTP\/\d+(?:\.\d+)?(?:[ \t]+\(Prior Knowledge\))?$/i;

/** Whether a text is a protocol version: `HTTP/1.1`, or `HTTP/2 (Prior Knowledge)` of JetBrains' files. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** A part of a target. */
export type TargetPart = "host" | "path" | "query";

/**
 * The end of the target at the beginning of a text, which may contain spaces from `blanksFrom` on, as in
 * `?$filter=name eq 'Ada'` and `/users/Ada Lovelace`. It does not contain a header, a comment or a version.
 *
 * @param before The part that the text continues; `host` for a whole target.
 * @param blanksFrom The first part in which a space does not end the target.
 */
export function targetEnd(text: string, before: TargetPart, blanksFrom: "path" | "query"): number {
  if (isVersion(text)) return 0;
  const end = Math.min(wordEnd(text, 0), attachedBody(text, before));
  const part = partAtEnd(text.slice(0, end), before);
  if (part === "host" || (part === "path" && blanksFrom === "query")) return end;
  const rest = text.slice(end).trim();
  // These are mistakes, not a path with blanks.
  if (part === "path" && [startsBody, startsItem, startsOption].some((it) => it(rest))) return end;
  if (isVersion(rest) || startsComment(rest) || /^[A-Z][\w-]*:[ \t]/.test(rest)) return end;
  const version = / HTTP\/[^/]*$/i.exec(text);
  if (version !== null && version.index > end && isVersion(version[0].trim())) {
    return text.slice(0, version.index).trimEnd().length;
  }
  // A malformed version is not a part of a path.
  return /(?:^|[ \t])HTTP\/[^ \t]*$/i.test(rest) ? end : text.length;
}

/** Whether a text after a target is JSON or XML, or the file of a body; `/Books { ID, title }` of CAP is a path. */
export function startsBody(text: string): boolean {
  return /^(?:\{(?!\{|[ \t]*[A-Za-z_]\w*(?:[ \t]+[A-Za-z_]|[ \t]*[,}.{]))|[["<])/.test(text);
}

/** Whether a text after a target is a request item of HTTPie: `name=Ada`, `age:=3`, `page==2`. */
export function startsItem(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.-]*(?::=|={1,2}(?!=))/u.test(text);
}

/** Whether a text after a target is an option of curl: `-H 'X-Id: 7'`. */
export function startsOption(text: string): boolean {
  return /^(?:-[A-Za-z]|--[a-z][a-z-]*)(?:[ \t=]|$)/.test(text);
}

/** Where a body begins that no blank separates from the target, as in `/users{"a": 1}`; a query may contain JSON. */
function attachedBody(text: string, before: TargetPart): number {
  const at = findOutside(text, 0, /\{\{|(?<!\{)\{(?:[ \t]*"|$)/g);
  return partAtEnd(text.slice(0, at), before) === "query" ? text.length : at;
}

/** Whether a text after a target is a comment. */
export function startsComment(text: string): boolean {
  return /^(?:#|\/\/)/.test(text);
}

/**
 * The part of a target that the end of a text belongs to.
 *
 * @param before The part that the text continues; `host` for a whole target.
 */
export function partAtEnd(text: string, before: TargetPart): TargetPart {
  if (before === "query") return before;
  const literal = withoutPlaceholders(text);
  if (literal.includes("?") || literal.startsWith("&")) return "query";
  return literal.replace(SCHEME, "").includes("/") ? "path" : before;
}

function withoutPlaceholders(text: string): string {
  let rest = "";
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    const close = open === -1 ? -1 : text.indexOf("}}", open);
    if (close === -1) return rest + text.slice(from);
    rest += text.slice(from, open);
    from = close + 2;
  }
}

const HOST =
  /^(?:[^\s/?#@"'`()<>;=,]*@)?[\p{L}\d_][\p{L}\d_-]*(?:\.[\p{L}\d_-]+)*\.?(?::\d+)?(?=[/?#]|$)/u;
const IPV6 = /^\[[\da-f:.]*:[\da-f:.]*\](?::\d+)?(?=[/?#]|$)/i;

/** A port of this machine: `:8787/users`, as HTTPie writes it. */
export const LOCAL_PORT: RegExp = /^:\d+(?=[/?#]|$)/;

/** Whether a word is unambiguously a target and not a method: an absolute URL, a path, a port, a placeholder. */
export function isClearTarget(word: string): boolean {
  return (
    hasScheme(word) ||
    word.startsWith("/") ||
    word.startsWith("{{") ||
    LOCAL_PORT.test(word) ||
    /^localhost(?::\d+)?(?=[/?#]|$)/i.test(word)
  );
}

/** Whether a word can be a target after a method. */
export function isTarget(word: string): boolean {
  return isClearTarget(word) || HOST.test(word) || IPV6.test(word) || word.includes("{{");
}

/** Whether a word alone on its line is a target without a method, and not a method without a target. */
export function isBareTarget(word: string): boolean {
  if (isClearTarget(word) || IPV6.test(word)) return true;
  // A word with a full stop ends a sentence.
  return HOST.test(word) && /[/:]|\.(?!$)/.test(word);
}

/** A target as far as it has been read. */
export interface TargetSoFar {
  /** The part that its end belongs to. */
  readonly part: TargetPart;
  /** Whether it ends with a character after which more follows: `?`, `&`, `/`, `=` or a comma. */
  readonly isOpen: boolean;
}

/** Adds a line to a target. */
export function addToTarget(text: string, before?: TargetSoFar): TargetSoFar {
  if (text === "" && before !== undefined) return before;
  return { part: partAtEnd(text, before?.part ?? "host"), isOpen: /[?&/=,]$/.test(text) };
}

/**
 * Whether a line continues a target: it begins with `?` or `&`, or it is indented and not a header. JetBrains'
 * editor reads every indented line as part of the target, VS Code's REST Client every one as a header.
 *
 * @param indent The indentation of the request line.
 */
export function continuesTarget(text: string, indent: number, { isOpen }: TargetSoFar): boolean {
  const own = indentation(text);
  const line = text.slice(own).trimEnd();
  if (/^[?&]/.test(line)) return true;
  if (own <= indent) return false;
  if (line.startsWith("/") || isVersion(line)) return true;
  if (/^(?:\{(?!\{)|[[<>"@])/.test(line)) return false;
  if (/^\{\{[^{}]*\}\}$/.test(line)) return isOpen;
  return splitHeader(line) === undefined || (isOpen && !/:(?:[ \t]|$)/.test(line));
}

/** Whether an indented line is the fragment of a URL, as in JetBrains' files: `#part`. It is not sent. */
export function startsFragment(text: string, indent: number): boolean {
  return indentation(text) > indent && /^[ \t]*#[^\s#@]\S*[ \t]*$/.test(text);
}

/** Whether a line below a fragment continues it: it is indented, and neither a query nor a header. */
export function continuesFragment(text: string, indent: number): boolean {
  return (
    indentation(text) > indent &&
    /^[ \t]*[^\s?&/{[<"@]\S*[ \t]*$/.test(text) &&
    splitHeader(text.trim()) === undefined
  );
}

/**
 * Completes a rendered target: adds a scheme, and a host to a path or a port. A target with a scheme is unchanged.
 *
 * @param host The value of the `Host` header or of the variable `host` or `base`, if there is one.
 * @returns `undefined` without a host.
 */
export function completeUrl(target: string, host: string | undefined): string | undefined {
  if (hasScheme(target.trimStart())) return target;
  if (target.trim() === "") return undefined;
  if (target.startsWith("//")) return `${schemeFor(target.slice(2))}:${target}`;
  if (LOCAL_PORT.test(target)) return completeUrl(`localhost${target}`, host);
  if (!/^[/?#]/.test(target)) return `${schemeFor(target)}://${target}`;
  if (host === undefined || host === "") return undefined;
  const origin = hasScheme(host) ? host : `${schemeFor(host)}://${host}`;
  return `${origin.replace(/\/$/, "")}${target.startsWith("/") ? "" : "/"}${target}`;
}

/**
 * What a URL parser removes in silence and a value may contain: tabs, line breaks, and blanks and control characters at the
 * end. They are percent-encoded; those before a scheme mean nothing.
 */
export const REMOVED_FROM_URL: RegExp = /[\t\n\r]|(?<![\0- ])[\0- ]+$/g;

interface SchemeProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks the scheme of a target: it may be unsupported, or malformed because a slash or colon is missing. A
 * target without a scheme is valid.
 *
 * @param target The target, or its known beginning.
 * @param isWhole Whether `target` is complete.
 */
export function schemeProblem(target: string, isWhole: boolean): SchemeProblem | undefined {
  const start = target.trim();
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(start)?.[1];
  if (scheme !== undefined) {
    if (PROTOCOLS.has(scheme.toLowerCase())) return undefined;
    return { message: `The scheme "${scheme}" is not supported`, hint: "Write http or https" };
  }
  const isBroken =
    (/^https?:/i.test(start) && (isWhole || !/:\/?$/.test(start))) ||
    /^(?:https?\/\/|[^/?#]*:\/\/)/i.test(start);
  const hint = 'Write "http://" or "https://"';
  return isBroken ? { message: "The scheme of the URL is malformed", hint } : undefined;
}

const PROTOCOLS: ReadonlySet<string> = new Set(["http", "https", "ws", "wss"]);

/** `http` for hosts of this machine and of a private network, which rarely have certificates, else `https`. */
function schemeFor(authority: string): "http" | "https" {
  const whole = (/^[^/?#]*/.exec(authority)?.[0] ?? "").replace(/^.*@/, "").toLowerCase();
  const port = /:(\d*)$/.exec(whole)?.[1];
  if (port === "443" || port === "8443") return "https";
  const host = whole.replace(/:\d*$/, "").replace(/\.$/, "");
  return LOCAL.some((pattern) => pattern.test(host)) ? "http" : "https";
}

/** A name without a dot, such as one of Docker Compose; loopback and private addresses (RFC 1918, 3927). */
const LOCAL: readonly RegExp[] = [
  /^[^.[\]]+$/,
  /\.localhost$/,
  /^(?:127|10)(?:\.\d{1,3}){3}$/,
  /^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/,
  /^\[(?:::|(?:0{1,4}:){7})0{0,3}1\]$/,
];
