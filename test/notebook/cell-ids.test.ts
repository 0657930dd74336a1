import { describe, expect, test } from "vitest";
import { createCellIds } from "../../kernel/run/document.ts";

const idsOf = (given: readonly unknown[]): readonly string[] => given.map(createCellIds());

describe("cell ids", () => {
  test.each([
    [
      ["a", "B_2-c"],
      ["a", "B_2-c"],
    ],
    [
      [undefined, "", "a b", "x".repeat(65), 7],
      ["cell-1", "cell-2", "cell-3", "cell-4", "cell-5"],
    ],
    [
      ["a", "a", "a"],
      ["a", "cell-2", "cell-3"],
    ],
    [
      ["cell-3", "cell-3-2", "!", "cell-3"],
      ["cell-3", "cell-3-2", "cell-3-3", "cell-4"],
    ],
  ])("%j become %j", (given, expected) => {
    expect(idsOf(given)).toEqual(expected);
  });

  test("an id is found where all that come to mind are taken", () => {
    const taken = ["cell-40"];
    for (let id = "cell-40"; taken.length < 39; ) {
      id = `${id.slice(0, 60)}-39`;
      taken.push(taken.includes(id) ? `x${taken.length}` : id);
    }
    const ids = idsOf([...taken, undefined]);
    expect(new Set(ids).size).toBe(40);
    expect(ids.at(-1)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });
});
