import type * as Library from "../../lib/mod.ts";
import type { ClientOptions } from "../../lib/mod.ts";
import type { Tool } from "../support/require.ts";
import type { Places } from "./servers/servers.ts";

/** What every check gets. */
export interface Context extends Places {
  readonly lib: typeof Library;
  /** What the kernel's platform hands to clients on this runtime. */
  readonly outside: Required<
    Pick<ClientOptions, "connect" | "openFile" | "openWebSocket" | "readFile" | "listenForRedirect">
  >;
}

/** One sentence, and the proof of it. */
export interface Check {
  readonly name: string;
  /** What it needs beyond npm. */
  readonly tool?: Tool;
  readonly run: (context: Context) => Promise<void> | void;
}

/** The outcome of a check in another process. */
export interface CheckOutcome {
  readonly name: string;
  readonly failure?: string;
}

/** A table of checks: sentence and proof. */
export function checks(
  table: { readonly [name: string]: Check["run"] },
  tool?: Tool,
): readonly Check[] {
  return Object.entries(table).map(([name, run]) => ({ name, run, ...(tool && { tool }) }));
}
