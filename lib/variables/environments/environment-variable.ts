import type { Value } from "../../interpolation/mod.ts";

/** A variable of an environment, and where it comes from. */
export interface EnvironmentVariable {
  readonly value: Value;
  readonly secret: boolean;
  /** What of it is secret, where that is known; nothing else of it is then. */
  readonly secretTexts?: readonly string[];
  /** The file, as its path was asked for. */
  readonly file: string;
  /** The environment in the file; left out for `.env`, which has none. */
  readonly environment?: string;
}
