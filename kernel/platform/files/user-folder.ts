import { homedir } from "node:os";
import { join } from "node:path";

/** The folders of a user, by the variable that sets them and their default. */
const KINDS = {
  state: { variable: "XDG_STATE_HOME", fallback: [".local", "state"] },
  cache: { variable: "XDG_CACHE_HOME", fallback: [".cache"] },
} as const;

/**
 * The folder of restlab for one kind of data.
 *
 * @param home Returns the user's home, or throws.
 * @returns An absolute path; nothing for a user without a home, as in some containers.
 * @see https://specifications.freedesktop.org/basedir-spec
 */
export function userFolder(
  kind: keyof typeof KINDS,
  environment: Readonly<Record<string, string | undefined>>,
  home: () => string = homedir,
): string | undefined {
  const { variable, fallback } = KINDS[kind];
  const given = environment[variable] ?? environment["LOCALAPPDATA"];
  if (given?.startsWith("/") || /^[A-Z]:/i.test(given ?? "")) return join(given ?? "", "restlab");
  const place = findHome(home);
  return place && join(place, ...fallback, "restlab");
}

/** The home of the user; nothing for a user without one, as in containers with an arbitrary user id. */
export function findHome(home: () => string = homedir): string | undefined {
  try {
    return home();
  } catch {
    // Node throws for a user id that is not in the user database.
    return undefined;
  }
}
