import type { Runtime } from "node:inspector";
import { Session as Inspector } from "node:inspector/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession, type Session } from "../../kernel/session/mod.ts";

/**
 * Random sequences of cells, in a session and in V8's own prompt: each cell ends alike, and leaves the same values. V8 lets
 * a name be declared anew by a declaration of the same kind only, so each name here has one kind. Names are used behind
 * their declarations only: elsewhere a cell is refused before it runs.
 */
const KINDS = {
  let: ["a", "b", "c"],
  const: ["k", "m"],
  var: ["v", "w"],
  function: ["f"],
  class: ["P"],
} as const;
const NAMES: readonly string[] = Object.values(KINDS).flat();
const CHANGEABLE = NAMES.filter((name) => !KINDS.const.some((it) => it === name));
const SEQUENCES = 20;
const CELLS = 12;

const inspector = new Inspector();
let session: Session;

beforeAll(async () => {
  inspector.connect();
  session = await createSession({ platform: { directory: import.meta.dirname } });
});
afterAll(async () => {
  inspector.disconnect();
  await session.close();
});

test.each(Array.from({ length: SEQUENCES }, (_, index) => index))(
  "sequence %i",
  { retry: 0 },
  async (seed) => {
    await session.reset();
    const writer = new CellWriter(seed);
    // V8's prompt forgets nothing: each sequence has names of its own.
    const inOwnWords = (text: string): string => text.replace(/\$(\w+)/g, `$1_${seed}`);
    const ran: string[] = [];
    const compare = async (cell: string): Promise<unknown> => {
      ran.push(cell);
      const [ours, theirs] = [await runInSession(cell), await runInV8(cell)];
      expect(ours, ran.join("\n// ---\n")).toEqual(theirs);
      return theirs;
    };
    let known: readonly string[] = [];
    for (let count = 0; count < CELLS; count++) {
      await compare(inOwnWords(writer.write(known)));
      const found = await Promise.all(NAMES.map((name) => runInV8(inOwnWords(`$${name}; 0`))));
      known = NAMES.filter((_, index) => found[index] !== FAILED);
      const looks = known.map(
        (name) => `[typeof $${name}, Reflect.get(Object($${name}), "name"), $${name}]`,
      );
      await compare(inOwnWords(`JSON.stringify([${looks.join(", ")}])`));
      const unknown = NAMES.find((name) => !known.includes(name));
      if (unknown !== undefined) await compare(inOwnWords(`$${unknown}`));
    }
  },
);

const FAILED = "failed";

/** The value of a cell; how errors are worded is no matter here. */
async function runInSession(cell: string): Promise<unknown> {
  const sink = { stream: () => undefined, display: () => undefined };
  const outcome = await session.execute(cell, sink);
  if (outcome.status !== "ok") return FAILED;
  return outcome.result?.value;
}

async function runInV8(cell: string): Promise<unknown> {
  const given = { expression: cell, replMode: true, awaitPromise: true, silent: true };
  // The declarations of `node:inspector/promises` forget what it resolves to.
  const evaluated: unknown = await inspector.post("Runtime.evaluate", given);
  const { result, exceptionDetails } = evaluated as Runtime.EvaluateReturnType;
  return exceptionDetails === undefined ? result.value : FAILED;
}

/** Writes cells of JavaScript; a name is written with a `$` before it. */
class CellWriter {
  #state: number;
  /** The names that may be used. */
  #known: string[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#state = seed * 7919 + 1;
  }

  write(known: readonly string[]): string {
    const declared = this.#shuffled(NAMES).slice(0, this.#below(4));
    this.#known = known.filter((name) => !declared.includes(name));
    const statements = [this.#use()];
    for (const name of declared) statements.push(this.#declare(name), this.#use());
    if (this.#below(6) === 0) statements.splice(this.#below(statements.length), 0, "throw 0");
    // As the last value: V8 returns that of a statement before a declaration, too.
    return [...statements, "0"].join(";\n");
  }

  #declare(name: string): string {
    const value = this.#value();
    const kind = Object.keys(KINDS).find((it) =>
      KINDS[it as keyof typeof KINDS].some((one) => one === name),
    );
    const forms: Readonly<Record<string, readonly string[]>> = {
      let: [`let $${name} = ${value}`, `let $${name}`, `let { x: $${name} = ${value} } = { }`],
      const: [`const $${name} = ${value}`, `const [, $${name} = ${value}] = [1]`],
      var: [
        `var $${name} = ${value}`,
        `var $${name}`,
        `for (var $${name} of [1, 2]) { }`,
        `for (var $${name} = 0; $${name} < 3; $${name}++) { }`,
        `{ var { length: $${name} } = "four" }`,
      ],
      function: [`function $${name}() { return ${value} }`],
      class: [`class $${name} { static get() { return ${value} } }`],
    };
    this.#known.push(name);
    return this.#one(forms[kind ?? ""] ?? []);
  }

  #use(): string {
    const changeable = this.#known.filter((name) => CHANGEABLE.includes(name));
    const name = changeable.length === 0 ? undefined : this.#one(changeable);
    if (name === undefined) return this.#value();
    return this.#one([
      `$${name} = ${this.#value()}`,
      `[$${name}] = [${this.#value()}]`,
      `({ x: $${name} } = { x: ${this.#value()} })`,
      `$${name} ??= ${this.#value()}`,
      `$${name}++`,
      `for ($${name} of [${this.#value()}]) { }`,
      `(() => { $${name} = ${this.#value()} })()`,
      `await new Promise((done) => setTimeout(() => { $${name} = ${this.#value()}; done() }))`,
      `$${this.#one(this.#known)}?.()`,
      `Reflect.get(Object($${this.#one(this.#known)}), "get")?.()`,
    ]);
  }

  #value(): string {
    this.#count += 1;
    const name = this.#known.length === 0 ? undefined : this.#one(this.#known);
    if (name === undefined) return String(this.#count);
    const changeable = CHANGEABLE.includes(name);
    return this.#one([
      String(this.#count),
      `"text ${this.#count}"`,
      `() => $${name}`,
      `(function () { return [typeof $${name}, this === undefined] })`,
      `JSON.stringify({ $${name} })`,
      ...(changeable
        ? [`(given) => { $${name} = ${this.#count} }`, `($${name} = ${this.#count})`]
        : []),
    ]);
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.#below(left.length), 1)[0] as T);
  }

  /** A linear congruential generator: the same cells each time. */
  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}
