const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/** Whether a text begins with `scheme://`. */
export function hasScheme(text: string): boolean {
  return SCHEME.test(text);
}

/**
 * Where the word that begins at `start` ends: at the first blank that is not inside the double
 * braces of a placeholder.
 */
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

/** Whether a text is a protocol version, `HTTP/1.1` for example. */
export function isVersion(text: string): boolean {
  return /^HTTP\/\d+(?:\.\d+)?$/i.test(text);
}

const HOST =
  /^(?:[^\s/?#@"'`()<>;=,]*@)?[\p{L}\d_][\p{L}\d_-]*(?:\.[\p{L}\d_-]+)*\.?(?::\d+)?(?=[/?#]|$)/u;
const IPV6 = /^\[[\da-f:.]*:[\da-f:.]*\](?::\d+)?(?=[/?#]|$)/i;

/** Whether a word can only be a target, not a method: an absolute URL, a path, a placeholder. */
export function isClearTarget(word: string): boolean {
  return (
    hasScheme(word) ||
    word.startsWith("/") ||
    word.startsWith("{{") ||
    /^localhost(?::\d+)?(?=[/?#]|$)/i.test(word)
  );
}

/** Whether a word can be a target where a method stands before it. */
export function isTarget(word: string): boolean {
  return isClearTarget(word) || HOST.test(word) || IPV6.test(word) || word.includes("{{");
}

/** Whether a word alone on its line is a target that needs no method, rather than a method alone. */
export function isBareTarget(word: string): boolean {
  if (isClearTarget(word) || IPV6.test(word)) return true;
  return HOST.test(word) && /[./:]/.test(word);
}
