import { join } from "node:path";
import { userFolder } from "../files/mod.ts";

/**
 * The path of a history: `restlab/history` in the user's state folder, or `RESTLAB_HISTORY`. An empty
 * `RESTLAB_HISTORY` turns histories off.
 *
 * @param suffix Distinguishes histories, for example `-kernel`.
 * @returns Nothing where histories are off, and for a user without a home.
 */
export function historyPath(
  environment: Readonly<Record<string, string | undefined>>,
  suffix = "",
): string | undefined {
  const given = environment["RESTLAB_HISTORY"];
  if (given !== undefined) return given === "" ? undefined : given + suffix;
  const folder = userFolder("state", environment);
  return folder && join(folder, `history${suffix}`);
}
