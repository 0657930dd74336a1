import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import process from "node:process";
import type { Platform } from "../platform/mod.ts";
import { readPlace } from "../run/mod.ts";
import { ImportError } from "./collection.ts";
import { isJson, parseData } from "./read-data.ts";
import type { Source } from "./readers.ts";
import { referencedFiles } from "./references.ts";

/** What a folder of a collection has at most, so that a folder that was not meant is noticed. */
const MOST_FILES = 20_000;
const TEXTS = /\.(?:bru|hurl|ya?ml|json|http|rest|ipynb)$/i;

/**
 * Reads a source: a file with the files that it refers to, a folder, a URL, or standard input for `-`.
 *
 * @throws {Error} It cannot be read; the message names it and says why.
 */
export async function openSource(place: string, platform: Platform): Promise<Source> {
  if (place === "-") {
    return toSource("standard input", await readStandardInput());
  }
  const path = resolve(platform.directory, place);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false, // Reading it says what is wrong.
  );
  if (isFolder) {
    const files = await readFolder(path, place, platform);
    return { name: place, text: "", data: undefined, files };
  }
  const { name, text } = await readPlace(place, platform, "");
  const source = toSource(name, text);
  if (/^https?:\/\//i.test(place)) return source;
  return { ...source, files: await readReferences(source.data, path, platform) };
}

/** The text of JSON, which may be large, is not kept. */
function toSource(name: string, text: string): Source {
  const data = parseData(text, name);
  return { name, text: isJson(text) ? "" : text, data, files: new Map() };
}

async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

/** The texts of a folder, by their paths in it. */
async function readFolder(
  folder: string,
  shown: string,
  platform: Platform,
): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const texts = names
    .filter((name) => TEXTS.test(name) && !/(?:^|[\\/])(?:node_modules|\.git)[\\/]/.test(name))
    .sort();
  if (texts.length > MOST_FILES) {
    throw new ImportError(`Reading "${shown}" failed: it has more than ${MOST_FILES} files`);
  }
  const files = new Map<string, string>();
  for (const name of texts) {
    files.set(name.split(sep).join("/"), await readWithin(join(folder, name), folder, platform));
  }
  return files;
}

/** The files that a description refers to, and those that these refer to, all of them below its folder. */
async function readReferences(
  data: unknown,
  path: string,
  platform: Platform,
): Promise<Map<string, string>> {
  const folder = dirname(path);
  const files = new Map<string, string>();
  const waiting = [...referencedFiles(data, "")];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (files.has(next)) continue;
    try {
      const text = await readWithin(join(folder, next), folder, platform);
      files.set(next, text);
      waiting.push(...referencedFiles(parseData(text, next), next));
    } catch (error) {
      if (error instanceof ImportError) throw error;
      // The reader reports the reference, which leads nowhere.
      files.delete(next);
    }
  }
  return files;
}

/** A link may not lead out of the folder. */
async function readWithin(path: string, folder: string, { readFile }: Platform): Promise<string> {
  const bytes = await readFile(path, { within: folder });
  return new TextDecoder().decode(bytes);
}
