import type { Handler } from "../kernel/mod.ts";
import { commIgnored, commInfo, commOpen } from "./comm-info.ts";
import { complete } from "./complete.ts";
import { execute } from "./execute.ts";
import { history } from "./history.ts";
import { inspect } from "./inspect.ts";
import { isComplete } from "./is-complete.ts";
import { kernelInfo } from "./kernel-info.ts";

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
