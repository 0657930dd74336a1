import type { CheckFault } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { declaredVariables } from "../session/mod.ts";
import type { JoinedCells } from "./join-cells.ts";

/** The variables that the TypeScript cells of a notebook declare. */
interface DeclaredNames {
  readonly names: readonly string[];
  /** Whether a fault is about a variable that only later cells declare. */
  isEarly(fault: CheckFault): boolean;
}

/** Finds the variables of TypeScript cells, which placeholders in later cells can name. */
export async function createDeclaredNames(
  { text, code, locate }: JoinedCells,
  platform: Pick<Platform, "environment">,
): Promise<DeclaredNames> {
  const declared = await declaredVariables([...code.values()], platform);
  /** The first cell that declares a name. */
  const firsts = new Map<string, number>();
  for (const [index, cell] of [...code.keys()].entries()) {
    for (const name of declared[index] ?? []) if (!firsts.has(name)) firsts.set(name, cell);
  }
  return {
    names: [...firsts.keys()],
    isEarly: ({ code, span, line }) => {
      const [, name = ""] =
        /^\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)/u.exec(text.slice(span.start, span.end)) ?? [];
      const first = firsts.get(name);
      return code === "name" && first !== undefined && first > (locate(line).cell ?? 0);
    },
  };
}
