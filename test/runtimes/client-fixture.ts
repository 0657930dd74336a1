import { writeFileSync } from "node:fs";
import process from "node:process";
import { inspect } from "node:util";
import * as lib from "../../kernel/library.ts";
import type { Addresses } from "../support/http-server.ts";
import type { CheckOutcome } from "./check.ts";
import { clientContract } from "./client-contract.ts";

// Started as: client-fixture.ts ADDRESSES_AS_JSON OUTCOMES_FILE
const [addresses = "{}", outcomesFile = ""] = process.argv.slice(2);
const context = { lib, ...(JSON.parse(addresses) as Addresses) };
const outcomes: CheckOutcome[] = [];
for (const { name, run } of clientContract) {
  try {
    await run(context);
    outcomes.push({ name });
  } catch (error) {
    outcomes.push({ name, failure: inspect(error) });
  }
}
writeFileSync(outcomesFile, JSON.stringify(outcomes));
process.exit(0);
