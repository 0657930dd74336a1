import type * as Library from "../../lib/mod.ts";
import type { Addresses } from "../support/http-server.ts";

/** What every check of the contract gets. */
export interface Context extends Addresses {
  readonly lib: typeof Library;
}

/** One sentence about the client, and the proof of it. */
export interface Check {
  readonly name: string;
  readonly run: (context: Context) => Promise<void> | void;
}

/** The outcome of a check in another process, as one line of JSON. */
export interface CheckOutcome {
  readonly name: string;
  readonly failure?: string;
}

/** A table of checks: sentence and proof. */
export function checks(table: { readonly [name: string]: Check["run"] }): readonly Check[] {
  return Object.entries(table).map(([name, run]) => ({ name, run }));
}
