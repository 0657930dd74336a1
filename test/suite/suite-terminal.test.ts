import { describe, expect, test } from "vitest";
import { SuiteTerminal } from "../../kernel/run/suite-terminal.ts";
import { createStream } from "../support/terminal-stream.ts";
import { FILES, suiteOf } from "./reports/sample-suite.ts";

describe("SuiteTerminal", () => {
  test("a terminal shows what is done, failed and running, and the time", async () => {
    const [stdout, stderr] = [createStream(true), createStream(true)];
    const terminal = new SuiteTerminal({ stdout, stderr });
    const running = { progress: { done: 3, failed: 1, cell: "a.http [4/9] list" } };
    terminal.fileStarted(running);
    terminal.fileStarted({ progress: { done: 2, failed: 0, cell: "b.http [3/3] get\u001b[2J" } });
    await expect
      .poll(() => stderr.written)
      .toMatch(/5 done, 1 failed: a\.http \[4\/9\] list, b\.http \[3\/3\] get\S+ \d\.\d s$/);
    terminal.fileEnded(running);
    await expect.poll(() => stderr.written).toContain("5 done, 1 failed: b.http");
    terminal.end(suiteOf(FILES));
    expect(stderr.written.endsWith("\r\u001b[K")).toBe(true);
  });

  test("a pipe gets results only: failures with their places, and totals", () => {
    const [stdout, stderr] = [createStream(false), createStream(false)];
    const terminal = new SuiteTerminal({ stdout, stderr });
    for (const file of FILES) terminal.file(file);
    terminal.end(suiteOf(FILES));
    const { written } = stdout;
    expect(written.split("\n").slice(0, 3)).toEqual([
      "FAIL api/users.http: 1 failed, 2 passed, 1 flaky, 800 ms",
      "FAIL tour.ipynb [row 2]: 2 failed, 0 passed, 2 not run, 1 skipped, 300 ms",
      "",
    ]);
    expect(written).toContain("\napi/users.http:5 fails, <b>");
    expect(written).toContain("\ntour.ipynb:cell 2:4 down [row 2]\n  │ NoResponseError: refused\n");
    expect(written).toContain("flaky: flaky, passed on attempt 3; status == 200");
    expect(written).toContain("\napi/users.http:3 a request: warning: Not run: <b>");
    expect(written).toMatch(
      /3 failed, 2 passed, 1 flaky, 2 not run, 1 skipped, 1 assertion, 2 files, 1\.3 s\n$/,
    );
    // A response cannot act on the terminal.
    expect(written).not.toContain("\u001b");
    expect(stderr.written).toBe("");
  });
});
