import { UnsendableRequestError } from "../exchange/mod.ts";
import { type CookieJar, createCookieJar } from "./cookies.ts";

/** The first line of a file of cookies. */
const HEAD = "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n\n";

/** Before the domain of a cookie that is hidden from scripts; it is no comment. */
const HTTP_ONLY = "#HttpOnly_";

/** A file of cookies, as curl and browsers write it, that one request uses. */
export interface CookieFile {
  /** Its cookies, and those that responses set. */
  readonly jar: CookieJar;
  /** What is wrong with its cookies. */
  readonly warnings: readonly string[];
}

/**
 * Reads cookies from files of Netscape's format: domain, whether for subdomains, path, whether secure, expiry in
 * seconds or 0, name and value, with tabs between them. They are stored by the rules of the jar, as if a server had
 * set them.
 *
 * @param files The paths and texts of the files.
 * @throws {UnsendableRequestError} A line is no cookie.
 */
export async function readCookieFiles(
  files: readonly (readonly [path: string, text: string])[],
): Promise<CookieFile> {
  const jar = createCookieJar();
  const warnings: string[] = [];
  for (const [path, text] of files) {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const isComment = line.startsWith("#") && !line.startsWith(HTTP_ONLY);
      if (isComment || line.trim() === "") continue;
      const cookie = readLine(line);
      if (cookie === undefined) {
        throw new UnsendableRequestError(
          `Cannot read the cookies from "${path}": line ${index + 1} is not seven fields with tabs between them`,
        );
      }
      warnings.push(...(await jar.receive(cookie.url, [cookie.line])));
    }
  }
  return { jar, warnings };
}

/** Dates have years of four digits. */
const LAST_SECOND = Date.UTC(9999, 11, 31) / 1000;

/** A line as the `Set-Cookie` of a URL; the value is not quoted in any message. */
function readLine(line: string): { readonly url: URL; readonly line: string } | undefined {
  const isHttpOnly = line.startsWith(HTTP_ONLY);
  const fields = (isHttpOnly ? line.slice(HTTP_ONLY.length) : line).split("\t");
  const [domain = "", subdomains, path = "", secure, expiry = "", name = "", value = ""] = fields;
  if (fields.length < 6 || fields.length > 7 || !/^-?\d+$/.test(expiry)) return undefined;
  const host = domain.replace(/^\./, "");
  const seconds = Math.min(Number(expiry), LAST_SECOND);
  const attributes = [
    `${name}=${value}`,
    ...(isTrue(subdomains) ? [`Domain=${host}`] : []),
    `Path=${path}`,
    ...(isTrue(secure) ? ["Secure"] : []),
    ...(isHttpOnly ? ["HttpOnly"] : []),
    ...(seconds === 0 ? [] : [`Expires=${new Date(seconds * 1000).toUTCString()}`]),
  ];
  try {
    return { url: new URL(`https://${host}/`), line: attributes.join("; ") };
  } catch {
    // A TypeError: the domain is none.
    return undefined;
  }
}

function isTrue(field: string | undefined): boolean {
  return field?.toUpperCase() === "TRUE";
}

/** Writes cookies as a file of Netscape's format. */
export function writeCookieFile({ all }: Pick<CookieJar, "all">): string {
  const flag = (is: boolean): string => (is ? "TRUE" : "FALSE");
  const lines = all().map(({ name, value, domain, subdomains, path, expires, secure, httpOnly }) =>
    [
      `${httpOnly ? HTTP_ONLY : ""}${subdomains ? "." : ""}${domain}`,
      flag(subdomains),
      path,
      flag(secure),
      expires === undefined ? 0 : Math.floor(expires.getTime() / 1000),
      name,
      value,
    ].join("\t"),
  );
  return `${HEAD}${lines.map((line) => `${line}\n`).join("")}`;
}
