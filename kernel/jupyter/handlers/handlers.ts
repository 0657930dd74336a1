import type { Handler } from "../kernel/mod.ts";
import { commIgnored, commInfo, commOpen } from "./comm-info.ts";
import { complete } from "./complete.ts";
import { execute } from "./execute.ts";
import { history } from "./history.ts";
import { inspect } from "./inspect.ts";
import { isComplete } from "./is-complete.ts";
import { kernelInfo } from "./kernel-info.ts";

/** The handlers of the shell channel by message type. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ["kernel_info_request", kernelInfo],
  ["execute_request", execute],
  ["complete_request", complete],
  ["inspect_request", inspect],
  ["is_complete_request", isComplete],
  ["history_request", history],
  ["comm_info_request", commInfo],
  ["comm_open", commOpen],
  ["comm_msg", commIgnored],
  ["comm_close", commIgnored],
]);

/**
 * The handlers of the control channel, which run while a cell waits. Interrupts, shutdowns and
 * `kernel_info_request` are handled by the socket thread, also while a cell computes.
 */
export const CONTROL_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...HANDLERS,
  ["execute_request", refuseCell],
]);

function refuseCell(): never {
  throw new Error(
    "Running the cell failed: the control channel does not run cells; send them on the shell channel",
  );
}
