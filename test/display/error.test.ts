import { describe, expect, it } from "vitest";
import { viewError } from "../../lib/display/error.ts";
import { textWidth, toText } from "../../lib/display/mod.ts";
import { interpolate, parseRequests } from "../../lib/mod.ts";

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown");
}

function textOf(error: unknown, width?: number): string {
  return toText(viewError(error, { isOwnFrame: () => true, ...(width ? { width } : {}) }));
}

function faulty(source: string, start: number, end: number, message = "wrong"): Error {
  const line = source.slice(0, start).split("\n").length;
  return Object.assign(new Error(message), {
    source,
    faults: [{ message, line, column: 1, span: { start, end } }],
  });
}

describe("viewError", () => {
  it("draws a caret for each fault, in order, with its hint", () => {
    const error = caught(() => interpolate("A {{one}}\nB {{user.x}}", { user: { y: 1 } }));
    const text = textOf(error);
    expect(text).toMatch(
      /^UnresolvedPlaceholderError: 2 faults\n1 │ A \{\{one\}\}\n {2}│ {3}\^{7}\n/,
    );
    expect(text).toMatch(/\n2 │ B \{\{user\.x\}\}\n {2}│ {3}\^{10}\n {2}│ .*user\.x/);
  });

  it("draws faults of requests", () => {
    const text = textOf(caught(() => parseRequests("GTE http://localhost/users\n")));
    expect(text).toContain("1 │ GTE http://localhost/users\n  │ ^^^");
  });

  it.each([
    ["a tab before the stretch", "\tx{{a}}", 2, "1 │     x{{a}}\n  │      ^^^^^"],
    ["wide characters before it", "日本{{a}}", 2, "1 │ 日本{{a}}\n  │     ^^^^^"],
    ["wide characters inside it", "a{{日本}}", 1, "1 │ a{{日本}}\n  │  ^^^^^^^^"],
    ["control characters before it", "\u001b[2J{{a}}", 4, "1 │ ␛[2J{{a}}\n  │     ^^^^^"],
    ["a carriage return at the end of the line", "{{a}}\r\nx", 0, "1 │ {{a}}\n  │ ^^^^^"],
  ])("aligns carets with %s", (_, source, start, expected) => {
    const end = source.indexOf("}}") + 2;
    expect(textOf(faulty(source, start, end))).toContain(`\n${expected}\n  │ wrong`);
  });

  it("puts one caret where the stretch is empty or at the very end", () => {
    expect(textOf(faulty("abc", 3, 3))).toContain("1 │ abc\n  │    ^\n");
    expect(textOf(faulty("", 0, 0))).toContain("1 │\n  │ ^\n");
  });

  it("marks the first line of a stretch over several lines", () => {
    expect(textOf(faulty("a\nbcd\nef", 3, 8))).toContain("2 │ bcd\n  │  ^^\n");
  });

  it("shows a window of a long line, carets under the same characters", () => {
    const source = `${"日x".repeat(3000)}{{bad}}${"y".repeat(100_000)}`;
    const lines = textOf(faulty(source, 6000, 6007), 60).split("\n");
    const [drawn = "", carets = ""] = lines.slice(1);
    expect(textWidth(drawn)).toBeLessThanOrEqual(60);
    expect(drawn).toMatch(/^1 │ ….*\{\{bad\}\}y+…$/);
    expect(textWidth(drawn.slice(0, drawn.indexOf("{{bad}}")))).toBe(carets.indexOf("^"));
    expect(carets.match(/\^/g)).toHaveLength(7);
  });

  it("shows the user's lines of the trace and none of ours, whatever the message holds", () => {
    const error = new Error("bad\n    at fake (/home/me/fake.ts:1:1)");
    const message = `${error.name}: ${error.message}`;
    error.stack = [
      message,
      "    at mine (/home/me/cell.ts:2:3)",
      "    at async node:internal/process:1:1",
      `    at ours (${new URL("../../lib/http/send.ts", import.meta.url).pathname}:9:9)`,
      "    at tool (/x/node_modules/tslab/dist/executor.js:1:1)",
    ].join("\n");
    expect(toText(viewError(error)).split("\n").slice(2)).toEqual([
      "    at mine (/home/me/cell.ts:2:3)",
    ]);
  });

  it("shows causes, and ends where they turn in a circle", () => {
    const inner = new TypeError("inner");
    const outer = new Error("outer", { cause: inner });
    inner.cause = outer;
    expect(textOf(outer)).toBe("Error: outer\nCaused by\nTypeError: inner");
  });

  it.each<[string, () => Error, string]>([
    ["a text", () => new Error("a", { cause: "why" }), "Error: a\nCaused by\nThrown: why"],
    ["null", () => new Error("a", { cause: null }), "Error: a\nCaused by\nThrown: null"],
    [
      "data",
      () => new Error("a", { cause: { code: 7, at: [1] } }),
      'Error: a\nCaused by\nThrown: {"code":7,"at":[1]}',
    ],
    [
      "itself, once",
      () => {
        const [error, other] = [new Error("a"), new Error("b")];
        other.cause = error;
        error.cause = other;
        return error;
      },
      "Error: a\nCaused by\nError: b",
    ],
  ])("shows a cause that is %s", (_, make, expected) => {
    const error = make();
    for (const one of [error, error.cause]) if (one instanceof Error) one.stack = "";
    expect(textOf(error)).toBe(expected);
  });

  it("shows both errors of a SuppressedError", () => {
    const [error, suppressed] = [new TypeError("at the end"), new RangeError("before")];
    const both = Object.assign(new Error("both"), { name: "SuppressedError", error, suppressed });
    for (const one of [both, error, suppressed]) one.stack = "";
    expect(textOf(both)).toBe(
      "SuppressedError: both\nThrown while disposing\nTypeError: at the end\nIt suppressed\nRangeError: before",
    );
  });

  it("shows what an AggregateError gathers", () => {
    const error = new AggregateError([new TypeError("one"), "two"], "both");
    expect(textOf(error)).toBe(
      "AggregateError: both\nTogether with\nTypeError: one\nTogether with\nThrown: two",
    );
  });

  it.each([
    ["a text", "oops", "Thrown: oops"],
    ["nothing", undefined, "Thrown: undefined"],
    ["an object", { message: "m" }, "Error: m"],
  ])("shows what was thrown where it is %s", (_, thrown, expected) => {
    expect(textOf(thrown)).toBe(expected);
  });
});
