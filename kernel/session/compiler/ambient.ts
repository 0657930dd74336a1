import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Compiler } from "./compiler.ts";
import { declareNewerTypes } from "./newer-types.ts";

/** What is part of every cell's program beside the cell. */
export interface Ambient {
  readonly roots: readonly string[];
  readonly virtual: ReadonlyMap<string, string>;
  readonly modules: ReadonlyMap<string, string>;
  readonly nodeTypes: string | undefined;
  /** Declares, loosely, the runtime's globals of which there are no types. */
  declareMissing(isDeclared: (name: string) => boolean): void;
  /** Replaces what is declared of the answers of named requests. */
  declareResponses(declaration: string): void;
}

/** Gathers the types that cells know in whatever folder they run: the runtime's and our own. */
export function createAmbient(
  compiler: Compiler,
  options: {
    readonly directory: string;
    readonly libraryTypes: string | undefined;
    readonly globalTypes: string;
  },
): Ambient {
  const { directory, libraryTypes } = options;
  const nodeTypes = findNodeTypes(compiler);
  const typesFile = join(directory, "__restlab__.d.ts");
  const untypedFile = join(directory, "__restlab_untyped__.d.ts");
  const newerFile = join(directory, "__restlab_newer__.d.ts");
  const responsesFile = join(directory, "__restlab_responses__.d.ts");
  const virtual = new Map([
    [typesFile, globalDeclarations(options)],
    [newerFile, declareNewerTypes()],
    [responsesFile, inGlobal("  interface RestlabResponses {}\n")],
  ]);
  const roots = [typesFile, newerFile, responsesFile];
  const modules = new Map<string, string>();
  if (libraryTypes !== undefined) modules.set("restlab", libraryTypes);
  else {
    virtual.set(untypedFile, 'declare module "restlab";\n');
    roots.push(untypedFile);
  }
  if (nodeTypes !== undefined) roots.push(nodeTypes);
  return {
    roots,
    virtual,
    modules,
    nodeTypes,
    declareMissing: (isDeclared) => {
      // Node's declarations take an `onmessage` for a sign that DOM types are there, and then rely
      // on them alone.
      const missing = Object.getOwnPropertyNames(globalThis).filter(
        (name) => /^(?!on[a-z])[A-Za-z$][\w$]*$/.test(name) && !isDeclared(name),
      );
      if (missing.length === 0) return;
      const lines = missing.map((name) => `var ${name}: any;`).join("\n");
      virtual.set(typesFile, `${virtual.get(typesFile)}declare global {\n${lines}\n}\n`);
    },
    declareResponses: (declaration) => {
      virtual.set(responsesFile, inGlobal(declaration));
    },
  };
}

function globalDeclarations(options: {
  readonly libraryTypes: string | undefined;
  readonly globalTypes: string;
}): string {
  const client = options.libraryTypes === undefined ? "any" : TYPED_CLIENT;
  return inGlobal(`  const client: ${client};\n${options.globalTypes}\n`);
}

const TYPED_CLIENT =
  'Omit<import("restlab").Client, "responses"> & { readonly responses: RestlabResponses }';

function inGlobal(declarations: string): string {
  return `export {};\ndeclare global {\n${declarations}}\n`;
}

/**
 * tslab looks for `@types/node` in the working folder and in its own `node_modules` only. A newer one
 * in the user's folder may be beyond the compiler, and after hoisting there may be none in either.
 */
function findNodeTypes(compiler: Compiler): string | undefined {
  for (const manifest of nodeTypesManifests()) {
    const folder = dirname(manifest);
    const { resolvedTypeReferenceDirective: found } = compiler.resolveTypeReferenceDirective(
      "node",
      join(folder, "__restlab__.ts"),
      { typeRoots: [dirname(folder)] },
      compiler.sys,
    );
    if (found !== undefined) return found.resolvedFileName;
  }
  return undefined;
}

function* nodeTypesManifests(): Generator<string> {
  const own = createRequire(import.meta.url);
  const places = [() => own, () => createRequire(own.resolve("tslab/dist/converter.js"))];
  for (const place of places) {
    try {
      yield place().resolve("@types/node/package.json");
    } catch {
      // Not there: the next place is asked.
    }
  }
}
