import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { r as TypeScriptError } from "./errors-DDXrd35W.js";

// kernel/session/ambient.ts
/** Gathers the types that cells know in whatever folder they run: the runtime's and our own. */
function createAmbient(compiler, options) {
  const { directory, libraryTypes } = options;
  const nodeTypes = findNodeTypes(compiler);
  const typesFile = join(directory, "__restlab__.d.ts");
  const untypedFile = join(directory, "__restlab_untyped__.d.ts");
  const virtual = /* @__PURE__ */ new Map([[typesFile, globalDeclarations(options)]]);
  const roots = [typesFile];
  const modules = /* @__PURE__ */ new Map();
  if (libraryTypes !== void 0) modules.set("restlab", libraryTypes);
  else {
    virtual.set(untypedFile, 'declare module "restlab";\n');
    roots.push(untypedFile);
  }
  if (nodeTypes !== void 0) roots.push(nodeTypes);
  return {
    roots,
    virtual,
    modules,
    nodeTypes,
    declareMissing: (isDeclared) => {
      const missing = Object.getOwnPropertyNames(globalThis).filter(
        (name) => /^(?!on[a-z])[A-Za-z$][\w$]*$/.test(name) && !isDeclared(name),
      );
      if (missing.length === 0) return false;
      const lines = missing.map((name) => `var ${name}: any;`).join("\n");
      virtual.set(typesFile, `${virtual.get(typesFile)}declare global {\n${lines}\n}\n`);
      return true;
    },
  };
}
function globalDeclarations(options) {
  return `export {};\ndeclare global {\n  const client: ${options.libraryTypes === void 0 ? "any" : 'import("restlab").Client'};\n${options.globalTypes}\n}\n`;
}
/**
 * tslab looks for `@types/node` in the working folder and in its own `node_modules` only. A newer one
 * in the user's folder may be beyond the compiler, and after hoisting there may be none in either.
 */
function findNodeTypes(compiler) {
  for (const manifest of nodeTypesManifests()) {
    const folder = dirname(manifest);
    const { resolvedTypeReferenceDirective: found } = compiler.resolveTypeReferenceDirective(
      "node",
      join(folder, "__restlab__.ts"),
      { typeRoots: [dirname(folder)] },
      compiler.sys,
    );
    if (found !== void 0) return found.resolvedFileName;
  }
}
function* nodeTypesManifests() {
  const own = createRequire(import.meta.url);
  const places = [() => own, () => createRequire(own.resolve("tslab/dist/converter.js"))];
  for (const place of places)
    try {
      yield place().resolve("@types/node/package.json");
    } catch {}
}
// kernel/session/cell-program.ts
/**
 * Stands in for the compiler's watch program under tslab's converter. The original watches every
 * file of the program by timers and builds it twice for a cell; this one looks at the files of the
 * user when a cell runs, keeps parsed files, and builds once.
 */
