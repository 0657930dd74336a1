import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where a history belongs: `restlab/history` in the folder that a user's programs keep their state
 * in. `RESTLAB_HISTORY` names another place; empty, it turns histories off.
 *
 * @param environment The variables of the process.
 * @param suffix What tells one history from another one, `-kernel` for example.
 * @returns An absolute path, or the one that the user gave; nothing where no history is wanted.
 * @see https://specifications.freedesktop.org/basedir-spec
 */
export function historyPath(
  environment: Readonly<Record<string, string | undefined>>,
  suffix = "",
): string | undefined {
  const own = environment["RESTLAB_HISTORY"];
  if (own !== undefined) return own === "" ? undefined : own + suffix;
  const state = environment["XDG_STATE_HOME"] ?? environment["LOCALAPPDATA"];
  const folder = state?.startsWith("/") || /^[A-Z]:/i.test(state ?? "") ? state : undefined;
  return join(folder ?? join(homedir(), ".local", "state"), "restlab", `history${suffix}`);
}
