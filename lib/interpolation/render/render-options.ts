import type { Fault } from "../faults/mod.ts";
import type { PathPlaceholder, Placeholder } from "../parse/mod.ts";
import type { Value, Variables } from "../values/mod.ts";

/**
 * Where rendered text goes. `text`: a body; objects become indented JSON. `url` and `header`: one
 * line; objects become compact JSON. `json`: like `text`, with values escaped inside JSON strings.
 */
export type Place = "text" | "url" | "header" | "json";

/** The range of rendered text that a placeholder produced, in UTF-16 offsets. */
export interface RenderedRange {
  /** The placeholder. */
  readonly placeholder: Placeholder;
  /** The start of its text. */
  readonly start: number;
  /** The end of its text, exclusive. */
  readonly end: number;
}

/** Options of rendering a template. */
export interface RenderOptions {
  /** `keep` leaves a placeholder without a value as written; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** Receives the placeholders without a value instead of an error: the caller throws once for all. */
  readonly unresolved?: Fault[];
  /** Receives the range that each placeholder produced, in order. */
  readonly ranges?: RenderedRange[];
  /** Checks and converts values that were not stored by {@link snapshotValue}. */
  readonly admit?: (
    value: unknown,
    placeholder: PathPlaceholder,
    variables: Variables,
  ) => Value | undefined;
}
