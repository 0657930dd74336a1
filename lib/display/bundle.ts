/** What a value looks like, by media type, as Jupyter's `display_data` has it. */
export interface MimeBundle {
  readonly "text/plain": string;
  readonly "text/html"?: string;
  readonly "text/markdown"?: string;
  readonly "application/json"?: unknown;
  readonly [mediaType: string]: unknown;
}

/** The method by which a value shows itself, in every kernel that knows it. */
export const DISPLAY: symbol = Symbol.for("Jupyter.display");
