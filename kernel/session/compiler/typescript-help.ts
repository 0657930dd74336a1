import type ts from "typescript";
import { type Candidate, CLIENT_MEMBERS, type Completion, type Inspection } from "../cell/mod.ts";
import { type CellProgram, GLOBAL } from "./cell-program.ts";
import type { Compiler } from "./load-compiler.ts";

/**
 * Completions of TypeScript at a UTF-16 offset of the cell that is open. An argument that is still empty is completed
 * to values of its type and to variables of the person, not to all that the runtime has.
 *
 * @param variables The variables of earlier cells.
 */
export function complete(
  compiler: Compiler,
  program: CellProgram,
  { code, position, variables }: Place,
): Completion {
  const { entries = [], optionalReplacementSpan: span } = program.complete(position) ?? {};
  const start = span?.start ?? position;
  const end = span === undefined ? position : span.start + span.length;
  const typed = code.slice(start, end);
  const head = code.slice(0, start);
  const isClient = /\bclient\??\.\s*$/.test(head);
  const byUse = isClient ? BY_USE : OF_RESPONSE.test(head) ? RESPONSE_MATCHERS : [];
  const isArgument = typed === "" && /[(,]\s*$/.test(code.slice(0, position));
  const called = isArgument ? program.signature(position) : undefined;
  const call = called && showCall(compiler, called);
  const ranked = entries
    .map(({ name, kind, sortText }) => ({
      name,
      kind,
      rank: rankOf(name, typed),
      sortText: sortText === GLOBAL && variables.has(name) ? LOCAL : sortText,
    }))
    .filter(({ rank, sortText }) => rank !== undefined && (call === undefined || sortText < GLOBAL))
    .sort(
      (left, right) =>
        (left.rank ?? 0) - (right.rank ?? 0) ||
        placeIn(byUse, left.name) - placeIn(byUse, right.name) ||
        left.sortText.localeCompare(right.sortText) ||
        left.name.localeCompare(right.name),
    );
  const candidates = ranked.map(({ name, kind }): Candidate => {
    const detail =
      isClient && Object.hasOwn(CLIENT_MEMBERS, name) ? CLIENT_MEMBERS[name] : undefined;
    return { text: name, kind, ...(detail !== undefined && { detail }) };
  });
  return { start, end, candidates, ...(call !== undefined && { signature: call.signature }) };
}

/** A place in the cell that is open. */
interface Place {
  readonly code: string;
  readonly position: number;
  readonly variables: Pick<ReadonlyMap<string, unknown>, "has">;
}

/** The `sortText` of what the compiler finds in the cell. */
const LOCAL = "11";

const BY_USE = Object.keys(CLIENT_MEMBERS);
const OF_RESPONSE = /\bexpect\(\s*client\.last\s*\)\.(?:not\.)?\s*$/;
const RESPONSE_MATCHERS =
  "toHaveStatus toBeSuccessful toHaveHeader toHaveJson toPass toRespondWithin".split(" ");

/** The place of a name among those that are used most. */
function placeIn(names: readonly string[], name: string): number {
  const at = names.indexOf(name);
  return at === -1 ? names.length : at;
}

/** Names that begin with the typed word come first, those that contain it last. */
function rankOf(name: string, typed: string): number | undefined {
  if (name.startsWith(typed)) return 0;
  const at = name.toLowerCase().indexOf(typed.toLowerCase());
  return at < 0 ? undefined : Math.min(at, 1) + 1;
}

/** The type and docstring of the name, or else of the called function, at a UTF-16 offset of the cell that is open. */
export function inspect(
  compiler: Compiler,
  program: CellProgram,
  position: number,
): Inspection | undefined {
  const info = program.inspect(position);
  if (info === undefined) return undefined;
  if ("parameters" in info) return showCall(compiler, info);
  const tags = (info.tags ?? []).map(
    ({ name, text }) => `@${name} ${compiler.displayPartsToString(text)}`,
  );
  const documentation = [compiler.displayPartsToString(info.documentation), ...tags];
  return {
    signature: compiler.displayPartsToString(info.displayParts),
    documentation: documentation.filter((line) => line !== "").join("\n"),
  };
}

function showCall(compiler: Compiler, item: ts.SignatureHelpItem): Inspection {
  const textOf = compiler.displayPartsToString.bind(compiler);
  const parameters = item.parameters.map(({ displayParts }) => textOf(displayParts));
  return {
    signature:
      textOf(item.prefixDisplayParts) +
      parameters.join(textOf(item.separatorDisplayParts)) +
      textOf(item.suffixDisplayParts),
    documentation: textOf(item.documentation),
  };
}
