import { expect, test } from "vitest";
import type { RunningLimit } from "../../kernel/session/cell-limit.ts";
import { createLoopEnd } from "../../kernel/session/loop-end.ts";

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
  const loops = createLoopEnd(
    events(() => undefined),
    (reason) => ends.push(reason) > 0,
  );
  loops.setLimit(limit(false));
  expect(loops.events?.checkpoint?.()).toBeUndefined();
  loops.setLimit(limit(true));
  expect(() => loops.events?.checkpoint?.()).toThrow(LATE);
  expect(ends).toEqual([LATE]);
  expect(loops.hasEndedWith(LATE)).toBe(true);
  loops.setLimit(undefined);
  expect(loops.events?.checkpoint?.()).toBeUndefined();
});

test("what ends a loop while no cell runs is news", () => {
  const reason = new Error("interrupted");
  const throwing = events(() => {
    throw reason;
  });
  const loops = createLoopEnd(throwing, () => false);
  expect(() => loops.events?.checkpoint?.()).toThrow(reason);
  expect(loops.hasEndedWith(reason)).toBe(false);
});

test("where no loops are to end, none is looked at", () => {
  const none = { run };
  expect(createLoopEnd(none, () => true).events).toBe(none);
  expect(createLoopEnd(undefined, () => true).events).toBeUndefined();
});
