import type { Value } from "../../../lib/interpolation/mod.ts";

/** A request text, and what a server receives of it. */
export interface SentCase {
  /** The text; `{{server}}` is the origin of the server. */
  readonly text: string;
  /** The variables. */
  readonly values?: Readonly<Record<string, Value>>;
  /** The contents of files by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Texts that the bytes contain, one character each; without them nothing is sent. */
  readonly sends?: string | readonly string[];
  /** Parts of what a check and a send say, in order. */
  readonly says?: readonly string[];
}
