import { join } from "node:path";
import { userFolder } from "../files/mod.ts";

/**
 * Where a history belongs: `restlab/history` in the folder that a user's programs keep their state
 * in. `RESTLAB_HISTORY` names another place; empty, it turns histories off.
 *
 * @param environment The variables of the process.
 * @param suffix What tells one history from another one, `-kernel` for example.
 * @returns An absolute path, or the one that the user gave; nothing where no history is wanted, and
 * for a user without a home.
 */
export function historyPath(
  environment: Readonly<Record<string, string | undefined>>,
  suffix = "",
): string | undefined {
  const own = environment["RESTLAB_HISTORY"];
  if (own !== undefined) return own === "" ? undefined : own + suffix;
  const folder = userFolder("state", environment);
  return folder && join(folder, `history${suffix}`);
}
