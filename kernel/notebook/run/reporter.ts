import type { AssertionResult, PendingRequest } from "../../../lib/mod.ts";
import type { CellError, Shown } from "../../session/mod.ts";
import type { DocumentCell } from "../document/mod.ts";

/** What a cell did until its end. */
export interface CellEnd {
  /** The results of its assertions and tests; not masked. */
  readonly assertions: readonly AssertionResult[];
  /** How long it took, in milliseconds. */
  readonly duration: number;
}

/** Reports a run to the person, in the order of its events. */
export interface Reporter {
  /** A cell that is not run: Markdown, raw text or skipped code. */
  text?(cell: DocumentCell): void;
  cellStarted(cell: DocumentCell, number: number, total: number): void;
  stream(name: "stdout" | "stderr", text: string): void;
  /** @throws What a value throws that is inspected. */
  show?(shown: Shown): void;
  failed(error: CellError): void;
  /** An error that nothing in a cell caught, during the cell or after it. */
  uncaught(error: CellError, number: number, total: number): void;
  /** After the last cell: the requests that are still pending, none at the end. */
  waiting?(pending: readonly PendingRequest[]): void;
  /** Pending requests that took too long and were aborted. */
  givenUp(pending: readonly PendingRequest[], seconds: number): void;
  cellEnded(end: CellEnd): void;
  /** The cell has failed and is run again. */
  retrying(): void;
}
