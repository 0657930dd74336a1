import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { parseData } from "./read-data.ts";
import type { Source } from "./readers.ts";

/** Follows `$ref` within a description and the files beside it. */
export interface References {
  /** The value that a reference leads to, or the value itself; `undefined` for one that leads nowhere. */
  resolve(value: unknown): unknown;
}

/** A chain of references is shorter, unless it is a circle. */
const LONGEST_CHAIN = 32;

/**
 * Creates the references of a source.
 *
 * @param onMissing Called once for each reference that leads nowhere: to another host, or to a file that was not given.
 */
export function createReferences(
  source: Source,
  onMissing: (reference: string) => void,
): References {
  const documents = new Map<string, unknown>([["", withFile(source.data, "")]]);
  const missing = new Set<string>();
  const open = (written: string): unknown => {
    const path = besidePath("", written) ?? written;
    const text = source.files.get(path);
    if (!documents.has(path) && text !== undefined) {
      documents.set(path, withFile(parseData(text, path), path));
    }
    return documents.get(path);
  };
  return {
    resolve(value) {
      let found = value;
      for (let count = 0; count < LONGEST_CHAIN; count++) {
        const reference = memberOf(found, "$ref");
        if (typeof reference !== "string") return found;
        const [path = "", pointer = ""] = reference.split("#", 2);
        found = pointer.split("/").slice(1).map(decodeStep).reduce<unknown>(memberOf, open(path));
        if (found !== undefined) continue;
        if (!missing.has(reference)) onMissing(reference);
        missing.add(reference);
        return undefined;
      }
      return undefined;
    },
  };
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}

/** The data with each reference written as from the main file. */
function withFile(data: unknown, file: string): unknown {
  if (file === "") return data;
  if (Array.isArray(data)) return data.map((one) => withFile(one, file));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const isReference = key === "$ref" && typeof value === "string";
      return [key, isReference ? joinReference(file, value) : withFile(value, file)];
    }),
  );
}

function joinReference(file: string, reference: string): string {
  const [path = "", pointer = ""] = reference.split("#", 2);
  return `${path === "" ? file : (besidePath(file, path) ?? path)}#${pointer}`;
}

/** The paths of the files that data refers to, as from the main file. URLs and paths to other folders are left out. */
export function referencedFiles(data: unknown, file: string): readonly string[] {
  const found = new Set<string>();
  const stack: unknown[] = [data];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top !== "object" || top === null) continue;
    const reference = memberOf(top, "$ref");
    const path = typeof reference === "string" ? reference.split("#", 1)[0] : "";
    const joined = path === undefined || path === "" ? undefined : besidePath(file, path);
    if (joined !== undefined) found.add(joined);
    for (const value of Object.values(top)) if (value !== null) stack.push(value);
  }
  return [...found];
}

/** The path of a file beside another one; `undefined` for a URL, or a path that leads out of the folder. */
function besidePath(file: string, path: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|[\\/])/i.test(path)) return undefined;
  const parts: string[] = file.split("/").slice(0, -1);
  for (const part of decodeStep(path).split(/[\\/]/)) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
