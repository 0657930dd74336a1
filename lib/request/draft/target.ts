const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/** Whether a text begins with `scheme://`. */
export function hasScheme(text: string): boolean {
  return SCHEME.test(text);
}

/** The end of the word that begins at `start`: the first whitespace outside of placeholders. */
export function wordEnd(text: string, start: number): number {
  const lastClosing = text.lastIndexOf("}}");
  const stop = /\s|\{\{/g;
  stop.lastIndex = start;
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    if (found[0] !== "{{") return found.index;
    if (lastClosing >= stop.lastIndex) stop.lastIndex = text.indexOf("}}", stop.lastIndex) + 2;
  }
  return text.length;
}

const VERSION = /^HTTP\/\d+(?:\.\d+)?(?:[ \t]+\(Prior Knowledge\))?$/i;

/** Whether a text is a protocol version: `HTTP/1.1`, or `HTTP/2 (Prior Knowledge)` of JetBrains' files. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/**
 * The end of the target at the beginning of a text. A query continues to the end of the line and may contain
 * spaces, as in `?$filter=name eq 'Ada'`, but not a header, a comment or a version.
 */
export function targetEnd(text: string): number {
  const end = wordEnd(text, 0);
  if (!hasQuery(text.slice(0, end))) return end;
  const rest = text.slice(end).trim();
  if (isVersion(rest) || /^(?:#|\/\/|[A-Z][\w-]*:[ \t])/.test(rest)) return end;
  const version = text.toUpperCase().lastIndexOf(" HTTP/");
  const isEnd = version > end && isVersion(text.slice(version).trim());
  return isEnd ? text.slice(0, version).trimEnd().length : text.length;
}

/** Whether there is a question mark, or a leading `&`, outside of placeholders. */
function hasQuery(word: string): boolean {
  if (word.startsWith("&")) return true;
  const mark = word.lastIndexOf("?");
  return mark > word.lastIndexOf("}}") || (mark !== -1 && mark < word.indexOf("{{"));
}

const HOST =
  /^(?:[^\s/?#@"'`()<>;=,]*@)?[\p{L}\d_][\p{L}\d_-]*(?:\.[\p{L}\d_-]+)*\.?(?::\d+)?(?=[/?#]|$)/u;
const IPV6 = /^\[[\da-f:.]*:[\da-f:.]*\](?::\d+)?(?=[/?#]|$)/i;

/** Whether a word is unambiguously a target and not a method: an absolute URL, a path, a placeholder. */
export function isClearTarget(word: string): boolean {
  return (
    hasScheme(word) ||
    word.startsWith("/") ||
    word.startsWith("{{") ||
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
