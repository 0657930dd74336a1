import { describe, expect, test } from "vitest";
import { findSlow } from "./growth.ts";
import { PARSERS } from "./parsers.ts";

describe("the time of parsers grows with the text and no faster", () => {
  for (const [name, { run, around = [["", ""]] }] of Object.entries(PARSERS)) {
    test(name, { timeout: 300_000 }, () => {
      const slow = around.flatMap(([before, behind]) =>
        findSlow(run, (pumped) => before + pumped + behind).map((found) => ({ before, ...found })),
      );
      expect(slow).toEqual([]);
    });
  }
});
