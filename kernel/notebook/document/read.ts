import { type Platform, readingReason } from "../../platform/mod.ts";
import { type Document, DocumentError } from "./document.ts";
import { parseHttp } from "./parse-http.ts";
import { parseIpynb } from "./parse-ipynb.ts";
import { isGlob } from "./path-glob.ts";

const PARSERS: ReadonlyMap<string, (text: string, path: string) => Document> = new Map([
  ["ipynb", parseIpynb],
  ["http", parseHttp],
  ["rest", parseHttp],
]);

/**
 * Reads a `.ipynb`, `.http` or `.rest` file.
 *
 * @throws {DocumentError} The extension is another one, the file cannot be read or is not UTF-8, or the
 * notebook is invalid.
 */
export async function readDocument(
  path: string,
  platform: Pick<Platform, "readFile">,
): Promise<Document> {
  const parse = PARSERS.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
  if (parse === undefined) {
    const reason = await platform.readFile(path, { maxBytes: 0 }).then(
      () => undefined,
      (error: NodeJS.ErrnoException) =>
        error.code === "EISDIR" || isGlob(path) ? reasonOf(error, path) : undefined,
    );
    throw new DocumentError(
      `Reading "${path}" failed: ${reason ?? "its name does not end in .ipynb, .http or .rest"}`,
    );
  }
  return parse(await readText(path, platform), path);
}

async function readText(path: string, platform: Pick<Platform, "readFile">): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await platform.readFile(path);
  } catch (error) {
    throw new DocumentError(`Reading "${path}" failed: ${reasonOf(error, path)}`, { cause: error });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DocumentError(`Reading "${path}" failed: it is not UTF-8 text`, { cause: error });
  }
}

/** Why the path of a document cannot be read; paths that stand for several documents stay where none is found. */
function reasonOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return "it is a folder without .ipynb, .http or .rest files";
  if (code === "ENOENT" && isGlob(path)) return "no .ipynb, .http or .rest file matches it";
  return readingReason(error);
}
