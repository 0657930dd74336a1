import { expect, test } from "vitest";
import { describePending, describeWaiting } from "../../kernel/terminal/mod.ts";
import { createClient } from "../../lib/mod.ts";

const { secrets } = createClient();
const request = { method: "GET", url: "http://ada:pass@h/a?token=b#c", startedAt: new Date(0) };

test.each([
  [[], undefined],
  [[request], "GET http://h/a"],
  [[{ ...request, received: 1_500_000 }], "GET http://h/a  1.5 MB"],
  [[{ ...request, received: 1_500, total: 4_000_000 }], "GET http://h/a  1.5 kB of 4.0 MB"],
  [[{ ...request, received: 9, total: 4 }, request, request], "GET http://h/a  9 bytes and 2 more"],
])("case %#", (pending, shown) => {
  expect(describePending({ pending, secrets })).toBe(shown);
});

test("the line of progress says how long the answer is waited for, until something arrives", () => {
  const waiting = { ...request, startedAt: new Date(Date.now() - 3_100) };
  expect(describeWaiting({ pending: [{ ...waiting, timeout: 30_000 }] })).toBe(
    "waiting 3 s of 30 s",
  );
  expect(describeWaiting({ pending: [waiting] })).toBe("waiting 3 s");
  expect(describeWaiting({ pending: [{ ...waiting, received: 1 }] })).toBeUndefined();
  expect(describeWaiting({ pending: [{ ...waiting, isOpen: true }] })).toBeUndefined();
  expect(describeWaiting({ pending: [] })).toBeUndefined();
});
