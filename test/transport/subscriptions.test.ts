import fc from "fast-check";
import { expect, test } from "vitest";
import { ProtocolError } from "../../kernel/jupyter/zmtp/frames.ts";
import { Subscriptions } from "../../kernel/jupyter/zmtp/publisher.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const add = (prefix: string) => Buffer.concat([Uint8Array.of(1), bytes(prefix)]);
const cancel = (prefix: string) => Buffer.concat([Uint8Array.of(0), bytes(prefix)]);

test("nothing matches before a subscription, everything after the empty one", () => {
  const subscriptions = new Subscriptions(() => undefined);
  expect(subscriptions.matches(bytes(""))).toBe(false);
  subscriptions.message([add("")]);
  expect(subscriptions.matches(bytes(""))).toBe(true);
  expect(subscriptions.matches(bytes("kernel.1.stream"))).toBe(true);
});

test("a subscription ends with its cancellation", () => {
  const subscriptions = new Subscriptions(() => undefined);
  subscriptions.message([add("abc")]);
  expect(subscriptions.matches(bytes("abcd"))).toBe(true);
  subscriptions.message([cancel("abc")]);
  expect(subscriptions.matches(bytes("abcd"))).toBe(false);
});

test("two subscriptions to one prefix need two cancellations, and one too many does nothing", () => {
  const subscriptions = new Subscriptions(() => undefined);
  for (const message of [add("a"), add("a"), cancel("a")]) subscriptions.message([message]);
  expect(subscriptions.matches(bytes("a"))).toBe(true);
  for (const message of [cancel("a"), cancel("a"), add("a")]) subscriptions.message([message]);
  expect(subscriptions.matches(bytes("a"))).toBe(true);
});

test("other messages are ignored", () => {
  const subscriptions = new Subscriptions(() => undefined);
  subscriptions.message([]);
  subscriptions.message([bytes("")]);
  subscriptions.message([bytes("\x02x")]);
  expect(subscriptions.matches(bytes("x"))).toBe(false);
});

test("onAdded is called for every subscription, repeated ones included", () => {
  const told: string[] = [];
  const subscriptions = new Subscriptions((prefix) => told.push(String(Buffer.from(prefix))));
  for (const message of [add("a"), add("a"), cancel("a"), add("")])
    subscriptions.message([message]);
  expect(told).toEqual(["a", "a", ""]);
});

test("the memory for one peer's subscriptions is limited", () => {
  const subscriptions = new Subscriptions(() => undefined);
  expect(() => {
    for (let index = 0; index < 1_000_000; index += 1) subscriptions.message([add(String(index))]);
  }).toThrow(ProtocolError);
});

test("matching agrees with startsWith for any prefixes and cancellations", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "\u00ff"), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), word)), word, (steps, topic) => {
      const subscriptions = new Subscriptions(() => undefined);
      const counts = new Map<string, number>();
      for (const [adding, prefix] of steps) {
        const count = counts.get(prefix) ?? 0;
        counts.set(prefix, Math.max(0, count + (adding ? 1 : -1)));
        subscriptions.message([(adding ? add : cancel)(prefix)]);
      }
      const expected = [...counts].some(([prefix, count]) => count > 0 && topic.startsWith(prefix));
      expect(subscriptions.matches(bytes(topic))).toBe(expected);
    }),
  );
});
