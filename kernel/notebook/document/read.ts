import type { Platform } from "../../platform/mod.ts";
import { type Document, DocumentError } from "./document.ts";
import { parseHttp } from "./parse-http.ts";
import { parseIpynb } from "./parse-ipynb.ts";

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
    const isFolder = await platform.readFile(path, { maxBytes: 0 }).then(
      () => false,
      (error: unknown) => codeOf(error) === "EISDIR",
    );
    if (isFolder) throw new DocumentError(`Reading "${path}" failed: ${REASONS["EISDIR"]}`);
    throw new DocumentError(
      `Reading "${path}" failed: its name does not end in .ipynb, .http or .rest`,
    );
  }
  return parse(await readText(path, platform), path);
}

async function readText(path: string, platform: Pick<Platform, "readFile">): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await platform.readFile(path);
  } catch (error) {
    throw new DocumentError(`Reading "${path}" failed: ${reasonOf(error)}`, { cause: error });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DocumentError(`Reading "${path}" failed: it is not UTF-8 text`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission is denied",
  EISDIR: "it is a folder without .ipynb, .http or .rest files",
};

/** The reason of an error of the operating system. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error) ?? ""] ?? (error as Error).message;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
