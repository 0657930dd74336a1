import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  createNumberText,
  isNumberText,
  renderJson,
  snapshotValue,
} from "../../lib/interpolation/mod.ts";

/** Evaluates in another realm, where Date and Array are not ours. */
function foreign(code: string): unknown {
  return runInContext(code, createContext({}));
}

class Point {
  x = 1;
  #hidden = 2;
  get sum(): number {
    return this.x + this.#hidden;
  }
}

const shared = { a: 1 };
const toJsonOnce = { toJSON: () => ({ toJSON: 1, a: 2 }) };

describe("snapshotValue accepts", () => {
  test.each<[what: string, value: unknown, json: string]>([
    ["a string", "x", '"x"'],
    ["a number", 1.5, "1.5"],
    ["a bigint", 123n, "123"],
    ["a boolean", false, "false"],
    ["null", null, "null"],
    ["nested plain data", { a: [1, { b: null }] }, '{"a":[1,{"b":null}]}'],
    ["a date", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["a date of another realm", foreign("new Date(0)"), '"1970-01-01T00:00:00.000Z"'],
    ["an array of another realm", foreign("[1, [2], { a: 3 }]"), '[1,[2],{"a":3}]'],
    ["a class instance by its own keys", new Point(), '{"x":1}'],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ["an object with toJSON", new URL("http://api.test/"), '"http://api.test/"'],
    ["what toJSON returns without asking it again", toJsonOnce, '{"toJSON":1,"a":2}'],
    ["an object held twice", [shared, shared], '[{"a":1},{"a":1}]'],
    ["an own __proto__ key", JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ["a number kept as text", { n: createNumberText("1e400") }, '{"n":1e400}'],
    [
      "data that looks like a number kept as text",
      { isLosslessNumber: true },
      '{"isLosslessNumber":true}',
    ],
    ["symbol keys by leaving them out", { a: 1, [Symbol("s")]: 2 }, '{"a":1}'],
    [
      "keys that are not enumerable by leaving them out",
      Object.defineProperty({ a: 1 }, "b", { value: 2 }),
      '{"a":1}',
    ],
    ["an object that calls itself a Date", { [Symbol.toStringTag]: "Date", a: 1 }, '{"a":1}'],
    ["an object that calls itself a Number", { [Symbol.toStringTag]: "Number", a: 1 }, '{"a":1}'],
  ])("%s", (_, value, json) => {
    expect(renderJson(snapshotValue(value, "v"))).toBe(json);
  });

  test("keys named __proto__ without changing a prototype", () => {
    const copy = snapshotValue(JSON.parse('{"__proto__":{"a":1}}'), "v") as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(["__proto__"]);
  });

  test("what a lossless JSON library made of a long number", async () => {
    const { parse } = await import("lossless-json");
    const copy = snapshotValue(parse('{"id": 12345678901234567890.5}'), "v") as { id: object };
    expect(isNumberText(copy.id)).toBe(true);
    expect(String(copy.id)).toBe("12345678901234567890.5");
  });
});

describe("snapshotValue copies", () => {
  test("so that later changes do not show", () => {
    const original = { list: [1], at: new Date(0) };
    const copy = snapshotValue(original, "v");
    original.list.push(2);
    original.at.setTime(1);
    expect(copy).toEqual({ list: [1], at: new Date(0) });
  });

  test("what is held twice once", () => {
    const copy = snapshotValue([shared, shared], "v") as object[];
    expect(copy[0]).toBe(copy[1]);
    expect(copy[0]).not.toBe(shared);
  });

  test("what is shared at every level, without multiplying it", () => {
    let value: unknown = "end";
    for (let level = 0; level < 200; level++) value = [value, value];
    expect(Array.isArray(snapshotValue(value, "v"))).toBe(true);
  });
});

const cycle: { list: unknown[] } = { list: [] };
cycle.list.push({ back: cycle });

describe("snapshotValue refuses", () => {
  test.each<[value: unknown, path: string, reason: string]>([
    [undefined, "v", "undefined"],
    [() => 1, "v", "function"],
    [Symbol("s"), "v", "symbol"],
    [Number.NaN, "v", "NaN"],
    [{ a: Number.POSITIVE_INFINITY }, "v.a", "Infinity"],
    [{ tags: ["a", "b", undefined] }, "v.tags[2]", "undefined"],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tried
    [[1, , 2], "v[1]", "undefined"],
    [{ "a b": { c: () => 1 } }, 'v["a b"].c', "function"],
    [new Date(Number.NaN), "v", "invalid date"],
    [foreign("[new Date(NaN)]"), "v[0]", "invalid date"],
    [cycle, "v.list[0].back", "a circular reference"],
    [Promise.resolve(1), "v", "await it"],
    [foreign("Promise.resolve(1)"), "v", "await it"],
    [new Map(), "v", "Object.fromEntries"],
    [new Set(), "v", "[...set]"],
    [new WeakMap(), "v", "WeakMap"],
    [/x/, "v", "RegExp"],
    [new Error("x"), "v", "message"],
    [new Uint8Array(2), "v", "Uint8Array"],
    [Buffer.from("x"), "v", "Uint8Array"],
    [new ArrayBuffer(2), "v", "ArrayBuffer"],
    [new DataView(new ArrayBuffer(2)), "v", "DataView"],
    [new Headers(), "v", "Headers"],
    [new URLSearchParams(), "v", "toString"],
    [new AbortController().signal, "v", "AbortSignal"],
    [{ toJSON: () => new Map() }, "v", "Map"],
    [{ toJSON: () => undefined }, "v", "undefined"],
    [Object(Symbol("s")), "v", "Symbol"],
    [Object("s"), "v", "String"],
    [Object(1), "v", "Number"],
  ])("%o, naming its path", (value, path, reason) => {
    const run = (): unknown => snapshotValue(value, "v");
    expect(run).toThrow(TypeError);
    expect(run).toThrow(`Cannot use the value of "${path}": it `);
    expect(run).toThrow(reason);
  });

  test("structures too deep for the stack, with a path that can be read", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 10_000; depth++) deep = { a: deep };
    const run = (): unknown => snapshotValue(deep, "v");
    expect(run).toThrow(TypeError);
    expect(run).toThrow(/^Cannot use the value of "v\.a.{50,300}": it is nested too deeply$/);
  });

  test("no structure that a path of 1,000 steps leads into", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 1000; depth++) deep = [deep];
    expect(renderJson(snapshotValue(deep, "v"))).toHaveLength(2001);
  });

  test("nothing because a getter throws: the error is passed on", () => {
    const value = {
      get a(): never {
        throw new RangeError("mine");
      },
    };
    expect(() => snapshotValue(value, "v")).toThrow("mine");
  });
});

describe("a number kept as text", () => {
  test.each<[text: string, value: number | bigint]>([
    ["12", 12],
    ["9007199254740993", 9007199254740993n],
    ["1.5", 1.5],
    ["1e3", 1000],
  ])("%s has a value for arithmetic", (text, value) => {
    const number = createNumberText(text);
    expect(number.valueOf()).toBe(value);
    expect(`${number.toString()}`).toBe(text);
    expect(Object.keys(number)).toEqual(["isLosslessNumber"]);
  });

  test.each(["", "01", "1.", "0x1", "1 2", "NaN", "1n", '1,"a":2'])("cannot be %j", (text) => {
    expect(() => createNumberText(text)).toThrow(TypeError);
  });
});
