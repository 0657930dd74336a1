import { expect, test } from "vitest";
import { describePending } from "../../kernel/terminal/mod.ts";
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
