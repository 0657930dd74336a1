import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { LONGEST } from "./longest-first.ts";

test.each(LONGEST)("%s is the beginning of the path of a test file", (beginning) => {
  const folder = posix.dirname(`${beginning}a`);
  const paths = readdirSync(folder).map((name) => `${folder}/${name}`);
  expect(
    paths.find((path) => path.startsWith(beginning) && /\.(?:test|contract)\.ts$/.test(path)),
  ).toBeDefined();
});
