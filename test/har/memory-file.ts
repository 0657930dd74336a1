import type { OpenGrowingFile } from "../../lib/mod.ts";

/** A file in memory, for `openGrowingFile`. */
export interface MemoryFile {
  readonly open: OpenGrowingFile;
  /** The document so far. */
  text(): string;
  /** `open`, `committed` or `discarded`. */
  state(): string;
}

/** Creates a file in memory. */
export function createMemoryFile(): MemoryFile {
  let text = "";
  let state = "missing";
  return {
    open: (path, { head, separator, tail }) => {
      const parts: string[] = [];
      const write = (): void => {
        text = head + parts.join(separator) + tail;
      };
      state = "open";
      write();
      return {
        path,
        append: (part) => {
          parts.push(part);
          write();
        },
        commit: () => {
          state = "committed";
        },
        discard: () => {
          state = "discarded";
        },
      };
    },
    text: () => text,
    state: () => state,
  };
}
