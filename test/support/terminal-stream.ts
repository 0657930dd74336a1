import type { OutputStream } from "../../kernel/platform/mod.ts";

/** A stream that keeps what is written. */
export function createStream(isTerminal: boolean): OutputStream & { readonly written: string } {
  let written = "";
  return {
    get written() {
      return written;
    },
    isTerminal,
    color: false,
    columns: () => 100,
    write: (text: string) => {
      written += text;
    },
    writeBytes: async () => undefined,
  };
}
