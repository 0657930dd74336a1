/** The display of a value, by media type, as in Jupyter's `display_data`. */
export interface MimeBundle {
  /** For consoles, and for viewers that support no other format. */
  readonly "text/plain": string;
  /** HTML without scripts, style sheets and external resources. */
  readonly "text/html"?: string;
  /** CommonMark with tables as in GitHub Flavored Markdown. */
  readonly "text/markdown"?: string;
  /** Data; numbers that a double cannot represent are strings. */
  readonly "application/json"?: unknown;
  /** Other formats that a value displays itself in. */
  readonly [mediaType: string]: unknown;
}
