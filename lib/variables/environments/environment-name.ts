import { shorten } from "../../interpolation/mod.ts";
import { EnvironmentError } from "./errors.ts";

/** The name is part of a file name, `.env.NAME`. */
const NAME = /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N} ._@+&,()-]{1,100}$/u;

/** Whether a name may be part of the name of a file. */
export function isFileName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Refuses names that would lead to a file in another folder.
 *
 * @throws {EnvironmentError} It is not the name of an environment.
 */
export function checkEnvironmentName(name: string): void {
  if (isFileName(name)) return;
  throw new EnvironmentError(
    `Cannot use the environment ${JSON.stringify(shorten(name, 100))}: a name has up to 100 letters, digits, ` +
      "blanks and . _ - + @ & , ( ), no dot at its beginning and no two dots in a row",
  );
}
