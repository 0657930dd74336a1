import type { LateValue, Value } from "../../interpolation/mod.ts";

/** A variable of an environment, and where it comes from. */
export interface EnvironmentVariable {
  /** Absent where it could not be found when the files were read. */
  readonly value?: Value;
  /** How the value is found when it is used, if there is none yet. */
  readonly late?: LateValue;
  readonly secret: boolean;
  /** The texts in it that are secret, if known; the rest is then not secret. */
  readonly secretTexts?: readonly string[];
  /** The path of the file, as messages name it. */
  readonly file: string;
  /** Its line in the file, from 1; absent for `.env`. */
  readonly line?: number;
  /** The environment in the file; absent for `.env`. */
  readonly environment?: string;
}
