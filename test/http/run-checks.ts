import process from "node:process";
import { inspect } from "node:util";
import * as library from "../../kernel/library.ts";
import {
  createConnect,
  listenForRedirect,
  openFile,
  openWebSocket,
} from "../../kernel/platform/mod.ts";
import { readFile } from "../../kernel/platform/read-file.ts";
import type { CheckOutcome } from "./check.ts";
import { httpContract } from "./contract.ts";
import type { Places } from "./servers/servers.ts";

/**
 * Runs every check in this process.
 *
 * @param lib The library, by whichever way its clients send; as the package gives it if left out.
 */
export async function runChecks(
  places: Places,
  lib: typeof library = library,
): Promise<readonly CheckOutcome[]> {
  const connect = createConnect(process.env);
  const outside = { connect, openFile, openWebSocket, readFile, listenForRedirect };
  const outcomes: CheckOutcome[] = [];
  for (const { name, run } of httpContract) {
    try {
      await run({ lib, ...places, outside });
      outcomes.push({ name });
    } catch (error) {
      outcomes.push({ name, failure: inspect(error, { depth: 4 }) });
    }
  }
  return outcomes;
}
