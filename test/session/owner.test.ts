import { describe, expect, test } from "vitest";
import { createOwners, unlessAborted, unlessEnded } from "../../kernel/session/cell/mod.ts";

const REASON = new Error("ended");

describe("an owner", () => {
  test("calls its listeners when it is ended, except those that were removed", () => {
    const owner = createOwners().create();
    const reasons: unknown[] = [];
    const remove = owner.listen(() => reasons.push("removed"));
    owner.listen((reason) => reasons.push(reason));
    remove();
    owner.end(REASON);
    expect(reasons).toEqual([REASON]);
  });

  test.each(["it", "its session"])("calls a listener at once if %s has ended", (which) => {
    const owners = createOwners();
    const owner = owners.create();
    (which === "it" ? owner : owners).end(REASON);
    const reasons: unknown[] = [];
    owner.listen((reason) => reasons.push(reason));
    expect(reasons).toEqual([REASON]);
  });
});

test("waiting for work that ends leaves an owner without listeners", async () => {
  const owner = createOwners().create();
  let listening = 0;
  const listen = (listener: (reason: Error) => void): (() => void) => {
    const forget = owner.listen(listener);
    listening += 1;
    return () => {
      listening -= 1;
      forget();
    };
  };
  expect(await unlessEnded({ listen }, Promise.resolve(1))).toBe(1);
  expect(listening).toBe(0);
  const waiting = unlessEnded({ listen }, new Promise<never>(() => undefined));
  owner.end(REASON);
  await expect(waiting).rejects.toBe(REASON);
});

describe("unlessAborted", () => {
  const never = new Promise<never>(() => undefined);

  test("waits for the work", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve(1))).toBe(1);
  });

  test("rejects when the signal is aborted, before or during the work", async () => {
    await expect(unlessAborted(AbortSignal.abort(REASON), never)).rejects.toBe(REASON);
    const controller = new AbortController();
    const waiting = unlessAborted(controller.signal, never);
    controller.abort(REASON);
    await expect(waiting).rejects.toBe(REASON);
  });
});
