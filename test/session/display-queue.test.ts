import { describe, expect, it } from "vitest";
import { DisplayQueue } from "../../kernel/session/display-queue.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";

const display = Symbol.for("Jupyter.display");
const plainOf = (value: unknown): object => ({ [display]: async () => ({ "text/plain": value }) });

function createQueue(limit?: number) {
  const shown: string[] = [];
  const queue = new DisplayQueue({ secrets: createSecretStore() }, limit);
  const add = (value: unknown): void =>
    queue.add(value, (one) => shown.push(one.bundle()["text/plain"]));
  return { queue, shown, add };
}

describe("a queue of displays", () => {
  it("shows a value at once, and keeps the order after one that takes a while", async () => {
    const { queue, shown, add } = createQueue();
    add("first");
    expect(shown).toEqual(["first"]);
    add(plainOf("second"));
    add("third");
    expect(shown).toEqual(["first"]);
    const result = await queue.end("result");
    expect(shown).toEqual(["first", "second", "third"]);
    expect(result.bundle()["text/plain"]).toBe("result");
    add("at once");
    expect(shown).toHaveLength(4);
  });

  it("shows an error in place of a display that does not settle, and goes on", async () => {
    const { queue, shown, add } = createQueue(5);
    add({ [display]: () => new Promise(() => undefined) });
    add("next");
    const result = await queue.end(new Promise(() => undefined));
    expect(shown[0]).toContain(
      "Showing the value failed: its display method did not finish within 0.005 s",
    );
    expect(shown[1]).toBe("next");
    expect(result.bundle()["text/plain"]).toContain("did not finish");
    expect(result.failure).toBeDefined();
  });

  it("calls the method of a value once for all that shows it", async () => {
    let calls = 0;
    const value = { [display]: () => ({ "text/plain": String(++calls) }) };
    const result = await createQueue().queue.end(value);
    expect([result.bundle()["text/plain"], result.bundle()["text/plain"]]).toEqual(["1", "1"]);
    expect(result.value).toBe(value);
    expect(calls).toBe(1);
  });
});
