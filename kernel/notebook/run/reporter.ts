import type { PendingRequest } from "../../../lib/mod.ts";
import type { CellError, Shown } from "../../session/mod.ts";
import type { Document, DocumentCell } from "../document/mod.ts";

/** What watches a run and tells a person about it, in the order in which things happen. */
export interface Reporter {
  readonly documentStarted: (document: Document) => void;
  /** A cell that is not run: Markdown, raw text, or code that is skipped. */
  readonly text: (cell: DocumentCell) => void;
  readonly cellStarted: (cell: DocumentCell, number: number, total: number) => void;
  readonly stream: (name: "stdout" | "stderr", text: string) => void;
  readonly show: (shown: Shown) => void;
  readonly failed: (error: CellError) => void;
  /** What a cell has left to itself has failed, after its end or while it ran. */
  readonly uncaught: (error: CellError, number: number, total: number) => void;
  /** All cells have ended and requests are on their way; none when the waiting is over. */
  readonly waiting: (pending: readonly PendingRequest[]) => void;
  /** Requests that were not answered in time and are given up. */
  readonly givenUp: (pending: readonly PendingRequest[], seconds: number) => void;
  readonly cellEnded: () => void;
}
