import { type Explanation, messageOf, nearNames, type SourceText } from "../interpolation/mod.ts";
import {
  type ExpandedText,
  type ExpandOptions,
  expandText,
  explainRunScript,
  filesOf,
  type NamedRequest,
  nameOf,
  type ParsedText,
  RequestSyntaxError,
  type RequestText,
  readText,
  scriptVariables,
} from "../request/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";

/** The named requests that a client knows. */
export interface NamedRequests {
  /**
   * Adds requests. A later one replaces one of the same name, but a name goes before a title, and a
   * request of the text itself before one that it imports.
   */
  add(requests: readonly NamedRequest[]): void;
  /** Notes the variables that scripts of a text set, or would set if they were run. */
  noteScripts(text: SourceText, areRun: boolean): void;
  /** Notes that a script has run: what it sets and has no value afterwards is `undefined`. */
  noteRun(code: string, firstLine: number): void;
  /** The variables that scripts set which run with each request. */
  setForEach(): Iterable<string>;
  /** Explains that a script would set a variable. */
  explainScript(name: string): Explanation | undefined;
  get(name: string): NamedRequest | undefined;
  names(): Iterable<string>;
  clear(): void;
}

/** Creates an empty list of named requests. */
export function createNamedRequests(): NamedRequests {
  const requests = new Map<string, NamedRequest>();
  const scripts = new Map<string, Explanation>();
  const forEach = new Set<string>();
  return {
    noteScripts: (text, areRun) => {
      const { explanations, setForEach } = scriptVariables(text, areRun);
      for (const name of setForEach) forEach.add(name);
      for (const [name, reason] of explanations) scripts.set(name, reason);
    },
    noteRun: (code, firstLine) => {
      for (const [name, reason] of explainRunScript(code, firstLine)) scripts.set(name, reason);
    },
    setForEach: () => forEach,
    explainScript: (name) => scripts.get(name),
    add: (added) => {
      for (const request of added) {
        const name = nameOf(request.draft);
        const before = name === undefined ? undefined : requests.get(name);
        if (name === undefined || (before !== undefined && rankOf(before) > rankOf(request))) {
          continue;
        }
        requests.set(name, request);
      }
    },
    get: (name) => requests.get(name),
    names: () => requests.keys(),
    clear: () => {
      requests.clear();
      scripts.clear();
      forEach.clear();
    },
  };
}

function rankOf({ draft }: NamedRequest): number {
  return (draft.name === undefined ? 0 : 2) + (draft.file === undefined ? 1 : 0);
}

/** Explains that the name in `# @ref name` is unknown. */
export function explainUnknown(name: string, known: Iterable<string>): Explanation {
  const near = nearNames(name, known);
  return {
    message: `Cannot send "${name}" first: no request with that name is known`,
    hint:
      near.length > 0
        ? `Did you mean "${near[0]}"?`
        : `Write "# @name ${name}" above that request, and run its cell or import its file`,
  };
}

/** The files that request texts import. */
export interface Imports {
  /** What a text may refer to, for a check. */
  readonly options: ExpandOptions;
  /** Reads the files that a text imports, directly or through others; `undefined` if there is none to wait for. */
  load(text: RequestText): Promise<void> | undefined;
  /**
   * Puts the entries of imported files where a text names them.
   *
   * @throws {RequestSyntaxError} A file cannot be read, or a `run` line names no request.
   */
  expand(text: RequestText): ExpandedText;
}

interface ImportsParts {
  readonly readFile: ((path: string) => Promise<Uint8Array>) | undefined;
  readonly secrets: SecretStore;
  readonly requests: NamedRequests;
  /** Whether a variable has a value that a line of an imported file must not replace. */
  readonly isOwn: (name: string) => boolean;
}

/** Request files are written by hand: a larger one is a mistake. */
const SIZE_LIMIT = 16 * 1024 * 1024;

/** Creates an empty store of imported files; each is read again whenever a text that imports it is sent. */
export function createImports({ readFile, secrets, requests, isOwn }: ImportsParts): Imports {
  const files = new Map<string, ParsedText | Error>();
  const options: ExpandOptions = {
    find: (path) => files.get(path),
    named: (name) => requests.get(name),
    isOwn,
  };

  async function read(path: string): Promise<ParsedText | Error> {
    if (readFile === undefined) {
      return new Error("this client has no access to files; give createClient a readFile function");
    }
    try {
      const bytes = await readFile(path);
      if (bytes.length > SIZE_LIMIT) return new Error(`it is larger than ${SIZE_LIMIT} bytes`);
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      secrets.learn({ kind: "source", text }, "person");
      return readText(text);
    } catch (error) {
      return new Error(reasonOf(error));
    }
  }

  async function load(
    named: ReturnType<typeof filesOf>,
    seen: Set<string> = new Set(),
  ): Promise<void> {
    for (const { path } of named) {
      if (seen.has(path)) continue;
      seen.add(path);
      const found = await read(path);
      files.set(path, found);
      if (!(found instanceof Error)) await load(filesOf(found, path), seen);
    }
  }

  return {
    options,
    load: (text) => {
      const named = filesOf(text);
      return named.length === 0 ? undefined : load(named);
    },
    expand(text) {
      const expanded = expandText(text, options);
      const errors = expanded.faults.filter(({ severity }) => severity === "error");
      if (errors.length === 0) return expanded;
      throw new RequestSyntaxError(text.source, errors);
    },
  };
}

function reasonOf(error: unknown): string {
  if ((error as { readonly code?: unknown }).code === "ENOENT") return "there is no such file";
  if (error instanceof TypeError) return "it is not UTF-8 text";
  return messageOf(error);
}
