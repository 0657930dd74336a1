import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createBufferedReporter } from "../../kernel/notebook/run/buffered-reporter.ts";
import type { Reporter } from "../../kernel/notebook/run/reporter.ts";

const CELL = { type: "code", id: "a", source: "GET http://a.test", metadata: {} } as const;
const SHOWN = { value: 1, metadata: {}, bundle: () => ({ "text/plain": "1" }) };
const ERROR = { name: "E", message: "", traceback: [], cause: undefined };

function recorder(): { readonly reporter: Reporter; readonly told: string[] } {
  const told: string[] = [];
  const tell = (name: string) => () => void told.push(name);
  const reporter: Reporter = {
    documentStarted: tell("document"),
    text: tell("text"),
    cellStarted: (_cell, number) => void told.push(`started ${number}`),
    stream: (_name, text) => void told.push(`stream ${text}`),
    show: tell("show"),
    failed: tell("failed"),
    uncaught: tell("uncaught"),
    waiting: tell("waiting"),
    givenUp: tell("given up"),
    cellEnded: tell("ended"),
  };
  return { reporter, told };
}

const fail = (error: unknown): never => {
  throw error;
};

describe("a late reporter", () => {
  test("goes on where something could not be told, and says so", () => {
    const { reporter, told } = recorder();
    const show = (): never => {
      throw new Error("no");
    };
    const failures: unknown[] = [];
    const late = createBufferedReporter({ ...reporter, show }, (error) => failures.push(error));
    late.soon.show(SHOWN);
    late.soon.cellEnded();
    late.now.show(SHOWN);
    late.now.text(CELL);
    expect(told).toEqual(["ended", "text"]);
    expect(failures).toEqual([new Error("no"), new Error("no")]);
  });

  test("tells of answers a moment later, in their order", async () => {
    const { reporter, told } = recorder();
    const { soon } = createBufferedReporter(reporter, fail);
    soon.cellStarted(CELL, 1, 2);
    soon.show(SHOWN);
    soon.cellEnded();
    soon.cellStarted(CELL, 2, 2);
    expect(told).toEqual([]);
    await setTimeout(100);
    expect(told).toEqual(["started 1", "show", "ended", "started 2"]);
  });

  test.each<[string, (reporter: Reporter) => void]>([
    ["stream x", (reporter) => reporter.stream("stdout", "x")],
    ["failed", (reporter) => reporter.failed(ERROR)],
    ["uncaught", (reporter) => reporter.uncaught(ERROR, 1, 1)],
    ["text", (reporter) => reporter.text({ ...CELL, type: "markdown" })],
    ["waiting", (reporter) => reporter.waiting([])],
    ["given up", (reporter) => reporter.givenUp([], 1)],
  ])("tells %s at once, behind what waits, whichever way it is told", async (name, tell) => {
    for (const way of ["now", "soon"] as const) {
      const { reporter, told } = recorder();
      const late = createBufferedReporter(reporter, fail);
      late.soon.show(SHOWN);
      tell(late[way]);
      expect(told).toEqual(["show", name]);
      await setTimeout(100);
      expect(told).toEqual(["show", name]);
    }
  });

  test("tells of a cell that computes at once", () => {
    const { reporter, told } = recorder();
    const { now, soon } = createBufferedReporter(reporter, fail);
    soon.cellEnded();
    now.cellStarted(CELL, 2, 2);
    now.show(SHOWN);
    expect(told).toEqual(["ended", "started 2", "show"]);
  });

  test("tells the rest when it is asked to, once", async () => {
    const { reporter, told } = recorder();
    const { soon, flush } = createBufferedReporter(reporter, fail);
    soon.show(SHOWN);
    flush();
    await setTimeout(100);
    expect(told).toEqual(["show"]);
  });
});
