import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isRecord } from "../../lib/interpolation/mod.ts";
import { makeFolder, openFileForWriting, writingReason } from "../platform/mod.ts";
import { ImportError, type ImportRemark } from "./collection.ts";
import { importedNames, mergeContents, mergeDocument } from "./merge-document.ts";
import {
  CONTENTS_FILE,
  isNotebookPath,
  type OutputFile,
  PRIVATE_FILE,
  PUBLIC_FILE,
} from "./write-files.ts";

const ENVIRONMENTS: ReadonlySet<string> = new Set([PUBLIC_FILE, PRIVATE_FILE]);

/** The folder that an import writes into, with the files that are there. */
export class TargetFolder {
  readonly #name: string;
  readonly #path: string;
  readonly #files = new Map<string, Buffer>();

  /** @param name The folder as messages name it; a relative one starts at `directory`. */
  constructor(name: string, directory: string) {
    this.#name = name;
    this.#path = resolve(directory, name);
  }

  /** The text of a file that is there. What cannot be read is reported when something is to be written there. */
  readonly textOf = (path: string): string | undefined => {
    try {
      return this.#bytesOf(path).toString();
    } catch {
      return undefined;
    }
  };

  /** The bytes of a file that is there, which is read once. */
  #bytesOf(path: string): Buffer {
    const bytes = this.#files.get(path) ?? readFileSync(join(this.#path, path));
    this.#files.set(path, bytes);
    return bytes;
  }

  /**
   * The files as they are to be written: environments join those that are there, and documents those that were
   * imported before.
   *
   * @param force Whether what is there is replaced.
   * @throws {ImportError} A file is in the way, or one that is there cannot be read.
   */
  join(
    files: readonly OutputFile[],
    force: boolean,
  ): { readonly files: readonly OutputFile[]; readonly remarks: readonly ImportRemark[] } {
    const remarks: ImportRemark[] = [];
    const inTheWay: string[] = [];
    const joined = files.flatMap((file): readonly OutputFile[] => {
      const where = join(this.#name, file.path);
      const isEnvironment = ENVIRONMENTS.has(file.path);
      if (!existsSync(join(this.#path, file.path)) || (force && !isEnvironment)) return [file];
      const content = this.#read(where, file.path, (before) =>
        isEnvironment
          ? joinEnvironments(before, file, force, remarks, where)
          : joinDocument(before, file, remarks, where),
      );
      if (content === undefined) inTheWay.push(`"${where}"`);
      return content === undefined ? [] : [{ ...file, content: [Buffer.from(content)] }];
    });
    if (inTheWay.length > 0) {
      const verb = inTheWay.length === 1 ? "exists and was" : "exist and were";
      throw new ImportError(
        `Writing failed: ${inTheWay.join(", ")} ${verb} not written by an import; --force replaces what is there, -o names another place`,
      );
    }
    return { files: joined, remarks };
  }

  #read<T>(where: string, path: string, read: (before: Buffer) => T): T {
    try {
      return read(this.#bytesOf(path));
    } catch (error) {
      const reason = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
      throw new ImportError(
        `Reading "${where}" failed: ${reason}; mend it, or name another place with -o`,
      );
    }
  }

  /** The requests of documents that an import wrote here and that the source has no longer. */
  goneDocuments(files: readonly OutputFile[]): readonly ImportRemark[] {
    if (!existsSync(this.#path)) return [];
    const own = new Set(files.map(({ path }) => path));
    const names = readdirSync(this.#path).filter((name) => isNotebookPath(name) && !own.has(name));
    return names.flatMap((name) => {
      const keys = [...importedNames(this.textOf(name) ?? "", true).keys()];
      const where = join(this.#name, name);
      return keys.map((message) => ({ kind: "gone", where, message }) as const);
    });
  }

  /** @throws {ImportError} A file cannot be written. */
  async save(files: readonly OutputFile[]): Promise<void> {
    for (const file of files) await this.#write(file);
    if (files.some(({ path }) => path === PRIVATE_FILE)) await this.#ignorePrivateFile();
  }

  async #write({ path, content }: OutputFile): Promise<void> {
    const place = join(this.#path, path);
    try {
      if (existsSync(place) && this.#bytesOf(path).equals(Buffer.concat(content))) return;
      makeFolder(dirname(place));
      const file = await openFileForWriting(place, { replace: true });
      try {
        for (const piece of content) await file.write(piece);
        await file.commit();
      } catch (error) {
        await file.discard();
        throw error;
      }
    } catch (error) {
      const where = join(this.#name, path);
      throw new ImportError(`Writing "${where}" failed: ${writingReason(error)}`, { cause: error });
    }
  }

  /** Adds the file of secrets to `.gitignore`, whose other lines stay. */
  async #ignorePrivateFile(): Promise<void> {
    const path = ".gitignore";
    const before = this.textOf(path) ?? "";
    if (before.split(/\r?\n/).includes(PRIVATE_FILE)) return;
    const separator = before === "" || before.endsWith("\n") ? "" : "\n";
    const content = Buffer.from(`${before}${separator}${PRIVATE_FILE}\n`);
    await this.#write({ path, content: [content] });
  }
}

/** A document merged into the one that is there; `undefined` if a person wrote that. */
function joinDocument(
  before: Buffer,
  { path, content }: OutputFile,
  remarks: ImportRemark[],
  where: string,
): string | Buffer | undefined {
  const after = Buffer.concat(content);
  if (before.equals(after)) return after;
  const [there, now] = [before.toString(), after.toString()];
  if (path === CONTENTS_FILE) return mergeContents(there, now);
  if (!/\.(?:ipynb|http|rest)$/i.test(path)) return undefined;
  const merge = mergeDocument(there, now, isNotebookPath(path));
  for (const kind of ["new", "updated", "kept", "gone"] as const) {
    for (const message of merge?.[kind] ?? []) remarks.push({ kind, where, message });
  }
  return merge?.content;
}

/** Adds the variables of environments to those that are there, whose values stay but for --force. */
function joinEnvironments(
  before: Buffer,
  { content }: OutputFile,
  force: boolean,
  remarks: ImportRemark[],
  where: string,
): string {
  const there: unknown = JSON.parse(before.toString());
  const joined = new Map(Object.entries(isRecord(there) ? there : {}));
  const text = Buffer.concat(content).toString();
  const added = JSON.parse(text) as Record<string, Record<string, unknown>>;
  for (const [environment, values] of Object.entries(added)) {
    const found = joined.get(environment);
    const own = new Map(Object.entries(isRecord(found) ? found : {}));
    for (const [name, value] of Object.entries(values)) {
      const isOther = own.has(name) && JSON.stringify(own.get(name)) !== JSON.stringify(value);
      if (!isOther || force) own.set(name, value);
      else {
        const message = `"${name}" of "${environment}" keeps its value: the source has another`;
        remarks.push({ kind: "changed", where, message });
      }
    }
    joined.set(environment, Object.fromEntries(own));
  }
  return `${JSON.stringify(Object.fromEntries(joined), null, 2)}\n`;
}
