import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Platform } from "../platform/mod.ts";

/** Watches every file that is read, or that is looked for. */
export function watchReads(platform: Platform, watcher: FileWatcher): Platform {
  return {
    ...platform,
    readFile: (path, options) => {
      watcher.add(resolve(platform.directory, path));
      return platform.readFile(path, options);
    },
  };
}

/** Editors write a file in several steps. */
const QUIET_TIME = 100;
/** Modules of a notebook, which are loaded without being reported. */
const MODULE = /\.[cm]?[jt]s$/;

/** Watches files for changes, including those that do not exist yet. */
export class FileWatcher {
  readonly #folders = new Map<string, FSWatcher | undefined>();
  readonly #paths = new Set<string>();
  #hasChanged = false;
  #onChange = (): void => undefined;

  /** Watches a file, by its absolute path. */
  add(path: string): void {
    this.#paths.add(path);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) this.#folders.set(folder, this.#watch(folder));
  }

  /** Resolves after the next change, or one since the last call; also when the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#onChange();
    signal.addEventListener("abort", stop);
    try {
      await new Promise<void>((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        this.#onChange = () => {
          clearTimeout(timer);
          if (signal.aborted) resolve();
          else timer = setTimeout(resolve, QUIET_TIME);
        };
        if (this.#hasChanged || signal.aborted) this.#onChange();
      });
    } finally {
      signal.removeEventListener("abort", stop);
      this.#onChange = () => undefined;
      this.#hasChanged = false;
    }
  }

  close(): void {
    for (const watcher of this.#folders.values()) watcher?.close();
  }

  #watch(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, (_event, name) => this.#note(folder, name));
      watcher.on("error", () => undefined); // A folder that was removed has no changes any more.
      return watcher;
    } catch {
      return undefined; // It does not exist; an environment file may be looked for in it.
    }
  }

  #note(folder: string, name: string | null): void {
    // Some runtimes report the whole path.
    const file = name === null ? undefined : basename(name);
    const isKnown = file !== undefined && this.#paths.has(join(folder, file));
    if (!isKnown && !(file !== undefined && MODULE.test(file))) return;
    this.#hasChanged = true;
    this.#onChange();
  }
}
