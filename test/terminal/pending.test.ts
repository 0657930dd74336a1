import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { describePending, describeTransfer } from "../../kernel/terminal/mod.ts";
import { createClient } from "../../lib/mod.ts";

const { secrets } = createClient();
const request = { method: "GET", url: "http://ada:pass@h/a?token=b#c", startedAt: new Date(0) };

test.each([
  [[], undefined],
  [[request], "GET http://h/a"],
  [[request, request, request], "GET http://h/a and 2 more"],
])("case %#", (pending, shown) => {
  expect(describePending({ pending, secrets })).toBe(shown);
});

describe("describeTransfer", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 3_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    [{ timeout: 30_000 }, "waiting 3 s of 30 s"],
    [{}, "waiting 3 s"],
    [{ isOpen: true }, undefined],
    [{ received: 1_500_000 }, "1.5 MB, 500 kB/s"],
    [{ received: 9, total: 4 }, "9 bytes, 3 bytes/s"],
    [{ received: 1_500, total: 6_000 }, "██░░░░░░░░ 1.5 kB of 6.0 kB, 500 bytes/s, 9 s left"],
    [{ received: 6_000, total: 6_000 }, "██████████ 6.0 kB of 6.0 kB, 2.0 kB/s, 0 s left"],
    [
      { received: 1_500, total: 60_000 },
      "░░░░░░░░░░ 1.5 kB of 60 kB, 500 bytes/s, 1 min 57 s left",
    ],
    [{ sent: 3_000 }, "sending 3.0 kB, 1.0 kB/s"],
    [
      { sent: 3_000, toSend: 6_000, timeout: 30_000 },
      "sending █████░░░░░ 3.0 kB of 6.0 kB, 1.0 kB/s, 3 s left",
    ],
    [{ sent: 6_000, toSend: 6_000, timeout: 30_000 }, "waiting 3 s of 30 s"],
    [{ sent: 6_000, toSend: 6_000, received: 3 }, "3 bytes, 1 byte/s"],
  ])("%j", (progress, shown) => {
    expect(describeTransfer({ pending: [{ ...request, ...progress }] })).toBe(shown);
  });

  test("nothing without a request", () => {
    expect(describeTransfer({ pending: [] })).toBeUndefined();
  });
});
