import { AsyncLocalStorage } from "node:async_hooks";
import type { Message } from "../messages/mod.ts";
import type { CellPublisher } from "./publisher.ts";

/** The cell on whose behalf code runs, through promises and timers. */
export interface RunningCell {
  readonly request: Message;
  readonly publisher: CellPublisher;
  readonly allowsInput: boolean;
  /** Set when its reply is sent; its timers may still run. */
  hasEnded: boolean;
}

/** The cell that the running code belongs to. */
export const cells: AsyncLocalStorage<RunningCell> = new AsyncLocalStorage();
