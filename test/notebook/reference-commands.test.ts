import { join } from "node:path";
import { test } from "vitest";
import { runPageCommands } from "./page-commands.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");

test.each(["reference-test.md", "reference-verify.md"])(
  "the commands of %s do what the page shows",
  { timeout: 120_000 },
  (name) => runPageCommands(join(FOLDER, name)),
);
