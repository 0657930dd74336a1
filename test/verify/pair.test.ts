import { describe, expect, test } from "vitest";
import { type PlacedSummary, pairResponses } from "../../lib/verify/mod.ts";

function placed(text: string): PlacedSummary {
  const [place = "", method = "", url = "", name] = text.split(" ");
  const [cell = "", index = "0"] = place.split("/");
  const summary = { method, url, status: 200, type: "", ...(name === undefined ? {} : { name }) };
  return { ...(cell === "-" ? {} : { cell }), index: Number(index), summary };
}

const A = "http://localhost:1/a";
const B = "http://localhost:1/b";

describe("pairResponses", () => {
  test.each<[name: string, promised: string[], found: string[], pairs: readonly (number | null)[]]>(
    [
      [
        "the same places",
        [`c1/0 GET ${A}`, `c2/0 GET ${A}`],
        [`c1/0 GET ${A}`, `c2/0 GET ${A}`],
        [0, 1],
      ],
      ["a new request in a cell", [`c1/0 GET ${A}`], [`c1/0 GET ${B}`, `c1/1 GET ${A}`], [null, 0]],
      ["another URL at the same place", [`c1/0 GET ${A}?q=1`], [`c1/0 GET ${A}?q=2`], [0]],
      ["another method at the same place", [`c1/0 GET ${A}`], [`c1/0 POST ${A}`], [null]],
      ["a request that moved, by its name", [`c1/0 GET ${A} list`], [`c2/0 GET ${B} list`], [0]],
      ["a request that moved, by its URL", [`c1/0 GET ${A}`], [`c2/0 GET ${A}`], [0]],
      ["another free port", [`c1/0 GET ${A}`], ["c9/0 GET http://localhost:2/a"], [0]],
      [
        "a masked part",
        ["-/0 GET http://x.test/a?key=•••"],
        ["c1/0 GET http://x.test/a?key=1"],
        [0],
      ],
      [
        "a recording, in its order",
        [`-/0 GET ${A}`, `-/1 GET ${A}`],
        [`c1/0 GET ${A}`, `c2/0 GET ${A}`],
        [0, 1],
      ],
      ["nothing promised", [], [`c1/0 GET ${A}`], [null]],
    ],
  )("%s", (_name, promised, found, expected) => {
    const [before, after] = [promised.map(placed), found.map(placed)];
    const { promised: pairs, unanswered } = pairResponses(before, after);
    const indexes = after.map((one) => {
      const match = pairs.get(one);
      return match === undefined ? null : before.indexOf(match);
    });
    expect(indexes).toEqual(expected);
    expect(unanswered).toEqual(before.filter((_one, index) => !expected.includes(index)));
  });
});
