type SessionModule = typeof import("../../session/mod.ts");

let loaded: SessionModule | undefined;

/**
 * Loads the session's folder and the library below it, which together take longer than all that is
 * needed to answer `kernel_info_request`; a kernel does so when that is done.
 */
export async function loadSessionModule(): Promise<SessionModule> {
  loaded ??= await import("../../session/mod.ts");
  return loaded;
}

/** The session's folder, for what runs on behalf of a cell only. */
export function sessionModule(): SessionModule {
  if (loaded === undefined) throw new Error("Using the session failed: no cell has run yet");
  return loaded;
}
