import { chownSync } from "node:fs";

/** Root may write everything: what it would show of permissions is shown as another user. */
export async function asNobody(paths: readonly string[], run: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return await run();
  const nobody = 65534;
  for (const path of paths) chownSync(path, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await run();
  } finally {
    process.seteuid?.(0);
  }
}
