import { isReachableName } from "../../lib/interpolation/mod.ts";
import type { Client, Secrets } from "../../lib/mod.ts";
import {
  type Candidate,
  type CellScope,
  type Completion,
  type Evaluator,
  type Inspection,
  type IsComplete,
  MAGICS,
  METHODS,
  STRICT_VALUES,
} from "./cell/mod.ts";
import { kindOfCell } from "./cell.ts";
import { type CellSyntax, findDepth } from "./compiler/mod.ts";
import {
  completeRequest,
  inspectRequest,
  type Known,
  type KnownNames,
} from "./complete-request.ts";
import { isCompleteRequest } from "./is-complete-request.ts";
import { completeAnswer, completeVariable } from "./value-help.ts";

/** What helps a person while a cell is written; nothing of it is run. */
export interface CellHelp {
  /** @param position UTF-16 offset in the cell. */
  complete(code: string, position: number): Promise<Completion>;
  /** @param position UTF-16 offset in the cell. */
  inspect(code: string, position: number): Promise<Inspection | undefined>;
  isComplete(code: string): Promise<IsComplete>;
}

/**
 * Creates the help for the cells of a session.
 *
 * @param scope The variables of the cells.
 * @param loadEvaluator Called when a TypeScript cell needs more than its syntax.
 * @param loadSyntax Loads the parser alone, which is ready sooner: some front ends wait for a second at most.
 */
export function createCellHelp(
  client: Client,
  scope: Pick<CellScope, "values" | "variables" | "withoutVariables">,
  loadEvaluator: () => Promise<Evaluator>,
  loadSyntax: () => Promise<CellSyntax>,
): CellHelp {
  const { values } = scope;
  const known = {
    vars: uncopiedVariables(client, scope),
    secrets: client.secrets,
    get responses() {
      return client.responses;
    },
    get history() {
      return client.history;
    },
  };

  /** Adds candidates from current values if the types offer none. */
  function withValues(found: Completion, code: string, position: number): Completion {
    if (found.signature !== undefined) {
      const candidates = completeName(known, code, position);
      return candidates === undefined ? found : { ...found, candidates };
    }
    const isUnknown = found.candidates.length === 0;
    return (isUnknown && completeVariable({ client, values }, code, position)) || found;
  }

  return {
    complete: async (code, position) => {
      const magic = completeMagic(client, code, position);
      if (magic !== undefined) return magic;
      const cell = kindOfCell(code);
      // The first word of a request, a variable line or an assertion is neither yet.
      const [, method, blanks] = /^\s*(@[\w.-]*|\?\?|[A-Z]+)([ \t]*)$/.exec(code) ?? [];
      if (cell.kind !== "typescript" || method !== undefined) {
        const found = maskCompletion(completeRequest(known, code, position), client.secrets);
        const isRequest = blanks !== "" && Object.hasOwn(METHODS, method ?? "");
        if (cell.kind !== "typescript" || isRequest || found.candidates.length > 0) return found;
      }
      if (findDepth(cell.text) !== undefined)
        return { start: position, end: position, candidates: [] };
      const found = completeAnswer(client, code, position) ?? completeCall(known, code, position);
      if (found !== undefined) return maskCompletion(found, client.secrets);
      const byType = (await loadEvaluator()).complete(cell.text, position);
      return maskCompletion(withValues(byType, code, position), client.secrets);
    },
    inspect: async (code, position) => {
      const cell = kindOfCell(code);
      if (cell.kind !== "typescript") return inspectRequest(client, code, position);
      if (findDepth(cell.text) !== undefined) return undefined;
      client.secrets.learn({ kind: "source", text: code }, "person");
      return maskInspection((await loadEvaluator()).inspect(cell.text, position), client.secrets);
    },
    isComplete: async (code) => {
      const cell = kindOfCell(code);
      if (cell.kind === "unknown-magic") return { status: "invalid" };
      if (cell.kind === "request") return isCompleteRequest(cell.text);
      // What is nested too deeply is reported when it is run.
      const isCode = cell.kind === "typescript" && findDepth(cell.text) === undefined;
      if (!isCode) return { status: "complete" };
      return (await loadSyntax()).isComplete(cell.text);
    },
  };
}

/** The variables that placeholders may name, those of cells as they are: nothing of them is copied, and no getter called. */
function uncopiedVariables(
  { vars }: Pick<Client, "vars">,
  { variables, withoutVariables }: Pick<CellScope, "variables" | "withoutVariables">,
): KnownNames["vars"] {
  const isShown = (name: string): boolean =>
    isReachableName(name) && !/^(?:function|symbol|undefined)$/.test(typeof variables.get(name));
  return {
    has: (name) => vars.has(name) || variables.has(name),
    get: (name) => withoutVariables(() => vars.get(name)) ?? variables.get(name),
    keys: () => {
      const own = withoutVariables(() => [...vars.keys()]);
      return new Set([...own, ...[...variables.keys()].filter(isShown)]).values();
    },
  };
}

