import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type ts from "typescript";
import { declareMissing } from "./declare-missing.ts";
import type { Compiler } from "./load-compiler.ts";
import type { ProgramFiles } from "./program-files.ts";

/** What is part of every cell's program beside the cell. */
export interface Ambient {
  /** Files that belong to every program, by absolute path. */
  readonly roots: readonly string[];
  /** Declares, loosely, what the runtime has and the declarations lack. */
  declareMissing(program: ts.Program): void;
  /** Replaces what is declared of the answers of named requests. */
  declareResponses(declaration: string): void;
}

/** What cells know in whatever folder they run. */
export interface AmbientOptions {
  /** The folder that the cells' imports start from. */
  readonly directory: string;
  /** Where the declarations of `restlab` are; without them cells see it untyped. */
  readonly libraryTypes: string | undefined;
  /** Declarations of names that cells see, as they stand in `declare global`. */
  readonly globalTypes: string;
  readonly nodeTypes: string | undefined;
}

/** Gathers the types that cells know in whatever folder they run: the runtime's and our own. */
export function createAmbient(
  compiler: Compiler,
  files: ProgramFiles,
  { directory, libraryTypes, globalTypes, nodeTypes }: AmbientOptions,
): Ambient {
  const typesFile = join(directory, "__restlab__.d.ts");
  const missingFile = join(directory, "__restlab_missing__.d.ts");
  const responsesFile = join(directory, "__restlab_responses__.d.ts");
  const untypedFile = join(directory, "__restlab_untyped__.d.ts");
  const client = libraryTypes === undefined ? "any" : TYPED_CLIENT;
  files.write(typesFile, inGlobal(`  const client: ${client};\n${globalTypes}\n`));
  files.write(missingFile, "export {};\n");
  files.write(responsesFile, inGlobal("  interface RestlabResponses {}\n"));
  const roots = [typesFile, missingFile, responsesFile];
  if (libraryTypes === undefined) {
    files.write(untypedFile, 'declare module "restlab";\n');
    roots.push(untypedFile);
  }
  if (nodeTypes !== undefined) roots.push(nodeTypes);
  return {
    roots,
    declareMissing: (program) => {
      files.write(missingFile, inGlobal(declareMissing(compiler, program, missingFile)));
    },
    declareResponses: (declaration) => files.write(responsesFile, inGlobal(declaration)),
  };
}

const TYPED_CLIENT =
  'Omit<import("restlab").Client, "responses"> & { readonly responses: RestlabResponses }';

function inGlobal(declarations: string): string {
  return `export {};\ndeclare global {\n${declarations}}\n`;
}

/**
 * Finds the types of Node that belong to this package: those in the user's folder may be of another
 * version, and after hoisting there may be none.
 */
export function findNodeTypes(compiler: Compiler): string | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("@types/node/package.json"));
    const { resolvedTypeReferenceDirective: found } = compiler.resolveTypeReferenceDirective(
      "node",
      join(folder, "__restlab__.ts"),
      { typeRoots: [dirname(folder)] },
      compiler.sys,
    );
    return found?.resolvedFileName;
  } catch {
    return undefined; // They are not installed: cells see Node's globals untyped.
  }
}
