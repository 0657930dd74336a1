import { describe, expect, test } from "vitest";
import { findSlow, PUMPS } from "./growth.ts";
import { PARSERS } from "./parsers.ts";

describe("the time of parsers grows with the text and no faster", () => {
  for (const [name, { run, around = [["", ""]], half }] of Object.entries(PARSERS)) {
    test(name, { timeout: 300_000 }, () => {
      const slow = around.flatMap(([before, behind], place) => {
        const pumps = PUMPS.filter(
          (_, index) => half === undefined || (place + index) % 2 === half,
        );
        const found = findSlow(pumps, run, (pumped) => before + pumped + behind);
        return found.map((one) => ({ before, ...one }));
      });
      expect(slow).toEqual([]);
    });
  }
});
