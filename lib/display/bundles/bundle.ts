/** What a value looks like, by media type, as Jupyter's `display_data` has it. */
export interface MimeBundle {
  /** For a console, and for what shows no other form. */
  readonly "text/plain": string;
  /** Needs no script, no style sheet and no request. */
  readonly "text/html"?: string;
  /** CommonMark with the tables of GitHub. */
  readonly "text/markdown"?: string;
  /** Data, whose numbers beyond a double are strings. */
  readonly "application/json"?: unknown;
  /** What a value that shows itself has besides. */
  readonly [mediaType: string]: unknown;
}

/** The method by which a value shows itself, in every kernel that knows it. */
export const DISPLAY: symbol = Symbol.for("Jupyter.display");
