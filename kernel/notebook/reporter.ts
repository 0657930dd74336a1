import type { CellError, Shown } from "../session/mod.ts";
import type { Document, DocumentCell } from "./document.ts";

/** What watches a run and tells a person about it, in the order in which things happen. */
export interface Reporter {
  readonly documentStarted: (document: Document) => void;
  /** A cell that is not run: Markdown, raw text, or code that is skipped. */
  readonly text: (cell: DocumentCell) => void;
  readonly cellStarted: (cell: DocumentCell, number: number, total: number) => void;
  readonly stream: (name: "stdout" | "stderr", text: string) => void;
  readonly show: (shown: Shown) => void;
  readonly failed: (error: CellError) => void;
  readonly cellEnded: () => void;
}
