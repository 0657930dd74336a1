import { expect, test } from "vitest";
import { isOwnOrigin } from "../../lib/http/mod.ts";

const TABLE: readonly (readonly [home: string, url: string, isOwn: boolean])[] = [
  ["http://a.test/x", "http://a.test/y?z#w", true],
  ["http://a.test/", "http://A.test:80/", true],
  ["https://a.test/", "https://a.test:443/", true],
  // An upgrade to https is allowed, a downgrade never.
  ["http://a.test/", "https://a.test/", true],
  ["https://a.test/", "http://a.test/", false],
  ["http://a.test:8080/", "https://a.test/", false],
  ["http://a.test/", "https://a.test:8443/", false],
  ["http://a.test:443/", "https://a.test/", false],
  ["http://a.test/", "https://www.a.test/", false],
  ["http://a.test/", "http://www.a.test/", false],
  ["http://www.a.test/", "http://a.test/", false],
  ["http://a.test/", "http://a.test:81/", false],
  ["http://a.test/", "http://a.test./", false],
  ["http://a.test/", "http://a.test.evil.test/", false],
  ["http://a.test/", "http://a.test@evil.test/", false],
  ["http://127.0.0.1:1/", "http://localhost:1/", false],
];

test.each(TABLE)("credentials for %s may be sent to %s: %s", (home, url, isOwn) => {
  expect(isOwnOrigin(new URL(url), new URL(home))).toBe(isOwn);
});
