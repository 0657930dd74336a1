import { describe, expect, test } from "vitest";
import { EVERY, type Path, pathText } from "../../lib/interpolation/mod.ts";
import { compareShapes, inferShape, parsePathPattern, type Shape } from "../../lib/json/mod.ts";
import { describeShape, mergeShapes } from "../../lib/json/shape.ts";
import { verdictOn } from "../../lib/verify/mod.ts";

describe("inferShape", () => {
  const text = { type: "string" };
  const number = { type: "number" };
  test.each<[name: string, value: unknown, shape: unknown]>([
    ["null", null, { type: "null" }],
    ["a boolean", false, { type: "boolean" }],
    ["an integer", 1, number],
    ["a fraction", 1.5, number],
    ["a large integer", 12345678901234567890n, number],
    ["a text", "Ada", text],
    ["an empty text", "", text],
    ["an empty array", [], { type: "array", items: {} }],
    ["a list", [1, 2], { type: "array", items: number }],
    [
      "a mixed list",
      ["a", 1, null],
      { type: "array", items: { type: ["null", "number", "string"] } },
    ],
    ["an empty object", {}, { type: "object", properties: {}, required: [] }],
    ["a member", { id: 1 }, { type: "object", properties: { id: number }, required: ["id"] }],
    [
      "an optional member",
      [{ id: 1 }, { id: 2, name: "Ada" }],
      {
        type: "array",
        items: { type: "object", properties: { id: number, name: text }, required: ["id"] },
      },
    ],
    ["items of items", [[], [1]], { type: "array", items: { type: "array", items: number } }],
    [
      "a member with a name of Object.prototype",
      JSON.parse('{"__proto__":1,"constructor":"x"}'),
      {
        type: "object",
        properties: Object.fromEntries([
          ["__proto__", number],
          ["constructor", text],
        ]),
        required: ["__proto__", "constructor"],
      },
    ],
  ])("%s", (_name, value, shape) => {
    expect(inferShape(value)).toEqual(shape);
  });

  test.each([
    ["2026-11-23T06:00:00Z", "date-time"],
    ["2026-11-23T06:00:00.123+01:00", "date-time"],
    ["2026-11-23", "date"],
    ["2026-13-01", undefined],
    ["06:00:00Z", "time"],
    ["0190c5a4-7b0e-7cc0-8000-4d2c5b6a7f80", "uuid"],
    ["ada@example.com", "email"],
    ["ada@localhost", undefined],
    ["https://example.com/a?b=c", "uri"],
    ["mailto:ada", undefined],
    ["127.0.0.1", "ipv4"],
    ["256.0.0.1", undefined],
    ["::1", "ipv6"],
    ["2001:db8::8a2e:370:7334", "ipv6"],
    ["10:20", undefined],
    ["12:30:45", undefined],
    ["00:1b:44:11:3a:b7", undefined],
    ["2001:db8:1:2:3:4:5:6", "ipv6"],
    ["Ada Lovelace", undefined],
  ])("the format of %s is %s", (value, format) => {
    expect(inferShape(value)).toEqual({ type: "string", ...(format && { format }) });
  });

  test("a format stays only where every string has it", () => {
    expect(inferShape(["2026-11-23", null, "2026-11-24"])).toMatchObject({
      items: { type: ["null", "string"], format: "date" },
    });
    expect(inferShape(["2026-11-23", "soon"])).toEqual({
      type: "array",
      items: { type: "string" },
    });
  });

  test("an object with many members is a map", () => {
    const users = Object.fromEntries(Array.from({ length: 101 }, (_, id) => [`u${id}`, { id }]));
    expect(inferShape(users)).toEqual({
      type: "object",
      additionalProperties: inferShape({ id: 1 }),
    });
    expect(inferShape(Object.entries(users).map((entry) => Object.fromEntries([entry])))).toEqual({
      type: "array",
      items: { type: "object", additionalProperties: inferShape({ id: 1 }) },
    });
  });

  test("only what would change the shape is masked", () => {
    const asked: string[] = [];
    const masks = {
      key: (name: string) => name.replace("hushed", "•••"),
      text: (text: string) => {
        asked.push(text);
        return text.replace("hush-hush", "•••");
      },
      number: (digits: string) => {
        asked.push(digits);
        return digits === "4711" ? "•••" : digits;
      },
      at: () => masks,
    };
    const rows = ["Ada", "Bob", "hush-hush", "Eve"].map((name, id) => ({ id, name, hushed: 4711 }));
    expect(inferShape(rows, (text) => text.includes("•••"), masks)).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: { id: number, name: text, "•••": {} },
        required: ["id", "name", "•••"],
      },
    });
    expect(asked).toEqual(["0", "Ada", "4711", "4711", "4711", "4711"]);
  });

  test("a value deeper than the stack has a shape", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    expect(JSON.stringify(inferShape(deep)).length).toBeLessThan(5_000);
  });

  test("merging a shape with that of nothing changes nothing", () => {
    const shape = inferShape({ id: 1, tags: ["a"] });
    expect(mergeShapes(shape, {})).toEqual(shape);
    expect(mergeShapes({}, shape)).toEqual(shape);
    expect(mergeShapes(shape, shape)).toEqual(shape);
  });
});

