import type { State } from "./state.ts";
import type { Report, Word } from "./word.ts";

/** The defaults of curl: http, and the name of the upload after a trailing slash. */
export function urlOf(state: State, written: string, query: readonly string[]): string {
  const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(written) || written.startsWith("{{");
  const whole = isWhole ? written : `http://${written}`;
  const url =
    state.uploads !== undefined && whole.endsWith("/")
      ? whole + encodeURIComponent(state.uploads.replace(/^.*\//, ""))
      : whole;
  if (query.length === 0) return url;
  const [base = "", ...hash] = url.split("#");
  const joint = !base.includes("?") ? "?" : /[?&]$/.test(base) ? "" : "&";
  return [`${base}${joint}${query.join("&")}`, ...hash].join("#");
}

/** The file name of `-O`. */
export function remoteName(url: string): string {
  const name = /^[^?#]*\/([^/?#]+)(?:[?#]|$)/.exec(
    url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, ""),
  );
  return name?.[1] ?? "curl_response";
}

/** Reports `[1-3]` and `{a,b}`, which curl expands to several requests. It sends `[]` as it is. */
export function checkGlob(word: Word, { isLiteral }: State, report: Report): void {
  if (isLiteral) return;
  const plain = word.text
    .replace(/\{\{[^{}]*\}\}|\[\]/g, "")
    .replace(/^[a-z]*:\/\/\[[\da-f:.%]*\]/i, "");
  const [found] = [between(plain, "[", "]"), between(plain, "{", "}")]
    .filter((range) => range !== undefined)
    .sort((one, other) => one.start - other.start);
  if (found === undefined) return;
  const hint = "Add -g if it is part of the URL, or write one request for each";
  report(
    word.span,
    `curl reads "${found.text}" in the URL as a pattern for several requests`,
    hint,
  );
}

/** The first range between two brackets. If the first bracket is not closed, no later one is. */
function between(
  text: string,
  open: string,
  close: string,
): { readonly start: number; readonly text: string } | undefined {
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(close, start);
  return end === -1 ? undefined : { start, text: text.slice(start, end + 1) };
}
