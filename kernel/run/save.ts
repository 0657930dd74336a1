import { resolve } from "node:path";
import { toVisibleJson } from "../../lib/display/mod.ts";
import type { Secrets } from "../../lib/mod.ts";
import { type Platform, writingReason } from "../platform/mod.ts";
import type { RunOptions } from "./context.ts";
import { type Document, DocumentError } from "./document.ts";
import { outputPath } from "./output-path.ts";
import { type CellRun, renderIpynb } from "./outputs.ts";

type Runs = ReadonlyMap<string, CellRun>;

interface Saver {
  /** Writes the outputs so far, unless that would take a noticeable part of the run. */
  checkpoint(runs: Runs): Promise<void>;
  /** @returns Remarks for the person. */
  finish(runs: Runs): Promise<readonly string[]>;
}

/** The time between checkpoints, in multiples of the time that the last one took. */
const CHECKPOINT_PAUSE = 20;

/**
 * Creates the saver of a document; nothing without `--output`. Its methods throw a `DocumentError` when
 * the file cannot be written.
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
    const path = outputPath(output ?? "", document, files.length);
    const isReplaced = resolve(path) === resolve(document.path);
    const { document: masked, changed } = withoutSecrets(document, secrets);
    // Masking the file that a person wrote would destroy it, and it contains them anyway.
    const text = render(isReplaced ? document : masked, runs);
    if (output === "-") platform.stdout.write(toVisibleJson(text));
    else await write(path, text);
    const remarks = [remarkOnSources(changed, isReplaced), remarkOnRevealed(document, runs)];
    return remarks.filter((it) => it !== undefined);
  }

  function render(masked: Document, runs: Runs): string {
    try {
      return renderIpynb(masked, runs);
    } catch (error) {
      // Metadata that is nested too deeply, or a text that is too long.
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
      throw new DocumentError(`Writing "${path}" failed: ${writingReason(error)}`, {
        cause: error,
      });
    }
  }

  return {
    finish: save,
    checkpoint: async (runs) => {
      const begun = performance.now();
      if (output === "-" || begun < next) return;
      await save(runs);
      const end = performance.now();
      next = end + CHECKPOINT_PAUSE * (end - begun);
    },
  };
}

/** Masks secrets in the sources of cells, and counts those that changed: a saved notebook is meant to be shared. */
function withoutSecrets(
  document: Document,
  secrets: Secrets,
): { document: Document; changed: number } {
  const cells = document.cells.map((cell) => ({ ...cell, source: secrets.mask(cell.source) }));
  const changed = cells.filter(({ source }, index) => source !== document.cells[index]?.source);
  return { document: { ...document, cells }, changed: changed.length };
}

function remarkOnSources(changed: number, isReplaced: boolean): string | undefined {
  if (changed === 0) return undefined;
  const which = changed === 1 ? "The source of 1 cell" : `The sources of ${changed} cells`;
  const advice = "set them with --var or from the environment";
  return isReplaced
    ? `${which} contain${changed === 1 ? "s" : ""} secrets, and stay${changed === 1 ? "s" : ""} unchanged in the same file: ${advice}`
    : `${which} contained secrets: they are masked in the output; ${advice}`;
}

/** Warns the person before the notebook is shared. */
function remarkOnRevealed({ path }: Document, runs: Runs): string | undefined {
  const isRevealed = ({ outputs }: CellRun): boolean =>
    outputs.some((output) => "metadata" in output && hasSecrets(output.metadata));
  const counts = [...runs.values()].filter(isRevealed).map(({ count }) => count);
  if (counts.length === 0) return undefined;
  const which = counts.length === 1 ? "cell" : "cells";
  return `${path}: the output of ${which} ${counts.join(", ")} contains secrets that were revealed; clear it before you share the notebook`;
}

/** The metadata also contain names and values of responses, which may look the same. */
function hasSecrets(metadata: {
  readonly restlab?: { readonly holds_secrets?: boolean };
}): boolean {
  return metadata.restlab?.holds_secrets === true;
}
