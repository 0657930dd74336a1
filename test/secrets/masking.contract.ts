import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { launchOf, RUNTIME } from "../support/runtime.ts";

test(`masking on ${RUNTIME} is what the other tests of this folder show`, async () => {
  const [program, ...words] = await launchOf("test/secrets/masking-fixture.ts");
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
});
