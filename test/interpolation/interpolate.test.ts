import { describe, expect, test } from "vitest";
import {
  interpolate,
  isReachableName,
  locate,
  type Place,
  renderJson,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
} from "../../lib/interpolation/mod.ts";

describe("interpolate", () => {
  test("renders with an object and with a Map", () => {
    expect(interpolate("/users/{{user.id}}", { user: { id: 7 } })).toBe("/users/7");
    expect(interpolate("/users/{{id}}", new Map([["id", 7]]))).toBe("/users/7");
  });

  test.each<[place: Place, expected: string]>([
    ["text", '["{\n  "a": "\\""\n}"]'],
    ["url", '["{"a":"\\""}"]'],
    ["header", '["{"a":"\\""}"]'],
    ["json", '["{\\"a\\":\\"\\\\\\"\\"}"]'],
  ])("renders for %s", (place, expected) => {
    expect(interpolate('["{{o}}"]', { o: { a: '"' } }, place)).toBe(expected);
  });

  test("follows the quotes of the text across placeholders", () => {
    const rendered = interpolate('["{{q}}", {{n}}, "{{q}}{{q}}"]', { q: '"', n: 1 }, "json");
    expect(JSON.parse(rendered)).toEqual(['"', 1, '""']);
  });

  test.each([0, 1, 2, 3, 63, 64, 65, 66, 511, 512, 575, 576, 577, 578, 1088, 1089, 5000])(
    "reads placeholders beside runs of %i braces and blanks",
    (length) => {
      const [braces, blanks] = ["{".repeat(length), " ".repeat(length)];
      expect(interpolate(`${braces}{{a}}`, { a: 1 })).toBe(`${braces}1`);
      expect(interpolate(`${braces}1{{a}}`, { a: 1 })).toBe(`${braces}11`);
      expect(interpolate(`{{${blanks}a${blanks}}}`, { a: 1 })).toBe("1");
      expect(interpolate(`{{${blanks}\t a}}{{${blanks}!`, { a: 1 })).toBe(`1{{${blanks}!`);
    },
  );

  test("never scans a value", () => {
    expect(interpolate("{{a}}{{b}}", { a: "{{b}}", b: "\\{{" })).toBe("{{b}}\\{{");
    expect(interpolate("{{a}}b}}", { a: "{{", b: 1 })).toBe("{{b}}");
  });

  test("takes variables named like members of a Map", () => {
    expect(interpolate("{{get}} {{size}}", { get: 1, size: 2 })).toBe("1 2");
  });

  test("takes a read-only view of a map", () => {
    const map = new Map([["a", 1]]);
    const view = { get: map.get.bind(map), has: map.has.bind(map), keys: map.keys.bind(map) };
    expect(interpolate("{{a}}", view as unknown as ReadonlyMap<string, unknown>)).toBe("1");
    const [wrong] = [() => interpolate("{{b}}", view as unknown as ReadonlyMap<string, unknown>)];
    expect(wrong).toThrow('Did you mean "a"?');
  });

  test.each<[what: string, value: unknown, path: string, reason: string]>([
    ["undefined", undefined, "v.x", "undefined"],
    ["a function", () => 1, "v.x", "function"],
    ["NaN", Number.NaN, "v.x", "NaN"],
    ["an object that holds a function", { f: () => 1 }, "v.x.f", "function"],
    ["a Map", new Map(), "v.x", "Map"],
    ["an invalid date", new Date(Number.NaN), "v.x", "invalid date"],
  ])("refuses %s with a TypeError that names the path", (_, value, path, reason) => {
    const run = (): string => interpolate("a {{ v.x }}", { v: { x: value } });
    expect(run).toThrow(TypeError);
    expect(run).toThrow(`"${path}"`);
    expect(run).toThrow(reason);
  });

  test("refuses an undefined variable and element too, and a cycle", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => interpolate("{{v}}", { v: undefined })).toThrow(TypeError);
    expect(() => interpolate("{{v}}", new Map([["v", undefined]]))).toThrow(TypeError);
    expect(() => interpolate("{{v[0]}}", { v: [undefined] })).toThrow(TypeError);
    expect(() => interpolate("{{v}}", { v: cycle })).toThrow("a circular reference");
  });

  test("leaves alone what no placeholder reaches", () => {
    expect(interpolate("{{v.ok}}", { v: { ok: 1, bad: () => 1 }, worse: undefined })).toBe("1");
  });

  test("throws the named errors", () => {
    expect(() => interpolate("{{a..b}}", {})).toThrow(TemplateSyntaxError);
    expect(() => interpolate("{{a}}", {})).toThrow(UnresolvedPlaceholderError);
    expect(() => interpolate("{{a}} {{a..b}}", {})).toThrow(TemplateSyntaxError);
  });

  test.each<[what: string, run: () => unknown]>([
    ["template", () => interpolate(1 as unknown as string, {})],
    ["variables", () => interpolate("", null as unknown as Record<string, unknown>)],
    ["place", () => interpolate("", {}, "JSON" as Place)],
  ])("refuses a wrong %s with a TypeError", (_, run) => {
    expect(run).toThrow(TypeError);
    expect(run).toThrow(/^Cannot interpolate/);
  });
});

describe("renderJson", () => {
  test("keeps digits and writes dates", () => {
    const value = { id: 9007199254740993123n, at: new Date(0), n: 1e21, z: -0 };
    expect(renderJson(value)).toBe(
      '{"id":9007199254740993123,"at":"1970-01-01T00:00:00.000Z","n":1000000000000000000000,"z":0}',
    );
  });

  test("writes what JSON.stringify writes where that can", () => {
    const value = { "a\n": ["é\u2028\ud800", 1.5e-7 * 10, true, null, {}, [], [[]]], b: { c: "" } };
    expect(renderJson(value)).toBe(JSON.stringify(value));
    expect(renderJson(value, 2)).toBe(JSON.stringify(value, null, 2));
  });

  test("says so when a structure is too deep", () => {
    let deep: readonly unknown[] = [];
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    expect(() => renderJson(deep as never)).toThrow(TypeError);
  });
});

describe("isReachableName", () => {
  test.each(["a", "_", "a1", "a-b", "größe", "名前", "𝒳1", "e\u0301"])("accepts %j", (name) => {
    expect(isReachableName(name)).toBe(true);
    expect(interpolate(`{{${name}}}`, { [name]: 1 })).toBe("1");
  });

  test.each(["", "1a", "-a", "a.b", "a b", " a", "$a", "a[0]", "\u0301", "a\n", "a\ud800", "😀"])(
    "refuses %j",
    (name) => {
      expect(isReachableName(name)).toBe(false);
    },
  );
});

describe("locate", () => {
  test.each<[source: string, offset: number, line: number, column: number]>([
    ["", 0, 1, 1],
    ["ab", 1, 1, 2],
    ["a\nb", 2, 2, 1],
    ["a\r\nb", 3, 2, 1],
    ["a\rb", 2, 2, 1],
    ["\n\n", 2, 3, 1],
    ["😀b", 2, 1, 2],
    ["e\u0301b", 2, 1, 3],
    ["\ud800\ud800b", 2, 1, 3],
    ["\udc00b", 1, 1, 2],
    ["ab", 99, 1, 3],
  ])("finds in %j at %i line %i, column %i", (source, offset, line, column) => {
    expect(locate({ source }, offset)).toEqual({ line, column });
  });
});
