import { homedir } from "node:os";
import { join } from "node:path";

/** What programs keep for a user, with the variable that names the folder, and where it is usually. */
const KINDS = {
  state: { variable: "XDG_STATE_HOME", usual: [".local", "state"] },
  cache: { variable: "XDG_CACHE_HOME", usual: [".cache"] },
} as const;

/**
 * The folder that this program keeps things of one kind in.
 *
 * @param environment The variables of the process.
 * @param home Gives the user's home, or throws.
 * @returns An absolute path; nothing for a user without a home, as containers have them.
 * @see https://specifications.freedesktop.org/basedir-spec
 */
export function userFolder(
  kind: keyof typeof KINDS,
  environment: Readonly<Record<string, string | undefined>>,
  home: () => string = homedir,
): string | undefined {
  const { variable, usual } = KINDS[kind];
  const given = environment[variable] ?? environment["LOCALAPPDATA"];
  if (given?.startsWith("/") || /^[A-Z]:/i.test(given ?? "")) return join(given ?? "", "restlab");
  const place = findHome(home);
  return place && join(place, ...usual, "restlab");
}

/** The home of the user; nothing where there is none, as in containers with any user id. */
export function findHome(home: () => string = homedir): string | undefined {
  try {
    return home();
  } catch {
    // Node's words for a user that is in no list of users.
    return undefined;
  }
}
