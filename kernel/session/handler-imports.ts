import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** `import { two as b } from "./helper.js";` at the beginning of a line; a list may have several lines. */
const IMPORT = /^([ \t]*)import\s+(?:([^"';()]+?)\s*\bfrom\s*)?(["'])([^"'\r\n]+)\3[ \t]*;?/gm;

/**
 * Writes the imports of a script as calls of `require`, which code in a function may have. JetBrains' client also finds
 * a file beside that of the script by its bare name, without `./` and `.js`.
 *
 * @param file The file of the script.
 */
export function withoutImports(code: string, file: string): string {
  return code.replace(
    IMPORT,
    (_, blanks: string, clause: string | undefined, _quote, name: string) => {
      const loaded = `require(${JSON.stringify(pathOf(name, file))});`;
      return `${blanks}${clause === undefined ? "" : `const ${toPattern(clause)} = `}${loaded}`;
    },
  );
}

function pathOf(name: string, file: string): string {
  const isBeside = ["", ".js", ".mjs", ".cjs"].some((ending) =>
    existsSync(join(dirname(file), `${name}${ending}`)),
  );
  return isBeside && !/^[./]/.test(name) ? `./${name}` : name;
}

/** `sum, { a as b }` → `{default: sum, a : b}`; `* as all` → `all`. */
function toPattern(clause: string): string {
  const whole = /^\*\s*as\s+(\S+)$/.exec(clause)?.[1];
  if (whole !== undefined) return whole;
  const [, main, list = ""] =
    /^([\p{L}_$][\p{L}\p{N}_$]*)?\s*,?\s*(?:\{([\s\S]*)\})?$/u.exec(clause) ?? [];
  const members = list.replace(/\sas\s/g, ": ");
  return `{${main === undefined ? "" : `default: ${main}, `}${members}}`;
}
