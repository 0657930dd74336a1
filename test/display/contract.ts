import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { sampleBundles } from "./sample-bundles.ts";

/** Under another runtime the same values look the same. */
export function displayContract(runtime: string, command: string, ...parameters: string[]): void {
  test(`renderBundle shows under ${runtime} what it shows under Node`, () => {
    const output = execFileSync(command, [...parameters, "test/display/fixture.ts"], {
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toEqual(JSON.parse(JSON.stringify(sampleBundles())));
  });
}
