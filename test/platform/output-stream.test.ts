import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createOutputStream } from "../../kernel/platform/platform.ts";

function open(): { readonly written: () => string; readonly stream: NodeJS.WriteStream } {
  const pipe = new PassThrough();
  let written = "";
  pipe.on("data", (data) => (written += String(data)));
  return { written: () => written, stream: pipe as unknown as NodeJS.WriteStream };
}

test("lines into a pipe are buffered; text of a cell is written at once", () => {
  const { written, stream } = open();
  const { write, flush } = createOutputStream(stream, {});
  write("first, after a pause\n");
  write("held\n");
  expect(written()).toBe("first, after a pause\n");
  write("of a cell\n", true);
  expect(written()).toBe("first, after a pause\nheld\nof a cell\n");
  write("held again\n");
  flush();
  expect(written()).toContain("held again");
});

test("standard error flushes standard output first", () => {
  const [output, errors] = [open(), open()];
  const stdout = createOutputStream(output.stream, {});
  const stderr = createOutputStream(errors.stream, {}, stdout);
  stdout.write("a");
  stdout.write("b");
  stderr.write("c");
  expect([output.written(), errors.written()]).toEqual(["ab", "c"]);
});
