import { describe, expect, test } from "vitest";
import { pathText } from "../../lib/interpolation/mod.ts";
import {
  compareShapes,
  compareValues,
  fitShape,
  inferShape,
  parseJson,
  parsePathPattern,
  readShape,
  readVerifyRule,
  type Shape,
  verifyRuleFault,
} from "../../lib/json/mod.ts";

const long = (last = "3"): unknown => parseJson(`1.${"0".repeat(30)}${last}`);

describe("compareValues", () => {
  test.each<[name: string, promised: unknown, found: unknown, differences: readonly string[]]>([
    ["equal values", { id: 1, tags: ["a"] }, { tags: ["a"], id: 1 }, []],
    ["another value", { id: 1 }, { id: 2 }, ["$.id value 1 2"]],
    ["another type", { id: 1 }, { id: "1" }, ['$.id value 1 "1"']],
    ["null", { id: 1 }, { id: null }, ["$.id value 1 null"]],
    ["a new member", {}, { id: 1 }, ["$.id new  1"]],
    ["a member that is gone", { id: 1 }, {}, ["$.id gone 1 "]],
    ["the number of items", [1], [1, 2], ["$ length 1 2"]],
    ["an item", [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 3 }], ["$[1].id value 2 3"]],
    ["an object for a list", [], {}, ["$ value [] {}"]],
    ["zeros of either sign, and numbers with their digits", [-0, long()], [0, long()], []],
    ["a long number", [long()], [long("4")], ["$[0] value 1 1"]],
    ["a masked text", { token: "•••" }, { token: "abc" }, []],
    ["an ignored member", { at: 1, id: 1 }, { at: 2, id: 1 }, []],
  ])("%s", (_name, promised, found, differences) => {
    const rules = {
      isIgnored: parsePathPattern("$..at"),
      isEqual: (one: unknown, other: unknown) => [one, other].includes("•••") || undefined,
    };
    const write = (value: unknown): string => JSON.stringify(value) ?? "";
    const lines = [...compareValues(promised, found, rules)].map(
      ({ path, kind, expected, actual }) =>
        [pathText(path), kind, write(expected), write(actual)].join(" "),
    );
    expect(lines).toEqual(differences);
  });

  test("values that are nested very deeply do not exhaust the stack", () => {
    const nested = (depth: number): unknown =>
      Array.from({ length: depth }).reduce((inner) => [inner], 1);
    expect([...compareValues(nested(5_000), nested(5_000))]).toEqual([]);
  });
});

describe("fitShape", () => {
  const shape = inferShape({ user: { address: { city: "Bern" } }, tags: ["a"] });

  test("leaves a shape that fits as it is", () => {
    expect(fitShape(shape, 1_000)).toEqual({ shape, isCut: false });
  });

  test("leaves out the deepest levels", () => {
    const { shape: cut, isCut } = fitShape(shape, JSON.stringify(shape).length - 1);
    expect(isCut).toBe(true);
    expect(cut.properties?.["user"]?.properties?.["address"]).toEqual({ type: "object" });
    expect(fitShape(shape, 0)).toEqual({ shape: { type: "object" }, isCut: true });
  });

  test("nothing is known about what was left out", () => {
    expect(compareShapes(fitShape(shape, 0).shape, shape)).toEqual([]);
    expect(compareShapes(shape, fitShape(shape, 0).shape)).toEqual([]);
  });
});

describe("readShape", () => {
  test("reads what was stored", () => {
    const shape = inferShape([{ id: 1, at: "2026-01-02", tags: [] }, { id: null }]);
    expect(readShape(JSON.parse(JSON.stringify(shape)))).toEqual(shape);
  });

  test.each<[value: unknown, shape: Shape]>([
    [null, {}],
    ["object", {}],
    [[], {}],
    [{ type: 3, format: {}, items: "x", properties: [], required: 1 }, {}],
    [{ type: ["string", "rubbish", 4], format: "rubbish" }, { type: "string" }],
    [
      { properties: { a: null }, required: ["a", 1] },
      { properties: { a: {} }, required: ["a"] },
    ],
  ])("of %j it reads what is valid", (value, shape) => {
    expect(readShape(value)).toEqual(shape);
  });

  test("a shape that is nested very deeply does not exhaust the stack", () => {
    const deep = Array.from({ length: 50_000 }).reduce<object>((items) => ({ items }), {});
    expect(() => readShape(deep)).not.toThrow();
  });
});

describe("the rule of a request", () => {
  test("is read from annotations", () => {
    const entries = [
      ["verify", "exact"],
      ["ignore", "$.a"],
      ["ignore", "$..b"],
      ["name", "x"],
    ] as const;
    expect(readVerifyRule(entries)).toEqual({ mode: "exact", ignore: ["$.a", "$..b"] });
    expect(readVerifyRule([["name", "x"]])).toBeUndefined();
  });

  test.each([
    ["verify", "exakt", '"exakt" is unknown as a value of "verify"'],
    ["verify", "", '"" is unknown as a value of "verify"'],
    ["verify", 3, '3 is unknown as a value of "verify"'],
    ["ignore", "items", '"items" is not a JSONPath: expected "$" at character 1'],
    ["ignore", null, 'A value of "ignore" is not a string'],
    ["verify", "off", undefined],
    ["ignore", "$.items[*].at", undefined],
    ["timeout", "x", undefined],
  ])("%s %j", (key, value, message) => {
    expect(verifyRuleFault(key, value)?.message).toBe(message);
  });
});