function createCellProgram(compiler, given) {
  const files = /* @__PURE__ */ new Map();
  const found = /* @__PURE__ */ new Map();
  let watchHost;
  let options = {};
  let program;
  let skip = false;
  const isForeign = (path) => path.includes("/node_modules/") || given.roots.includes(path);
  function readFile(path) {
    return given.virtual.get(path) ?? watchHost?.sys.readFile(path);
  }
  function fileExists(path) {
    return given.virtual.has(path) || (watchHost?.sys.fileExists(path) ?? false);
  }
  function stampOf(path) {
    if (watchHost?.rootFiles.includes(path)) return `text:${readFile(path)}`;
    const inMemory = given.virtual.get(path);
    if (inMemory !== void 0) return `memory:${inMemory.length}`;
    if (isForeign(path)) return "fixed";
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === void 0 ? "missing" : `${stat.mtimeMs}:${stat.size}`;
  }
  function getSourceFile(path, target) {
    const stamp = stampOf(path);
    const cached = files.get(path);
    if (cached?.stamp === stamp && cached.file !== void 0) return cached.file;
    const text = readFile(path);
    const file = text === void 0 ? void 0 : compiler.createSourceFile(path, text, target, false);
    files.set(path, {
      file,
      stamp,
    });
    return file;
  }
  function resolve(name, containingFile, mode) {
    const ours = given.modules.get(name);
    if (ours !== void 0)
      return {
        resolvedFileName: ours,
        extension: ".d.ts",
        isExternalLibraryImport: true,
      };
    if (name.startsWith("node:")) return void 0;
    const key = `${dirname(containingFile)}\0${name}\0${mode ?? ""}`;
    const known = found.get(key);
    if (known !== void 0 && fileExists(known.resolvedFileName)) return known;
    const { resolvedModule } = compiler.resolveModuleName(
      name,
      containingFile,
      options,
      host,
      void 0,
      void 0,
      mode,
    );
    if (resolvedModule !== void 0) found.set(key, resolvedModule);
    return resolvedModule;
  }
  const libraryFolder = dirname(compiler.sys.getExecutingFilePath());
  const host = {
    getSourceFile,
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: (chosen) => join(libraryFolder, compiler.getDefaultLibFileName(chosen)),
    getCurrentDirectory: () => given.directory,
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    readFile,
    fileExists,
    writeFile: () => void 0,
    directoryExists: (path) => compiler.sys.directoryExists(path),
    getDirectories: (path) => compiler.sys.getDirectories(path),
    realpath: (path) => compiler.sys.realpath?.(path) ?? path,
    resolveModuleNameLiterals: (literals, containingFile) =>
      literals.map(({ text }) => ({ resolvedModule: resolve(text, containingFile) })),
    resolveTypeReferenceDirectiveReferences: (references, containingFile) =>
      references.map((reference) => {
        const name = typeof reference === "string" ? reference : reference.fileName;
        if (name === "node" && given.nodeTypes !== void 0)
          return {
            resolvedTypeReferenceDirective: {
              resolvedFileName: given.nodeTypes,
              primary: true,
            },
          };
        return compiler.resolveTypeReferenceDirective(name, containingFile, options, host);
      }),
    /** A file with an import that led nowhere is asked again: the missing file may be there now. */
    hasInvalidatedResolutions: (path) => {
      const file = files.get(path)?.file;
      if (file === void 0 || isForeign(path) || given.virtual.has(path)) return false;
      return (file.imports ?? []).some(
        ({ text }) => text.startsWith(".") && resolve(text, path) === void 0,
      );
    },
  };
  function build() {
    if (watchHost === void 0) return;
    const roots = [...watchHost.rootFiles, ...given.roots];
    program = compiler.createProgram(roots, options, host, program);
    program.getTypeChecker();
    watchHost.afterProgramCreate?.(builderOf(program));
  }
  /** The cell parsed and bound alone: enough to see which names it declares. */
  function peek(cellFile) {
    const file = getSourceFile(cellFile, options.target);
    if (file === void 0 || program === void 0) return;
    compiler.bindSourceFile(file, options);
    const full = builderOf(program);
    watchHost?.afterProgramCreate?.({
      ...full,
      getSourceFile: (path) => (path === cellFile ? file : full.getSourceFile(path)),
    });
  }
  function builderOf(current) {
    return {
      getProgram: () => current,
      getSourceFile: (path) => current.getSourceFile(path),
      getAllDependencies: (file) => localFiles(current, file),
      emit: (file, write, ...rest) => {
        if (!watchHost?.rootFiles.includes(file.fileName)) return;
        current.emit(
          file,
          (name, text) => (name.endsWith(".map") ? given.onEmitted(text) : write(name, text)),
          ...rest,
        );
      },
    };
  }
  /** The user's own files that a file leads to, itself included. */
  function localFiles(current, start) {
    const seen = /* @__PURE__ */ new Set();
    const queue = [start];
    for (const file of queue) {
      if (seen.has(file.fileName)) continue;
      seen.add(file.fileName);
      for (const { text } of file.imports ?? []) {
        const target = resolve(text, file.fileName);
        if (target === void 0 || target.isExternalLibraryImport === true) continue;
        const next = current.getSourceFile(target.resolvedFileName);
        if (next !== void 0 && !next.isDeclarationFile) queue.push(next);
      }
    }
    return [...seen];
  }
  return {
    createWatchCompilerHost: (rootFiles, wanted, sys) => {
      options = {
        ...wanted,
        ...cellOptions(compiler),
      };
      watchHost = {
        rootFiles,
        options,
        sys,
      };
      return watchHost;
    },
    createWatchProgram: (created) => {
      const { sys, rootFiles } = created;
      let timer;
      const changed = () => {
        if (timer !== void 0) sys.clearTimeout?.(timer);
        timer = sys.setTimeout?.(() => {
          timer = void 0;
          const cellFile = rootFiles.find((path) => !path.endsWith(".d.ts"));
          if (skip && cellFile !== void 0) {
            skip = false;
            peek(cellFile);
          } else build();
        }, 0);
      };
      for (const path of rootFiles) sys.watchFile?.(path, changed);
      build();
      const checker = program?.getTypeChecker();
      const isDeclared = (name) =>
        checker?.resolveName(name, void 0, compiler.SymbolFlags["Value"] ?? 0, false) !== void 0;
      if (given.declareMissing(isDeclared)) build();
      return {
        close: () => void 0,
        updateRootFileNames: () => void 0,
      };
    },
    current: () => program,
    resolve,
    skipNext: () => {
      skip = true;
    },
  };
}
/** What differs from tslab's choice of options. */
function cellOptions(compiler) {
  return {
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    customConditions: ["node"],
    allowImportingTsExtensions: true,
    lib: ["lib.es2023.d.ts"],
    types: [],
    typeRoots: [],
    checkJs: false,
    sourceMap: true,
  };
}
// kernel/session/type-faults.ts
/** Turns the compiler's messages into faults of the cell's text. */
function toFaults(source, diagnostics) {
  return diagnostics.map(({ start, end, messageText, code, fileName }) =>
    fileName === void 0
      ? createFault(source, start.offset, end.offset, `${messageText} (TS${code})`)
      : {
          ...createFault(source, 0, 0, ""),
          message: `${fileName}:${start.line + 1}:${start.character + 1} ${messageText} (TS${code})`,
        },
  );
}
/** A fault at an offset; line and column are counted in code points. */
function createFault(source, from, to, message) {
  const start = Math.max(0, Math.min(from, source.length));
  const end = Math.max(start, Math.min(to, source.length));
  const before = source.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    message,
    span: {
      start,
      end,
    },
    line: before.split("\n").length,
    column: [...before.slice(lineStart)].length + 1,
  };
}
// kernel/session/cell-syntax.ts
/** As tslab does, so that a cell is parsed as a module. */
const PREFIX = "export {};\n";
/** Reads cells with the compiler's parser. */
function createCellSyntax(compiler) {
  let last;
  function parse(code) {
    if (last?.code === code) return last.file;
    const file = compiler.createSourceFile(
      "cell.ts",
      PREFIX + code,
      compiler.ScriptTarget.ES2022,
      false,
    );
    last = {
      code,
      file,
    };
    return file;
  }
  function faults(code) {
    return [...parse(code).parseDiagnostics]
      .sort((a, b) => startOf(a) - startOf(b))
      .map((diagnostic) => {
        const from = startOf(diagnostic) - 11;
        const message = compiler.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
        return createFault(
          code,
          from,
          from + (diagnostic.length ?? 0),
          `${message} (TS${diagnostic.code})`,
        );
      });
  }
  function withoutExports(code) {
    let text = code;
    for (const statement of parse(code).statements)
      for (const modifier of statement.modifiers ?? []) {
        if (!isWord(modifier, "ExportKeyword") && !isWord(modifier, "DefaultKeyword")) continue;
        const end = modifier.end - 11;
        const word = isWord(modifier, "ExportKeyword") ? "export" : "default";
        text = text.slice(0, end - word.length) + " ".repeat(word.length) + text.slice(end);
      }
    return text;
  }
  const isWord = (node, name) => node.kind === compiler.SyntaxKind[name];
  return {
    faults,
    withoutExports,
    declaredNames: (code) => {
      const file = parse(code);
      if (file.locals === void 0) compiler.bindSourceFile(file, {});
      return file.locals?.size ?? 0;
    },
    imports: (code) => importedNames(compiler, parse(code)),
    isComplete: (code) => isComplete(code, parse(code)),
  };
}
function importedNames(compiler, file) {
  const { ImportDeclaration, ExportDeclaration } = compiler.SyntaxKind;
  return file.statements.flatMap((statement) => {
    if (statement.kind !== ImportDeclaration && statement.kind !== ExportDeclaration) return [];
    const { moduleSpecifier, importClause } = statement;
    if (moduleSpecifier === void 0 || importClause?.isTypeOnly === true) return [];
    return [moduleSpecifier.text];
  });
}
/** A text is incomplete where the parser found fault only with its end. */
function isComplete(code, file) {
  const faults = file.parseDiagnostics;
  if (faults.length === 0) return { status: "complete" };
  const end = 11 + code.trimEnd().length;
  const first = faults.reduce((a, b) => (startOf(a) <= startOf(b) ? a : b));
  if (first.code === 1002) return { status: "invalid" };
  if (!(UNTERMINATED.has(first.code) || startOf(first) >= end)) return { status: "invalid" };
  return {
    status: "incomplete",
    indent: indentAfter(code),
  };
}
const startOf = (diagnostic) => diagnostic.start ?? 0;
/** Unterminated template literal, and `*​/` expected. */
const UNTERMINATED = /* @__PURE__ */ new Set([1160, 1010]);
function indentAfter(code) {
  const line = code.trimEnd().split("\n").at(-1) ?? "";
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return /[{([]\s*(\/\/.*)?$|=>\s*$/.test(line) ? `${indent}  ` : indent;
}
// kernel/session/load-tslab.ts
/**
 * Loads tslab's converter and executor with some functions of its compiler replaced. The compiler's
 * module object is sealed, so a copy of it takes its place while tslab is loaded.
 */
function loadTslab(replacements) {
  const requireTslab = createRequire(tslabPath());
  const compilerPath = requireTslab.resolve("@tslab/typescript-for-tslab");
  const original = requireTslab(compilerPath);
  const program = replacements.program(original);
  const patched = {
    ...original,
    sys: replaceSystem(original.sys, replacements.directory),
    createWatchCompilerHost: program.createWatchCompilerHost,
    createWatchProgram: program.createWatchProgram,
    getPreEmitDiagnosticsOfFiles: (...parameters) =>
      original.getPreEmitDiagnosticsOfFiles(...parameters).map((diagnostic) => ({
        ...diagnostic,
        messageText: original.flattenDiagnosticMessageText(diagnostic.messageText, "\n"),
      })),
    transpileModule: (...[text, options]) => {
      const result = original.transpileModule(withoutMapComment(text), {
        ...options,
        compilerOptions: {
          ...options.compilerOptions,
          sourceMap: true,
        },
      });
      replacements.onTranspiled(result.sourceMapText ?? "");
      return {
        ...result,
        outputText: withoutMapComment(result.outputText),
      };
    },
  };
  const converterPath = requireTslab.resolve("./converter.js");
  const cached = requireTslab.cache[compilerPath];
  if (cached === void 0) throw new Error(`Cannot load tslab: "${compilerPath}" is not cached`);
  cached.exports = patched;
  delete requireTslab.cache[converterPath];
  try {
    const { createConverter } = requireTslab(converterPath);
    const { createExecutor } = requireTslab("./executor.js");
    return {
      compiler: original,
      program,
      createConverter,
      createExecutor,
    };
  } finally {
    cached.exports = original;
  }
}
function tslabPath() {
  return createRequire(import.meta.url).resolve("tslab/dist/converter.js");
}
function replaceSystem(original, directory) {
  const system = Object.create(original);
  return Object.assign(system, {
    getCurrentDirectory: () => directory,
    watchFile: () => ({ close: () => void 0 }),
  });
}
const withoutMapComment = (text) => text.replace(/\n?\/\/# sourceMappingURL=[^\n]*\s*$/, "\n");
// kernel/session/source-map.ts
/** Reads a source map (JSON text) when it is first asked, because few cells ever fail. */
function createPositionMap(compiler, json) {
  let lines;
  return ({ line, column }) => {
    lines ??= readMappings(compiler, json);
    const entry = lines
      .get(line - 1)
      ?.findLast((mapping) => mapping.generatedCharacter <= column - 1);
    if (entry?.sourceLine === void 0 || entry.sourceCharacter === void 0) return void 0;
    return {
      line: entry.sourceLine + 1,
      column: entry.sourceCharacter + 1,
    };
  };
}
function readMappings(compiler, json) {
  const { mappings } = JSON.parse(json);
  const lines = /* @__PURE__ */ new Map();
  const decoder = compiler.decodeMappings(mappings);
  for (let next = decoder.next(); next.done !== true; next = decoder.next()) {
    const { value } = next;
    if (value.sourceIndex === void 0) continue;
    const line = lines.get(value.generatedLine);
    if (line === void 0) lines.set(value.generatedLine, [value]);
    else line.push(value);
  }
  return lines;
}
// kernel/session/local-modules.ts
const SOURCE = /\.[cm]?[jt]sx?$/;
/** Loads local TypeScript, JavaScript and JSON files, again when one of them has changed. */
function createLocalModules(options) {
  const { compiler, resolve, running, requirePackage } = options;
  const loaded = /* @__PURE__ */ new Map();
  const maps = /* @__PURE__ */ new Map();
  function requireFrom(from, imports = /* @__PURE__ */ new Set()) {
    const native = createRequire(from);
    const load = (name) => {
      if (running.has(name)) return running.get(name);
      if (!isPath(name)) return requirePackage(name, from);
      const target = resolve(name, from);
      const path = target === void 0 || isDeclaration(target) ? void 0 : target.resolvedFileName;
      if (path === void 0 || !(SOURCE.test(path) || path.endsWith(".json"))) return native(name);
      imports.add(path);
      return loadFile(path);
    };
    return Object.assign(load, {
      resolve: native.resolve,
      cache: native.cache,
    });
  }
  function loadFile(path) {
    const known = loaded.get(path);
    if (known !== void 0 && isFresh(path)) return known.exports;
    const stamp = stampOf(path);
    const text = readFileSync(path, "utf8");
    if (path.endsWith(".json")) {
      const value = JSON.parse(text);
      loaded.set(path, {
        exports: value,
        stamp,
        imports: /* @__PURE__ */ new Set(),
      });
      return value;
    }
    return run(path, stamp, text);
  }
  function run(path, stamp, text) {
    const { outputText, sourceMapText } = compiler.transpileModule(text, {
      fileName: path,
      compilerOptions: {
        module: compiler.ModuleKind.CommonJS,
        target: compiler.ScriptTarget.ES2022,
        esModuleInterop: true,
        experimentalDecorators: true,
        jsx: 2,
        sourceMap: true,
        noImplicitUseStrict: true,
      },
    });
    const map = createPositionMap(compiler, sourceMapText ?? "");
    maps.set(path, map);
    const module = {
      exports: {},
      filename: path,
      id: path,
    };
    const imports = /* @__PURE__ */ new Set();
    const entry = {
      exports: module.exports,
      stamp,
      imports,
      map,
    };
    loaded.set(path, entry);
    try {
      vm.runInThisContext(
        `(function (exports, require, module, __filename, __dirname) {${outputText}\n})`,
        { filename: path },
      )(module.exports, requireFrom(path, imports), module, path, dirname(path));
    } catch (error) {
      loaded.delete(path);
      throw error;
    }
    loaded.set(path, {
      ...entry,
      exports: module.exports,
    });
    return module.exports;
  }
  function isFresh(path, seen = /* @__PURE__ */ new Set()) {
    const entry = loaded.get(path);
    if (entry === void 0 || entry.stamp !== stampOf(path)) return false;
    seen.add(path);
    return [...entry.imports].every((next) => seen.has(next) || isFresh(next, seen));
  }
  return {
    requireFrom: (path) => requireFrom(path),
    positionMap: (path) => maps.get(path),
  };
}
const isPath = (name) => /^(\.{1,2}(\/|$)|\/|[A-Za-z]:[\\/])/.test(name);
const isDeclaration = ({ resolvedFileName }) => /\.d\.[cm]?ts$/.test(resolvedFileName);
function stampOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === void 0 ? "missing" : `${stat.mtimeMs}:${stat.size}`;
}
// kernel/session/packages.ts
/** A package loader with a memory of the modules that had to be awaited. */
function createPackageLoader() {
  const awaited = /* @__PURE__ */ new Map();
  async function prepareOne(name, directory) {
    const require = createRequire(join(directory, "__tslab__.ts"));
    let path;
    try {
      path = require.resolve(name);
    } catch {
      return;
    }
    if (awaited.has(path) || !path.startsWith("/")) return;
    try {
      quietly(() => require(path));
    } catch (error) {
      if (error.code !== "ERR_REQUIRE_ASYNC_MODULE") return;
      awaited.set(path, await import(pathToFileURL(path).href));
    }
  }
  return {
    prepare: async (names, directory) => {
      try {
        for (const name of names) if (/^[\w@]/.test(name)) await prepareOne(name, directory);
        return;
      } catch (error) {
        return { thrown: error };
      }
    },
    require: (name, from) => {
      const require = createRequire(from);
      const path = awaited.size > 0 && !name.startsWith("node:") ? require.resolve(name) : name;
      return awaited.has(path) ? awaited.get(path) : quietly(() => require(name));
    },
  };
}
/** Node 20 warns of every `require` of an ES module from outside `node_modules`. */
function quietly(action) {
  const original = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (String(warning).includes("loading ES Module")) return;
    Reflect.apply(original, process, [warning, ...rest]);
  };
  try {
    return action();
  } finally {
    process.emitWarning = original;
  }
}
// kernel/session/typescript-help.ts
/** Completions of TypeScript at a UTF-16 offset. */
function complete(_compiler, converter, declarations, code, position) {
  const found = converter.complete(declarations, code, position);
  if (found === void 0)
    return {
      start: position,
      end: position,
      candidates: [],
    };
  const kinds = new Map(found.original?.entries.map((entry) => [entry.name, entry.kind]));
  return {
    start: found.start,
    end: found.end,
    candidates: found.candidates.map((text) => ({
      text,
      kind: kinds.get(text) ?? "",
    })),
  };
}
/** The type and docstring of the name at a UTF-16 offset. */
function inspect(compiler, converter, declarations, code, position) {
  const info = converter.inspect(declarations, code, position);
  if (info === void 0) return void 0;
  const tags = (info.tags ?? []).map(
    ({ name, text }) => `@${name} ${compiler.displayPartsToString(text)}`,
  );
  const documentation = [compiler.displayPartsToString(info.documentation), ...tags];
  return {
    signature: compiler.displayPartsToString(info.displayParts),
    documentation: documentation.filter((line) => line !== "").join("\n"),
  };
}
// kernel/session/tslab-evaluator.ts
const KEPT_MAPS = 1e3;
const FRAME_FILE = /^restlab-cell-(\d+)$/;
/** An evaluator over tslab's converter and executor. It takes most of a second to make. */
function createTslabEvaluator(options) {
  const { directory } = options;
  let emittedMap = "";
  let transpiledMap = "";
  const tslab = loadTslab({
    directory,
    program: (compiler) => {
      const ambient = createAmbient(compiler, options);
      return createCellProgram(compiler, {
        directory,
        ...ambient,
        onEmitted: (map) => {
          emittedMap = map;
        },
      });
    },
    onTranspiled: (map) => {
      transpiledMap = map;
    },
  });
  const { compiler, program } = tslab;
  const syntax = createCellSyntax(compiler);
  const packages = createPackageLoader();
  const modules = createLocalModules({
    compiler,
    resolve: program.resolve,
    running: options.running,
    requirePackage: packages.require,
  });
  const converter = tslab.createConverter();
  let source = "";
  let declarations = "";
  let pending;
  let failure;
  let resultName;
  const ownConverter = {
    ...converter,
    convert: () => {
      if (syntax.declaredNames(source) > 0) program.skipNext();
      const converted = converter.convert(declarations, source);
      resultName = converted.lastExpressionVar;
      if (converted.diagnostics.length > 0) {
        const faults = toFaults(source, converted.diagnostics);
        failure = new TypeScriptError("TypeScriptError", source, faults);
      } else pending = converted.declOutput ?? "";
      return converted;
    },
  };
  let logged;
  let thrown;
  const executor = tslab.createExecutor(
    directory,
    {
      node: ownConverter,
      browser: ownConverter,
      close: () => converter.close(),
    },
    {
      log: (value) => {
        logged = { value };
      },
      error: (value) => {
        thrown = { value };
      },
    },
  );
  const scope = globalThis;
  const exported = scope.__tslab__?.exports;
  delete scope.__tslab__;
  const cells = /* @__PURE__ */ new Map();
  let count = 0;
  let interruption = createInterruption();
  async function evaluate(code, name) {
    const faults = syntax.faults(code);
    if (faults.length > 0)
      return {
        status: "error",
        thrown: new TypeScriptError("SyntaxError", code, faults),
      };
    source = syntax.withoutExports(code);
    failure = void 0;
    pending = void 0;
    logged = void 0;
    thrown = void 0;
    resultName = void 0;
    interruption = createInterruption();
    const { signal } = interruption;
    const notReady = await packages.prepare(syntax.imports(code), directory);
    if (notReady !== void 0)
      return {
        status: "error",
        thrown: notReady.thrown,
      };
    await inVm(name, () => executor.execute(""));
    if (pending !== void 0) declarations = pending;
    if (failure !== void 0)
      return {
        status: "error",
        thrown: failure,
      };
    if (thrown !== void 0)
      return {
        status: "error",
        thrown: signal.reason ?? thrown.value,
      };
    return lastValue(signal);
  }
  async function lastValue(signal) {
    if (resultName === void 0)
      return {
        status: "ok",
        value: void 0,
        hasValue: false,
      };
    const value = logged?.value ?? executor.locals[resultName];
    delete executor.locals[resultName];
    try {
      const settled = isThenable(value) ? await Promise.race([value, signal.promise]) : value;
      return {
        status: "ok",
        value: settled,
        hasValue: settled !== void 0,
      };
    } catch (error) {
      return {
        status: "error",
        thrown: error,
      };
    }
  }
  /** The executor gives its code no file name, by which a trace could tell the cell. */
  function inVm(name, action) {
    count += 1;
    const id = count;
    const runInThisContext = vm.runInThisContext;
    vm.runInThisContext = (code) => {
      remember(id, name, code);
      return runInThisContext(code, {
        filename: `restlab-cell-${id}`,
        displayErrors: false,
      });
    };
    scope.__tslab__ = {
      exports: exported,
      require: modules.requireFrom(`${directory}/__tslab__.ts`),
    };
    for (const [key, value] of Object.entries(options.globals))
      Object.defineProperty(globalThis, key, {
        value,
        writable: true,
        configurable: true,
      });
    try {
      return action();
    } finally {
      vm.runInThisContext = runInThisContext;
      delete scope.__tslab__;
    }
  }
  function remember(id, name, code) {
    cells.set(id, {
      name,
      prefix: code.indexOf("{") + 2,
      outer: createPositionMap(compiler, transpiledMap),
      inner: createPositionMap(compiler, emittedMap),
    });
    cells.delete(id - KEPT_MAPS);
  }
  return {
    evaluate,
    interrupt: (reason) => {
      interruption.interrupt(reason);
      executor.interrupt();
    },
    complete: (code, position) => complete(compiler, converter, declarations, code, position),
    inspect: (code, position) => inspect(compiler, converter, declarations, code, position),
    isComplete: syntax.isComplete,
    locate: ({ file, line, column }) => {
      const [, id] = FRAME_FILE.exec(file) ?? [];
      if (id === void 0) {
        const at = modules.positionMap(file)?.({
          line,
          column,
        });
        return at === void 0
          ? void 0
          : {
              file,
              ...at,
            };
      }
      const cell = cells.get(Number(id));
      const at = cell?.outer({
        line,
        column: line === 1 ? column - cell.prefix : column,
      });
      const written = at === void 0 ? void 0 : cell?.inner(at);
      if (cell === void 0 || written === void 0 || written.line < 2) return void 0;
      return {
        file: cell.name,
        line: written.line - 1,
        column: written.column,
      };
    },
    reset: () => {
      declarations = "";
      executor.reset();
    },
    close: () => executor.close(),
  };
}
function createInterruption() {
  const { promise, reject } = promiseWithReject();
  const signal = {
    reason: void 0,
    promise,
  };
  return {
    signal,
    interrupt: (reason) => {
      signal.reason = reason;
      reject(reason);
    },
  };
}
function promiseWithReject() {
  let reject = () => void 0;
  const promise = new Promise((_resolve, refuse) => {
    reject = refuse;
  });
  promise.catch(() => void 0);
  return {
    promise,
    reject,
  };
}
const isThenable = (value) =>
  typeof value === "object" && value !== null && typeof value.then === "function";

export { createTslabEvaluator };
