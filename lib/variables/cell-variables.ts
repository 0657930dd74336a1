import {
  type Explanation,
  isReachableName,
  snapshotValue,
  type Value,
} from "../interpolation/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import type { ScopeOptions } from "./scope-options.ts";

/** The variables of TypeScript cells, as placeholders see them. */
export interface CellVariables {
  /** A copy of the value at this moment; `undefined` for an unknown name and for what has no text form. */
  lookUp(name: string): Value | undefined;
  /** Explains why a variable of a cell cannot fill a placeholder. */
  explain(name: string): Explanation | undefined;
  /** The names of variables that may have a value. */
  names(): readonly string[];
}

/** Creates the view of a client on the variables of cells, whose secrets it learns. */
export function createCellVariables(
  given: ScopeOptions["cellVariables"],
  secrets: SecretStore,
): CellVariables {
  /** Reads a variable; an `Error` says why it has no value. */
  function read(name: string): { readonly value: Value } | Error | undefined {
    if (given?.has(name) !== true) return undefined;
    try {
      const value = snapshotValue(given.get(name), name);
      // A short secret must not make a request unusable: a remark mentions it.
      secrets.setVariable(name, value, undefined, "remark");
      return { value };
    } catch (error) {
      // A getter of the value may throw anything.
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  return {
    lookUp: (name) => {
      const found = read(name);
      return found !== undefined && "value" in found ? found.value : undefined;
    },
    explain: (name) => {
      const found = read(name);
      if (!(found instanceof Error)) return undefined;
      return {
        message: `"${name}" is ${describe(given?.get(name))} of a TypeScript cell. ${found.message}`,
        hint: `client.setVar(${JSON.stringify(name)}, …) sets a value that a request can contain`,
      };
    },
    names: () =>
      Array.from(given?.keys() ?? []).filter(
        (name) => isReachableName(name) && !HAS_NO_TEXT.has(typeof given?.get(name)),
      ),
  };
}

/** Whatever else a variable contains is copied, and refused, only when it is used. */
const HAS_NO_TEXT: ReadonlySet<string> = new Set(["function", "symbol", "undefined"]);

function describe(value: unknown): string {
  if (typeof value !== "function") return "a variable";
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  return isClass ? "a class" : "a function";
}
