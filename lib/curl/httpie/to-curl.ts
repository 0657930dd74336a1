import { dataOf, HEAD, type ReadText } from "./body.ts";
import { HttpieError } from "./errors.ts";
import { readWords } from "./words.ts";

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
