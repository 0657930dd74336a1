import type { Value } from "../../interpolation/mod.ts";

/** A variable of an environment, and where it comes from. */
export interface EnvironmentVariable {
  readonly value: Value;
  readonly secret: boolean;
  /** The texts in it that are secret, if known; the rest is then not secret. */
  readonly secretTexts?: readonly string[];
  /** The path of the file, as it was read. */
  readonly file: string;
  /** The environment in the file; absent for `.env`. */
  readonly environment?: string;
}
