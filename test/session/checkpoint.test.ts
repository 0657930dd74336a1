import { expect, test } from "vitest";
import type { RunningLimit } from "../../kernel/session/cell-limit.ts";
import { createCheckpoint } from "../../kernel/session/checkpoint.ts";

const LATE = new Error("late");
const limit = (isOver: boolean): RunningLimit => ({
  reason: LATE,
  start: () => undefined,
  stop: () => undefined,
  remaining: () => 1,
  isOver: () => isOver,
});
const run = <T>(script: () => T): T => script();
const events = (checkpoint: () => void) => ({ run, checkpoint });

test("a loop ends at the limit of the running cell, and the cell with it", () => {
  const ends: Error[] = [];
  const checkpoint = createCheckpoint(
    events(() => undefined),
    (reason) => ends.push(reason) > 0,
  );
  checkpoint.setLimit(limit(false));
  expect(checkpoint.events?.checkpoint?.()).toBeUndefined();
  checkpoint.setLimit(limit(true));
  expect(() => checkpoint.events?.checkpoint?.()).toThrow(LATE);
  expect(ends).toEqual([LATE]);
  expect(checkpoint.hasEndedWith(LATE)).toBe(true);
  checkpoint.setLimit(undefined);
  expect(checkpoint.events?.checkpoint?.()).toBeUndefined();
});

test("what ends a loop while no cell runs is news", () => {
  const reason = new Error("interrupted");
  const throwing = events(() => {
    throw reason;
  });
  const checkpoint = createCheckpoint(throwing, () => false);
  expect(() => checkpoint.events?.checkpoint?.()).toThrow(reason);
  expect(checkpoint.hasEndedWith(reason)).toBe(false);
});

test("where no loops are to end, none is looked at", () => {
  const none = { run };
  expect(createCheckpoint(none, () => true).events).toBe(none);
  expect(createCheckpoint(undefined, () => true).events).toBeUndefined();
});
