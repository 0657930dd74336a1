import { commIgnored, commInfo, commOpen } from "./handlers/comm-info.ts";
import { complete } from "./handlers/complete.ts";
import { execute } from "./handlers/execute.ts";
import { history } from "./handlers/history.ts";
import { inspect } from "./handlers/inspect.ts";
import { isComplete } from "./handlers/is-complete.ts";
import { kernelInfo } from "./handlers/kernel-info.ts";
import type { Handler } from "./kernel.ts";

/** What answers each type of message on the shell channel. */
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
 * What answers on the control channel beside a cell that waits. Interrupt, shutdown and the kernel's
 * own description are answered by the thread of the sockets, also while a cell computes.
 */
export const CONTROL_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...HANDLERS,
  ["execute_request", refuseCell],
]);

function refuseCell(): never {
  throw new Error("Running the cell failed: cells run in order, on the shell channel only");
}