describe("compareShapes", () => {
  const DATE = "2026-11-23";
  test.each<
    [name: string, promised: unknown, found: unknown, differences: string[], verdict: string]
  >([
    ["the same", { a: 1 }, { a: 2 }, [], "same"],
    ["another order", { a: 1, b: 2 }, { b: 1, a: 2 }, [], "same"],
    ["more items", [1], [1, 2, 3], [], "same"],
    ["no items", [{ id: 1 }], [], [], "same"],
    ["a new member", { a: 1 }, { a: 1, b: "x" }, ["new $.b:  → string"], "compatible"],
    ["items where there were none", [], [1], ["new $[*]:  → number"], "compatible"],
    ["a value where null was", { a: null }, { a: 1 }, ["type $.a: null → number"], "compatible"],
    ["null where null could be", [null, 1], [null], [], "same"],
    ["null where a value was", { a: 1 }, { a: null }, ["type $.a: number → null"], "drifted"],
    ["another type", { id: 1 }, { id: "1" }, ["type $.id: number → string"], "drifted"],
    ["an object for a list", [1], { a: 1 }, ["type $: array of number → object"], "drifted"],
    ["a member that is gone", { a: 1, b: 2 }, { a: 1 }, ["gone $.b: number → "], "drifted"],
    ["an optional one gone", [{ a: 1 }, {}], [{}], [], "same"],
    [
      "a member that is not always there",
      [{ a: 1 }],
      [{ a: 1 }, {}],
      ["optional $[*].a: number → not always there"],
      "drifted",
    ],
    [
      "a format gone",
      { at: DATE },
      { at: "soon" },
      ["format $.at: string (date) → string"],
      "drifted",
    ],
    ["a format gained", { at: "soon" }, { at: DATE }, [], "same"],
    [
      "all of them, parents first",
      { user: { id: 1, name: "x" } },
      { user: { id: "1", nick: "y" } },
      [
        "type $.user.id: number → string",
        "gone $.user.name: string → ",
        "new $.user.nick:  → string",
      ],
      "drifted",
    ],
    [
      "a name that needs quotes",
      { "a b": 1 },
      { "a b": "1" },
      ['type $["a b"]: number → string'],
      "drifted",
    ],
  ])("%s", (_name, promised, found, differences, verdict) => {
    const result = compareShapes(inferShape(promised), inferShape(found));
    expect(
      result.map((one) => `${one.kind} ${pathText(one.path)}: ${one.promised} → ${one.found}`),
    ).toEqual(differences);
    expect(verdictOn(result)).toBe(verdict);
  });

  test("maps are compared by what their members have in common", () => {
    const users = (id: unknown): object =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`u${at}${id}`, { id }]));
    expect(compareShapes(inferShape(users(1)), inferShape(users(2)))).toEqual([]);
    const [difference] = compareShapes(inferShape(users(1)), inferShape(users("x")));
    expect(pathText(difference?.path ?? [])).toBe("$[*].id");
  });
});

test.each<[text: string, shape: Shape]>([
  ["unknown", {}],
  ["number", { type: "number" }],
  ["string (uuid)", { type: "string", format: "uuid" }],
  ["null or string (date)", { type: ["null", "string"], format: "date" }],
  ["array", { type: "array", items: {} }],
  ["array of object", inferShape([{ a: 1 }])],
])("a shape is described as %s", (text, shape) => {
  expect(describeShape(shape)).toBe(text);
});

describe("parsePathPattern", () => {
  test.each<[pattern: string, path: readonly (string | number)[], matches: boolean]>([
    ["$", [], true],
    ["$", ["a"], true],
    ["$.a", ["a"], true],
    ["$.a", ["a", "b"], true],
    ["$.a.b", ["a"], false],
    ["$.a", ["b"], false],
    ['$["a b"]', ["a b"], true],
    ["$.items[*].at", ["items", 3, "at"], true],
    ["$.items[0].at", ["items", 3, "at"], false],
    ["$.*", ["any"], true],
    ["$..at", ["items", 3, "at"], true],
    ["$..at", ["at"], true],
    ["$..at", ["items", 3], false],
    ["$['a','b'].c", ["b", "c"], true],
  ])("%s and %j: %s", (pattern, path, matches) => {
    expect(parsePathPattern(pattern)(path)).toBe(matches);
  });

  test("an index stands for all items of a shape", () => {
    const [difference] = compareShapes(inferShape([{ a: 1 }]), inferShape([{ a: "1" }]));
    expect(parsePathPattern("$[0].a")(difference?.path ?? [])).toBe(true);
  });

  test.each<[pattern: string, path: Path, matches: boolean]>([
    ["$.x[-1]", ["x", 2], true],
    ["$.x[-1]", ["x", 2, "a"], true],
    ["$.x[-1]", ["x", 1], false],
    ["$.x[-3].a", ["x", 0, "a"], true],
    ["$.x[-4]", ["x", 0], false],
    ["$..[-1]", ["y", 0, 1], true],
    ["$..[-1]", ["y", 0, 0], true],
    ["$..[-2]", ["y", 0, 1], false],
    ["$['x',\"y\"][-1,0]", ["x", 0], true],
    ["$.z[-1]", ["z", "a"], false],
    ["$.x[-1]", ["x", EVERY], true],
  ])("%s counts from the end of a list: %j", (pattern, path, matches) => {
    const value = { x: [1, 2, { a: 3 }], y: [[1, 2]], z: { a: 1 } };
    expect(parsePathPattern(pattern)(path, value)).toBe(matches);
  });

  test.each([
    ["items", '"items" is not a JSONPath: expected "$" at character 1'],
    ["$.", '"$." is not a JSONPath: expected a property name or "*" at character 3'],
    ["$.a b", '"$.a b" is not a JSONPath: expected ".", "[" or the end at character 4'],
    ["$[?@.a]", '"$[?@.a]" has a filter or a slice; use names, indexes, "*" and ".."'],
  ])("%s is an error", (pattern, message) => {
    expect(() => parsePathPattern(pattern)).toThrow(new SyntaxError(message));
  });
});
