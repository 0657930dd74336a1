type SessionModule = typeof import("../session/mod.ts");

let loaded: SessionModule | undefined;

/**
 * Loads the session and the library. That takes longer than the reply to `kernel_info_request`, so a
 * kernel loads them afterwards.
 */
export async function loadSessionModule(): Promise<SessionModule> {
  loaded ??= await import("../session/mod.ts");
  return loaded;
}

/** The loaded session, for code that runs on behalf of a cell. */
export function sessionModule(): SessionModule {
  if (loaded === undefined) throw new Error("Using the session failed: it is not loaded yet");
  return loaded;
}
