import { loadLargeModule } from "../platform/mod.ts";
import type { ClientPlatform } from "./client/mod.ts";
import type { Compiler } from "./compiler/mod.ts";

/**
 * Finds the variables that TypeScript cells declare, without running them.
 *
 * @param codes The texts of the cells.
 * @returns The names, by cell.
 */
export async function declaredVariables(
  codes: readonly string[],
  { environment }: Pick<ClientPlatform, "environment">,
): Promise<readonly (readonly string[])[]> {
  const { findCompiler } = await import("./compiler/mod.ts");
  const { createCellSyntax } = await import("./typescript/mod.ts");
  const { exports } = await loadLargeModule(findCompiler(), environment, async () => undefined);
  const syntax = createCellSyntax(exports as Compiler);
  return codes.map((code) => syntax.declaredVariables(code));
}
