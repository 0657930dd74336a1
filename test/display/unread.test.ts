import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { renderBundle } from "../../lib/display/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";

/** Called by what nothing but a program may call. */
type Called = (what: string) => never;

const DISPLAY = Symbol.for("Jupyter.display");

function getter(called: Called, what: string): PropertyDescriptor {
  return { get: () => called(what), enumerable: true, configurable: true };
}

function withGetter(called: Called, ...keys: PropertyKey[]): object {
  const getters = keys.map((key) => [key, getter(called, String(key))] as const);
  return Object.defineProperties({ ok: 1 }, Object.fromEntries(getters));
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** A proxy each of whose traps throws. */
function trapped<T extends object>(target: T): T {
  const thrower = (_: object, trap: PropertyKey) => (): never => {
    throw new Error(`trap ${String(trap)}`);
  };
  return new Proxy(target, new Proxy({}, { get: thrower }));
}

/** Values, and what their HTML or, without that, their plain text says. */
const VALUES: readonly (readonly [string, (called: Called) => unknown, RegExp])[] = [
  ["a getter", (it) => withGetter(it, "boom"), /boom.*\[Getter\]/s],
  [
    "a setter",
    () => Object.defineProperty({ ok: 1 }, "one", { set: () => 1, enumerable: true }),
    /one.*\[Setter\]/s,
  ],
  [
    "both",
    () => Object.defineProperty({}, "one", { get: () => 1, set: () => 1, enumerable: true }),
    /\[Getter\/Setter\]/,
  ],
  ["one inside", (it) => ({ inside: withGetter(it, "boom") }), /ok.*boom.*\[Getter\]/s],
  ["one of a row", (it) => [withGetter(it, "boom"), { boom: 2, ok: 3 }], /\[Getter\].*3.*2/s],
  ["one of a list", (it) => Object.defineProperty([1, 2, {}], 1, getter(it, "1")), /\[Getter\]/],
  ["one in a map", (it) => new Map([["key", withGetter(it, "boom")]]), /key.*\[Getter\]/s],
  ["one in a set", (it) => new Set([withGetter(it, "boom")]), /boom.*\[Getter\]/s],
  [
    "one beside a long text",
    (it) => ({ a: "x".repeat(400_000), b: withGetter(it, "c") }),
    /Getter/,
  ],
  [
    "one of an instance",
    (it) =>
      Object.assign(
        new (class Lazy {
          one = 1;
          get two() {
            return it("two");
          }
        })(),
      ),
    /Lazy.*one/s,
  ],
  ["one below the name of a secret", (it) => withGetter(it, "password"), /password.*\[Getter\]/s],
  ["a constructor", (it) => withGetter(it, "constructor"), /\[Getter\]/],
  [
    "one of a prototype",
    (it) => Object.create(withGetter(it, "constructor"), { a: { value: 1, enumerable: true } }),
    /a.*1/s,
  ],
  ["what is thenable", (it) => withGetter(it, "then"), /\[Getter\]/],
  ["what an error has", (it) => withGetter(it, "name", "message", "stack"), /\[Getter\]/],
  ["what a response has", (it) => withGetter(it, "request", "status", "bytes"), /\[Getter\]/],
  ["what a number has", (it) => withGetter(it, "isLosslessNumber", "toString"), /\[Getter\]/],
  ["a display", (it) => withGetter(it, DISPLAY), /ok.*1/s],
  ["a revoked proxy", () => revoked({}), /^<Revoked Proxy>$/],
  ["one inside of an object", () => ({ a: revoked({}), b: 1 }), /&lt;Revoked Proxy&gt;.*1/s],
  ["one among rows", () => [revoked([]), { a: 1 }], /&lt;Revoked Proxy&gt;.*1/s],
  ["one of a function", () => revoked(() => 1), /^<Revoked Proxy>$/],
  ["traps that throw", () => trapped({ a: 1 }), /^\{ a: 1 \}$/],
  ["those of a list", () => trapped([1, {}]), /^\[ 1, \{\} \]$/],
  [
    "those of a function",
    () =>
      trapped(function one() {
        return 1;
      }),
    /^\[Function: one\]$/,
  ],
  ["those inside of an object", () => ({ a: trapped({}), b: 1 }), /\[Thrown: trap \w+\].*1/s],
  ["those among rows", () => [trapped({}), { a: 1 }], /\[Thrown: trap \w+\].*1/s],
  [
    "a proxy that has every property",
    () => new Proxy({}, { get: (_, key) => () => `${key as string}` }),
    /^\{\}$/,
  ],
  [
    "what only inherits from a date",
    () => Object.setPrototypeOf({ a: 1 }, Date.prototype),
    /a.*1/s,
  ],
  ["what only calls itself headers", () => ({ [Symbol.toStringTag]: "Headers", a: 1 }), /a.*1/s],
  ["what only calls itself a map", () => ({ [Symbol.toStringTag]: "Map", a: 1 }), /a.*1/s],
  ["what only calls itself an error", () => ({ [Symbol.toStringTag]: "Error", a: 1 }), /a.*1/s],
  [
    "what only calls itself a pattern",
    () => ({ [Symbol.toStringTag]: "RegExp", toString: null, a: 1 }),
    /a.*1/s,
  ],
];

describe("no code of a value is run to show it", () => {
  it.each(VALUES)("%s", (_, make, says) => {
    const calls: string[] = [];
    const called: Called = (what) => {
      calls.push(what);
      throw new Error(`called ${what}`);
    };
    const value = make(called);
    const failures: unknown[] = [];
    const bundle = renderBundle(value, {
      inspect,
      secrets: [createSecretStore()],
      onFailure: (error) => failures.push(error),
    });
    expect(bundle["text/plain"]).toBe(inspect(value));
    expect(bundle["text/html"] ?? bundle["text/plain"]).toMatch(says);
    expect(JSON.stringify(bundle)).not.toMatch(/called|at .*members/);
    expect([calls, failures]).toEqual([[], []]);
  });

  it("what the console of the host cannot show is shown all the same", () => {
    const named = Object.defineProperty(() => 1, "name", {
      get: () => {
        throw new Error("name");
      },
    });
    const tagged = withGetter(() => {
      throw new Error("tag");
    }, Symbol.toStringTag);
    expect(renderBundle(named, { inspect })["text/plain"]).toContain("Function");
    expect(renderBundle(tagged, { inspect })["text/plain"]).toContain("ok");
  });

  it("an error shows what it carries, and hides what is secret by its name", () => {
    const carried = { code: "E_LIMIT", status: 429, response: new Response("", { status: 429 }) };
    const config = { headers: { Authorization: "Bearer abcdefgh1234" } };
    const { "text/plain": plain } = renderBundle(
      Object.assign(new RangeError("too many"), carried, { config }),
      { secrets: [createSecretStore()] },
    );
    expect(plain).toMatch(/^RangeError: too many\n/);
    expect(plain).toMatch(/code +E_LIMIT\nstatus +429\nresponse +\[Response: 429.*\]\nconfig /);
    expect(plain).not.toContain("abcdefgh1234");
  });
});
