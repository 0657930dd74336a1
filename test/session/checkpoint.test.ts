import { expect, test } from "vitest";
import { createLimit, createOwners, type RunningLimit } from "../../kernel/session/cell/mod.ts";
import { type CheckedCell, createCheckpoint } from "../../kernel/session/checkpoint.ts";
import { type CellOutput, runInCell } from "../../kernel/session/output.ts";

const LATE = new Error("late");
const limit = (isOver: boolean): RunningLimit => ({
  reason: LATE,
  start: () => undefined,
  pause: () => undefined,
  stop: () => undefined,
  remaining: () => 1,
  isOver: () => isOver,
});
const run = <T>(script: () => T): T => script();

/** A cell that is running, and what it has failed with beside its own end. */
function cell(isOver = false): CheckedCell & { readonly told: unknown[] } {
  const owner = createOwners().create();
  const told: unknown[] = [];
  const output = { owner, fail: (error: unknown) => told.push(error) } as unknown as CellOutput;
  return { output, limit: limit(isOver), end: (reason) => owner.end(reason), told };
}

/** A checkpoint of a session whose flag is up where a reason is given. */
function checkpointWith(reason?: Error): {
  readonly checkpoint: ReturnType<typeof createCheckpoint>;
  lookAs(it: CheckedCell): void;
} {
  const checkpoint = createCheckpoint({
    run,
    checkpoint: () => {
      if (reason !== undefined) throw reason;
    },
  });
  return {
    checkpoint,
    lookAs: (it) => runInCell(it.output, () => checkpoint.events?.checkpoint?.()),
  };
}

test("a loop ends at the limit of its cell, and the cell with it", () => {
  const { checkpoint, lookAs } = checkpointWith();
  const early = cell();
  checkpoint.setRunning(early);
  lookAs(early);
  const late = cell(true);
  checkpoint.setRunning(late);
  // A timer of another cell only tells that it is over.
  lookAs(early);
  expect(late.output.owner.reason).toBe(LATE);
  expect(() => lookAs(late)).toThrow(LATE);
  checkpoint.setRunning(undefined);
  expect(() => lookAs(late)).toThrow(LATE);
  lookAs(early);
});

test("an interrupt ends the code that computes and the running cell, and the other cell reports it", () => {
  const reason = new Error("interrupted");
  const { checkpoint, lookAs } = checkpointWith(reason);
  const [left, running] = [cell(), cell()];
  checkpoint.setRunning(running);
  expect(() => lookAs(left)).toThrow(reason);
  expect([left, running].map(({ output }) => output.owner.reason)).toEqual([reason, reason]);
  expect([left.told, running.told]).toEqual([[reason], []]);
});

test("other code is not ended right after a cell was interrupted", () => {
  const { checkpoint, lookAs } = checkpointWith(new Error("interrupted"));
  const [other, running] = [cell(), cell()];
  checkpoint.setRunning(running);
  expect(() => lookAs(running)).toThrow("interrupted");
  lookAs(other);
  expect([other.output.owner.reason, other.told]).toEqual([undefined, []]);
});

test("without a checkpoint in the events no loop is checked", () => {
  const none = { run };
  expect(createCheckpoint(none).events).toBe(none);
  expect(createCheckpoint(undefined).events).toBeUndefined();
});

test("of several sessions in a process, a loop ends at the limit of its own", () => {
  const [first, second] = [checkpointWith(), checkpointWith()];
  const [late, other] = [cell(true), cell()];
  first.checkpoint.setRunning(late);
  second.checkpoint.setRunning(other);
  // The code of all sessions calls the function of the session that was opened last.
  expect(() => second.lookAs(late)).toThrow(LATE);
  second.lookAs(other);
  expect(other.output.owner.reason).toBeUndefined();
});

test("a limit that was paused goes on where it stopped", async () => {
  const running = createLimit({ milliseconds: 10_000, reason: LATE }, () => undefined);
  running.start();
  const left = running.remaining();
  const before = performance.now();
  running.pause();
  const paused = performance.now();
  await new Promise((done) => setTimeout(done, 50));
  const resumed = performance.now();
  running.start();
  const counted = paused - before + performance.now() - resumed;
  expect(running.remaining()).toBeGreaterThan(left - counted - 2);
  running.stop();
  running.start();
  expect(running.isOver()).toBe(false);
});
