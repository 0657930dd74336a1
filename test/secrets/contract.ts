import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FIXTURE = join(import.meta.dirname, "contract-fixture.ts");
const RUNTIMES: Readonly<Record<"deno" | "bun", readonly [string, ...string[]]>> = {
  deno: [join(ROOT, "node_modules/.bin/deno"), "run", "-A", "--quiet", FIXTURE],
  bun: [join(ROOT, "node_modules/.bin/bun"), FIXTURE],
};

/** That masking is on another runtime what the other tests of this folder show it to be on Node. */
export function describeMaskingOn(runtime: "deno" | "bun"): void {
  const [program, ...words] = RUNTIMES[runtime];
  describe(`masking on ${runtime}`, () => {
    test("is what it is on Node", () => {
      const printed = execFileSync(program, words, { encoding: "utf8", timeout: 60_000 });
      const shown = "{{auth.apiKey}}";
      expect(JSON.parse(printed)).toEqual({
        forms: Array.from({ length: 5 }, () => shown),
        base64: expect.stringMatching(/^YWRhO.?\{\{auth\.apiKey\}\}$/),
        stream: `begin ${shown} end`,
        bundle: 4,
        spelled: [],
        revealed: ["text/plain", "text/html", "text/markdown"],
        bodies: [],
        leaks: false,
      });
    }, 90_000);
  });
}