/** Completions without secrets: types of constants are their values, and a key of a response may be one. */
function maskCompletion(completion: Completion, secrets: Secrets): Completion {
  const candidates = completion.candidates
    .filter(({ text }) => secrets.mask(text) === text)
    .map((candidate) =>
      candidate.detail === undefined
        ? candidate
        : { ...candidate, detail: secrets.mask(candidate.detail) },
    );
  const { signature, ...rest } = completion;
  return {
    ...rest,
    candidates,
    ...(signature !== undefined && { signature: secrets.mask(signature) }),
  };
}

/** What is known about a place, without secrets. */
function maskInspection(found: Inspection | undefined, secrets: Secrets): Inspection | undefined {
  if (found === undefined) return undefined;
  const { signature, documentation, ...rest } = found;
  return {
    ...rest,
    signature: secrets.mask(signature),
    documentation: secrets.mask(documentation),
  };
}

/** What may come before a line `%env NAME` or `%%http`: other such lines, and blank ones. */
const BEFORE = String.raw`^\uFEFF?(?:[^\S\n]*(?:%(?:demo|env|import|strict)[^\n]*)?\n)*[^\S\n]*`;
const WORD = new RegExp(`${BEFORE}(%%?\\w*)$`);
const VALUE = new RegExp(`${BEFORE}%(env|strict)[^\\S\\n]+(\\S*)$`);

/** Completes the `%` lines that a cell begins with, and their values; nothing elsewhere. */
export function completeMagic(
  { environment }: Pick<Client, "environment">,
  code: string,
  position: number,
): Completion | undefined {
  const before = code.slice(0, position);
  const [, word] = WORD.exec(before) ?? [];
  if (word !== undefined) return complete(MAGICS, "magic", word, position);
  const [, name, value] = VALUE.exec(before) ?? [];
  if (value === undefined) return undefined;
  if (name === "strict") return complete(STRICT_VALUES, "value", value, position);
  const names = Object.fromEntries((environment?.names ?? []).map((it) => [it, undefined]));
  return complete(names, "environment", value, position);
}

function complete(
  words: Readonly<Record<string, string | undefined>>,
  kind: string,
  typed: string,
  position: number,
): Completion {
  const candidates = Object.entries(words)
    .filter(([text]) => text.startsWith(typed))
    .map(([text, detail]) => ({ text, kind, ...(detail !== undefined && { detail }) }));
  return { start: position - typed.length, end: position, candidates };
}

/** The first argument of a method of the client while it is typed: a string without its closing quote. */
const ARGUMENT =
  /\bclient\??\.(\w+)\(\s*(?:(`)((?:\\[\s\S]|[^\\`])*)|(["'])((?:\\.|(?!\4)[^\\\n])*))$/;
const TAKES_NAME = /^(?:[gs]et|has|delete)Var$|^origin$/;
const TAKES_REQUEST = /^(?:send|render)(?:All)?$|^(?:stream|download|paginate|check)$/;

const EMPTY_CALL = /\bclient\??\.(\w+)\(\s*$/;

/**
 * The names of variables, in quotes, if the first argument of a method that takes one is still empty.
 *
 * @returns Nothing at any other place.
 * @example `client.getVar(` is completed to `"base"`
 */
function completeName(
  { vars }: KnownNames,
  code: string,
  position: number,
): readonly Candidate[] | undefined {
  const [, method = ""] = EMPTY_CALL.exec(code.slice(0, position)) ?? [];
  if (!TAKES_NAME.test(method)) return undefined;
  return [...vars.keys()].map((name) => ({ text: JSON.stringify(name), kind: "variable" }));
}

/**
 * Completions in the text that a method of the client is called with: names of variables, and requests.
 *
 * @returns Nothing at any other place, or if nothing is known.
 * @example `client.getVar("ba` is completed to `base`, and client.send(`GET {{ba` to `{{base}}`
 */
function completeCall(client: Known, code: string, position: number): Completion | undefined {
  const head = code.slice(0, position);
  const [, method = "", , template, , quoted] = ARGUMENT.exec(head) ?? [];
  const text = template ?? quoted;
  if (text === undefined) return undefined;
  if (TAKES_NAME.test(method)) {
    const candidates = [...client.vars.keys()]
      .filter((name) => name.startsWith(text))
      .map((name) => ({ text: name, kind: "variable" }));
    return { start: position - text.length, end: position, candidates };
  }
  if (!TAKES_REQUEST.test(method)) return undefined;
  const from = position - text.length;
  const found = completeRequest(client, code.slice(from), text.length);
  if (found.candidates.length === 0) return undefined;
  return { ...found, start: found.start + from, end: found.end + from };
}
