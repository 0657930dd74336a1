import { type Exchange, UnsendableRequestError } from "../exchange/mod.ts";
import {
  OWN_JAR,
  readCookieFiles,
  readSource,
  type SendOptions,
  writeCookieFile,
} from "../http/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import type { ClientOptions } from "./client.ts";

/** The files of `# @cookie-file` and `# @cookie-jar`. */
export interface CookiePaths {
  /** The files whose cookies are sent, as with `curl -b`. */
  readonly from?: readonly string[] | undefined;
  /** The file that has them all after the request, as with `curl -c`. */
  readonly to?: string | undefined;
}

/** The option of a request with files of cookies. */
export const COOKIE_PATHS: unique symbol = Symbol("restlab.cookies");

/**
 * Sends a request with the cookies of files besides those of the client, and saves them with those that its responses
 * set.
 *
 * @throws {UnsendableRequestError} A file cannot be read or written.
 */
export async function sendWithCookieFiles(
  { from = [], to }: CookiePaths,
  files: ClientOptions,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Exchange>,
): Promise<Exchange> {
  if (to !== undefined && files.openFileForWriting === undefined) {
    throw new UnsendableRequestError(
      `Cannot save the cookies to "${to}": this client cannot write files; give createClient an openFileForWriting function`,
    );
  }
  const texts = from.map(async (path): Promise<[string, string]> => {
    try {
      return [path, new TextDecoder().decode(await readSource(path, files, "the cookies"))];
    } catch (error) {
      // The command that writes the file may be the first one.
      if (path === to) return [path, ""];
      throw error;
    }
  });
  const { jar, warnings } = await readCookieFiles(await Promise.all(texts));
  const exchange = await send({ ...options, ...{ [OWN_JAR]: { jar, warnings } } });
  if (to !== undefined) await save(to, writeCookieFile(jar), files);
  return exchange;
}

async function save(
  path: string,
  text: string,
  { openFileForWriting: open }: ClientOptions,
): Promise<void> {
  try {
    const file = await open?.(path, { replace: true });
    await file?.write(new TextEncoder().encode(text));
    await file?.commit();
  } catch (cause) {
    throw new Error(`Cannot save the cookies to "${path}": ${messageOf(cause)}`, { cause });
  }
}
