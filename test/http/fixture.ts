import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { runChecks } from "./run-checks.ts";

// Started as: fixture.ts PLACES_FILE OUTCOMES_FILE
const [placesFile = "", outcomesFile = ""] = process.argv.slice(2);
const outcomes = await runChecks(JSON.parse(readFileSync(placesFile, "utf8")));
writeFileSync(outcomesFile, JSON.stringify(outcomes));
process.exit(0);
