import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { launchOf, RUNTIME } from "../support/runtime.ts";
import { sampleBundles } from "./sample-bundles.ts";

test(`renderBundle shows the same values alike under ${RUNTIME}`, async () => {
  const [program, ...words] = await launchOf("test/display/fixture.ts");
  const output = execFileSync(program, words, { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual(JSON.parse(JSON.stringify(sampleBundles())));
});
