import { describe, expect, test } from "vitest";
import { runInOrder } from "../../kernel/run/suite.ts";

/** Tasks that end when they are told to. */
function createTasks() {
  const ends = new Map<number, () => void>();
  const started: number[] = [];
  return {
    started,
    end: (item: number) => ends.get(item)?.(),
    run: (item: number): Promise<string> => {
      started.push(item);
      return new Promise((resolve) => ends.set(item, () => resolve(`done ${item}`)));
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("runInOrder", () => {
  test("starts as many as the limit, and passes results on in order", async () => {
    const { started, end, run } = createTasks();
    const passedOn: string[] = [];
    const all = runInOrder([1, 2, 3], 2, run, (result) => void passedOn.push(result));
    expect(started).toEqual([1, 2]);
    end(2);
    await turn();
    expect([started, passedOn]).toEqual([[1, 2, 3], []]);
    end(1);
    await turn();
    expect(passedOn).toEqual(["done 1", "done 2"]);
    end(3);
    await all;
    expect(passedOn).toEqual(["done 1", "done 2", "done 3"]);
  });

  test("a result is passed on when that has ended for the one before it, and tasks go on meanwhile", async () => {
    const { started, end, run } = createTasks();
    const events: string[] = [];
    const passing = new Map<string, () => void>();
    const all = runInOrder([1, 2, 3], 2, run, async (result) => {
      events.push(result);
      await new Promise<void>((resolve) => passing.set(result, resolve));
      events.push(`${result} is passed on`);
    });
    for (const item of [1, 2, 3]) {
      end(item);
      await turn();
    }
    expect([started, events]).toEqual([[1, 2, 3], ["done 1"]]);
    for (const item of [1, 2, 3]) {
      passing.get(`done ${item}`)?.();
      await turn();
    }
    await all;
    const expected = [1, 2, 3].flatMap((item) => [`done ${item}`, `done ${item} is passed on`]);
    expect(events).toEqual(expected);
  });

  test("an error is thrown when the tasks that run have ended", async () => {
    const ended: number[] = [];
    const all = runInOrder(
      [1, 2],
      2,
      async (item) => {
        await turn();
        if (item === 1) throw new Error("broken");
        await turn();
        ended.push(item);
      },
      () => undefined,
    );
    await expect(all).rejects.toThrow("broken");
    expect(ended).toEqual([2]);
  });
});
