import fc from "fast-check";
import { expect, test } from "vitest";
import { ProtocolError } from "../../kernel/jupyter/zmtp/endpoint.ts";
import { createSubscriptions } from "../../kernel/jupyter/zmtp/publisher.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const add = (prefix: string) => ({ name: "SUBSCRIBE", data: bytes(prefix) });
const cancel = (prefix: string) => ({ name: "CANCEL", data: bytes(prefix) });

test("nothing matches before a subscription, everything after the empty one", () => {
  const subscriptions = createSubscriptions(() => undefined);
  expect(subscriptions.matches(bytes(""))).toBe(false);
  subscriptions.command(add(""));
  expect(subscriptions.matches(bytes(""))).toBe(true);
  expect(subscriptions.matches(bytes("kernel.1.stream"))).toBe(true);
});

test("subscriptions work as messages (ZMTP 3.0) and as commands (ZMTP 3.1)", () => {
  const subscriptions = createSubscriptions(() => undefined);
  subscriptions.message([bytes("\x01abc")]);
  expect(subscriptions.matches(bytes("abcd"))).toBe(true);
  subscriptions.command(cancel("abc"));
  expect(subscriptions.matches(bytes("abcd"))).toBe(false);
  subscriptions.command(add("abc"));
  subscriptions.message([bytes("\x00abc")]);
  expect(subscriptions.matches(bytes("abcd"))).toBe(false);
});

test("two subscriptions to one prefix need two cancellations, and one too many does nothing", () => {
  const subscriptions = createSubscriptions(() => undefined);
  for (const command of [add("a"), add("a"), cancel("a")]) subscriptions.command(command);
  expect(subscriptions.matches(bytes("a"))).toBe(true);
  for (const command of [cancel("a"), cancel("a"), add("a")]) subscriptions.command(command);
  expect(subscriptions.matches(bytes("a"))).toBe(true);
});

test("other messages and commands are ignored", () => {
  const subscriptions = createSubscriptions(() => undefined);
  subscriptions.message([]);
  subscriptions.message([bytes("")]);
  subscriptions.message([bytes("\x02x")]);
  subscriptions.command({ name: "HELLO", data: bytes("") });
  expect(subscriptions.matches(bytes("x"))).toBe(false);
});

test("onAdded is called for every subscription, repeated ones included", () => {
  const told: string[] = [];
  const subscriptions = createSubscriptions((prefix) => told.push(String(Buffer.from(prefix))));
  for (const command of [add("a"), add("a"), cancel("a"), add("")]) subscriptions.command(command);
  expect(told).toEqual(["a", "a", ""]);
});

test("the memory for one peer's subscriptions is limited", () => {
  const subscriptions = createSubscriptions(() => undefined);
  expect(() => {
    for (let index = 0; index < 1_000_000; index += 1) subscriptions.command(add(String(index)));
  }).toThrow(ProtocolError);
});

test("matching agrees with startsWith for any prefixes and cancellations", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "\u00ff"), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), word)), word, (steps, topic) => {
      const subscriptions = createSubscriptions(() => undefined);
      const counts = new Map<string, number>();
      for (const [adding, prefix] of steps) {
        const count = counts.get(prefix) ?? 0;
        counts.set(prefix, Math.max(0, count + (adding ? 1 : -1)));
        subscriptions.command((adding ? add : cancel)(prefix));
      }
      const expected = [...counts].some(([prefix, count]) => count > 0 && topic.startsWith(prefix));
      expect(subscriptions.matches(bytes(topic))).toBe(expected);
    }),
  );
});
