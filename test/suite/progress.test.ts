import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { currentPlatform } from "../../kernel/platform/mod.ts";
import { checkCommand } from "../../kernel/run/check-command.ts";
import { parseHttp } from "../../kernel/run/read-document.ts";
import { TerminalReporter } from "../../kernel/run/terminal-reporter.ts";
import { createClient } from "../../lib/mod.ts";
import { makeFolder } from "../support/folders.ts";
import { createStream } from "../support/terminal-stream.ts";

const ENDED = { assertions: [], skipped: [], duration: 1 };

test("short cells that print nothing show how far they are", async () => {
  const [stdout, stderr] = [createStream(true), createStream(true)];
  const { secrets } = createClient();
  const document = parseHttp("### a\nGET http://h/a\n\n### b\nGET http://h/b\n", "api.http");
  const reporter = new TerminalReporter({ stdout, stderr, secrets, form: "brief" });
  reporter.documentStarted(document);
  const [first, second] = document.cells;
  if (first === undefined || second === undefined) throw new Error("the document has two cells");
  reporter.cellStarted(first, 1, 2);
  reporter.cellEnded(ENDED);
  reporter.cellStarted(second, 2, 2);
  reporter.show({ value: 1, metadata: {}, bundle: () => ({ "text/plain": "1" }) });
  await expect.poll(() => stderr.written).toMatch(/api\.http \[2\/2\] GET http:\/\/h\/b \d\.\d s$/);
  reporter.cellEnded(ENDED);
  expect(stderr.written.endsWith("\u001b[K")).toBe(false);
  reporter.stop();
  expect(stderr.written.endsWith("\r\u001b[K")).toBe(true);
  expect(stdout.written).toBe("");
});

test("check announces a long file at a terminal, and erases that before its result", async () => {
  const directory = makeFolder("progress");
  const path = join(directory, "long.http");
  writeFileSync(path, `### r\nGET http://127.0.0.1:9/${"a".repeat(1000)}\n\n`.repeat(500));
  for (const isTerminal of [true, false]) {
    const [stdout, stderr] = [createStream(false), createStream(isTerminal)];
    const platform = { ...currentPlatform(), directory, stdout, stderr };
    expect(await checkCommand({ files: [path], variables: [] }, platform)).toBe(0);
    const shown = isTerminal ? `\r\u001b[KChecking ${path} [1/1]` : "";
    expect(stderr.written.startsWith(shown)).toBe(true);
    expect(stderr.written.endsWith(`${isTerminal ? "\r\u001b[K" : ""}No faults in 1 file\n`)).toBe(
      true,
    );
  }
});
