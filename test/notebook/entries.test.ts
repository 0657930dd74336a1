import { expect, test } from "vitest";
import { readEntries } from "../../kernel/run/read-document.ts";
import { renderEntries } from "../../kernel/run/render-document.ts";

test.each(["notes.txt", "notes", "notes.constructor", "notes.toString"])(
  "%s has no format, for reading and for writing",
  async (path) => {
    const readFile = async () => new Uint8Array();
    const message = "its name does not end in .ipynb, .http or .rest";
    await expect(readEntries(path, { readFile })).rejects.toThrow(message);
    expect(() => renderEntries(path, [])).toThrow(message);
  },
);
