import type { Client } from "../../../lib/mod.ts";
import {
  type CellScope,
  type Completion,
  type Evaluator,
  type Inspection,
  type IsComplete,
  kindOfCell,
} from "../cell/mod.ts";
import { type CellSyntax, findDepth } from "../typescript/mod.ts";
import { METHODS } from "../words/mod.ts";
import { completeCall, completeName } from "./call-help.ts";
import { completeMagic } from "./complete-magic.ts";
import { completeRequest, inspectRequest } from "./complete-request.ts";
import { isCompleteRequest } from "./is-complete-request.ts";
import { maskCompletion, maskInspection } from "./masked-help.ts";
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
  { exports }: Pick<CellScope, "exports">,
  loadEvaluator: () => Promise<Evaluator>,
  loadSyntax: () => Promise<CellSyntax>,
): CellHelp {
  /** Adds candidates from current values if the types offer none. */
  function withValues(found: Completion, code: string, position: number): Completion {
    if (found.signature !== undefined) {
      const candidates = completeName(client, code, position);
      return candidates === undefined ? found : { ...found, candidates };
    }
    const isUnknown = found.candidates.length === 0;
    return (isUnknown && completeVariable({ client, exports }, code, position)) || found;
  }

  return {
    complete: async (code, position) => {
      const magic = completeMagic(client, code, position);
      if (magic !== undefined) return magic;
      const cell = kindOfCell(code);
      // The first word of a request is not a request yet.
      const [, method, blanks] = /^\s*([A-Z]+)([ \t]*)$/.exec(code) ?? [];
      if (cell.kind !== "typescript" || method !== undefined) {
        const found = completeRequest(client, code, position);
        const isRequest = blanks !== "" && Object.hasOwn(METHODS, method ?? "");
        if (cell.kind !== "typescript" || isRequest || found.candidates.length > 0) return found;
      }
      if (findDepth(cell.text) !== undefined)
        return { start: position, end: position, candidates: [] };
      const known = completeAnswer(client, code, position) ?? completeCall(client, code, position);
      if (known !== undefined) return maskCompletion(known, client.secrets);
      const found = (await loadEvaluator()).complete(cell.text, position);
      return maskCompletion(withValues(found, code, position), client.secrets);
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
