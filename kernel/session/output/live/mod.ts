/**
 * A request while it is waited for, and its response while it arrives, as outputs that are updated in place. It does
 * not know how a complete response is shown.
 */

export { type LiveContext, LiveResponse } from "./live-response.ts";
export { WaitingOutput } from "./waiting-output.ts";
