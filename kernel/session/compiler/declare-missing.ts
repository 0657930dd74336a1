import type ts from "typescript";
import type { Compiler } from "./files/mod.ts";

/**
 * Declares as `any` what the running runtime has and no declaration mentions: globals such as `Bun`, and
 * members of the language's own objects that are newer than the compiler.
 *
 * Node's declarations take a global `onmessage` as a sign that the types of browsers are there, and then
 * rely on them alone: names of that kind stay undeclared.
 *
 * @param from A file of the program, from which all globals are seen.
 * @returns Declarations, as they stand in `declare global`.
 */
export function declareMissing(compiler: Compiler, program: ts.Program, from: string): string {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(from);
  if (file === undefined) return "";
  const declared = new Map(
    checker.getSymbolsInScope(file, compiler.SymbolFlags.Value).map((it) => [it.name, it]),
  );
  const lines: string[] = [];
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const symbol = declared.get(name);
    if (symbol !== undefined) {
      if (isOfLanguage(program, symbol)) lines.push(...missingMembers(checker, symbol));
    } else if (/^(?!on[a-z])[A-Za-z$][\w$]*$/.test(name)) lines.push(`var ${name}: any;`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function isOfLanguage(program: ts.Program, { declarations = [] }: ts.Symbol): boolean {
  return declarations.some((it) => program.isSourceFileDefaultLibrary(it.getSourceFile()));
}

/** Everything inherits their members, the old and odd ones too. */
const ROOTS = new Set(["Object", "Function"]);

function missingMembers(checker: ts.TypeChecker, symbol: ts.Symbol): string[] {
  const value: unknown = Reflect.get(globalThis, symbol.name);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return [];
  const type = checker.getTypeOfSymbol(symbol);
  const lines = loosely(type, value);
  const { prototype } = value as { prototype?: unknown };
  if (typeof prototype !== "object" || prototype === null || ROOTS.has(symbol.name)) return lines;
  return [...lines, ...loosely(checker.getDeclaredTypeOfSymbol(symbol), prototype)];
}

/** An interface is open: what it lacks can be added to it. */
function loosely(type: ts.Type, value: object): string[] {
  const { symbol } = type as { symbol?: ts.Symbol };
  if (symbol === undefined || !type.isClassOrInterface()) return [];
  const missing = Object.getOwnPropertyNames(value).filter(
    (name) => /^[A-Za-z]\w*$/.test(name) && !OF_FUNCTIONS.has(name) && !type.getProperty(name),
  );
  if (missing.length === 0) return [];
  return [`interface ${symbol.name} { ${missing.map((name) => `${name}: any;`).join(" ")} }`];
}

const OF_FUNCTIONS = new Set(["arguments", "caller", "constructor", "length", "name", "prototype"]);
