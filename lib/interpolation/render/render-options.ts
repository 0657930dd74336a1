import type { Fault } from "../faults/mod.ts";
import type { Placeholder } from "../parse/mod.ts";

/**
 * Where rendered text goes. `text`: a body; objects become indented JSON. `url` and `header`: one
 * line; objects become compact JSON. `json`: as `text`, and escaped inside JSON strings.
 */
export type Place = "text" | "url" | "header" | "json";

/** Which placeholder a stretch of rendered text came from: UTF-16 offsets, `end` exclusive. */
export interface RenderedRange {
  /** What the text came from. */
  readonly placeholder: Placeholder;
  /** Where its text begins. */
  readonly start: number;
  /** Where its text has ended. */
  readonly end: number;
}

/** What rendering does beside giving the text. */
export interface RenderOptions {
  /** `keep` leaves a placeholder without a value as it is written; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** Receives what has no value, instead of an error being thrown: the caller throws once for all. */
  readonly unresolved?: Fault[];
  /** Receives what each placeholder produced, in order. */
  readonly ranges?: RenderedRange[];
}
