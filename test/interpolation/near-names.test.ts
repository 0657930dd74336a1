import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearNames } from "../../lib/interpolation/near-names.ts";

/** The optimal string alignment distance by its definition, one cell of its table after the other. */
function distanceOf(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1));
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.NaN;
  for (let row = 0; row <= from.length; row++) {
    for (let column = 0; column <= to.length; column++) {
      const own = rows[row] as number[];
      if (row === 0 || column === 0) own[column] = row + column;
      else {
        const cost = from[row - 1] === to[column - 1] ? 0 : 1;
        const isSwapped =
          cost === 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
        own[column] = Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + cost,
          ...(isSwapped ? [at(row - 2, column - 2) + 1] : []),
        );
      }
    }
  }
  return at(from.length, to.length);
}

describe("names near to another one", () => {
  test.each([
    ["tokne", ["token", "took", "other"], ["token"]],
    ["Token", ["TOKEN", "tokem", "tokens"], ["TOKEN", "tokem", "tokens"]],
    ["id", ["ids", "it", "other", ""], ["ids", "it"]],
    ["naïve", ["naive", "native"], ["naive"]],
    ["a".repeat(60), ["a".repeat(59), "b".repeat(60)], ["a".repeat(59)]],
    ["", [""], [""]],
  ])("%j among %j are %j", (name, known, near) => {
    expect(nearNames(name, known)).toEqual(near);
  });

  test("are those of the least distances", () => {
    const name = fc.string({ maxLength: 24, unit: fc.constantFrom(..."abcdé_") });
    const most = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 8 }), most, (wanted, known, allowed) => {
        const near = known
          .map((one) => ({ one, distance: distanceOf(wanted, one) }))
          .filter(({ distance }) => distance <= allowed)
          .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1));
        expect(nearNames(wanted, known, 3, allowed)).toEqual(
          near.slice(0, 3).map(({ one }) => one),
        );
      }),
      { numRuns: 3_000 },
    );
  });
});
