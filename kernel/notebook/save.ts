import { toVisibleJson } from "../../lib/display/mod.ts";
import type { Secrets } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import {
  type CellRun,
  type Document,
  DocumentError,
  outputPath,
  reasonOf,
  renderIpynb,
} from "./document/mod.ts";
import type { RunOptions } from "./options.ts";

type Runs = ReadonlyMap<string, CellRun>;

/** Writes what a run has come to. */
export interface Saver {
  /** Writes what was run until now, unless that would take a noticeable part of the run. */
  checkpoint(runs: Runs): Promise<void>;
  /** @returns What is to be said about it. */
  finish(runs: Runs): Promise<readonly string[]>;
}

/** Between two checkpoints lies so many times the time that the one before took. */
const REST = 20;

/**
 * Creates what writes the outputs of a document; nothing where none are wanted.
 *
 * @throws {DocumentError} From its methods: the file cannot be written.
 */
export function createSaver(
  document: Document,
  secrets: Secrets,
  { output, files }: Pick<RunOptions, "output" | "files">,
  platform: Pick<Platform, "stdout" | "writeFile">,
): Saver | undefined {
  if (output === undefined) return undefined;
  let next = 0;

  async function save(runs: Runs): Promise<readonly string[]> {
    const { document: masked, remark } = withoutSecrets(document, secrets);
    const text = render(masked, runs);
    if (output === "-") platform.stdout.write(toVisibleJson(text));
    else await write(outputPath(output ?? "", document, files.length), text);
    return [remark, remarkOnRevealed(document, runs)].filter((it) => it !== undefined);
  }

  function render(masked: Document, runs: Runs): string {
    try {
      return renderIpynb(masked, runs);
    } catch (error) {
      // Metadata of the file that are nested thousands deep, or more than a text can hold.
      const reason = error instanceof Error ? error.message : String(error);
      throw new DocumentError(`Writing the outputs of "${document.path}" failed: ${reason}`, {
        cause: error,
      });
    }
  }

  async function write(path: string, text: string): Promise<void> {
    try {
      await platform.writeFile(path, text);
    } catch (error) {
      throw new DocumentError(`Writing "${path}" failed: ${reasonOf(error)}`, { cause: error });
    }
  }

  return {
    finish: save,
    checkpoint: async (runs) => {
      const begun = performance.now();
      if (output === "-" || begun < next) return;
      await save(runs);
      const end = performance.now();
      next = end + REST * (end - begun);
    },
  };
}

/** A notebook that is written is meant to be shared: what its cells hold of secrets is replaced. */
function withoutSecrets(
  document: Document,
  secrets: Secrets,
): { document: Document; remark: string | undefined } {
  const cells = document.cells.map((cell) => ({ ...cell, source: secrets.mask(cell.source) }));
  const changed = cells.filter(({ source }, index) => source !== document.cells[index]?.source);
  const masked = { ...document, cells };
  if (changed.length === 0) return { document: masked, remark: undefined };
  const which =
    changed.length === 1 ? "The source of 1 cell" : `The sources of ${changed.length} cells`;
  const advice = "they are masked in the output; set them with --var or from the environment";
  return { document: masked, remark: `${which} held secrets: ${advice}` };
}

/** What was revealed is in the output that was written: whoever shares it has to know. */
function remarkOnRevealed({ path }: Document, runs: Runs): string | undefined {
  const isRevealed = ({ outputs }: CellRun): boolean =>
    outputs.some((output) => "metadata" in output && holdsSecrets(output.metadata));
  const counts = [...runs.values()].filter(isRevealed).map(({ count }) => count);
  if (counts.length === 0) return undefined;
  const which = counts.length === 1 ? "cell" : "cells";
  return `${path}: the output of ${which} ${counts.join(", ")} holds secrets that were revealed; clear it before it is shared`;
}

function holdsSecrets(metadata: object): boolean {
  return JSON.stringify(metadata).includes('"holds_secrets":true');
}
