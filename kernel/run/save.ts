import { join, resolve } from "node:path";
import { toVisibleJson } from "../../lib/display/mod.ts";
import type { Secrets } from "../../lib/mod.ts";
import { expectWritable, makeFolder, type Platform, writingReason } from "../platform/mod.ts";
import type { Document } from "./document.ts";
import { attempt, DocumentError } from "./errors.ts";
import type { CellRun } from "./outputs.ts";
import { renderIpynb } from "./render-document.ts";

type Runs = ReadonlyMap<string, CellRun>;

/** The file for the outputs of a document; with several documents `output` is their folder. */
export function outputPath(output: string, { path }: Document, count: number): string {
  if (count === 1) return output;
  return join(output, path.replace(/^.*[\\/]/, "").replace(/\.\w+$/, ".ipynb"));
}

/**
 * Checks before anything is sent that the outputs can be written, and creates the folder for several.
 *
 * @param output The value of `--output`; `-` is standard output.
 * @throws {DocumentError} They cannot be written, or would replace each other or a file of requests.
 */
export async function checkOutput(output: string, documents: readonly Document[]): Promise<void> {
  const several = documents.length > 1;
  if (output === "-") return several ? fail(output, "several notebooks need a folder") : undefined;
  const paths = documents.map((document) => outputPath(output, document, documents.length));
  for (const [index, path] of paths.entries()) {
    if (paths.indexOf(path) !== index) fail(path, "two of the files have this name");
    const requests = documents.find((it) => resolve(it.path) === resolve(path));
    if (requests !== undefined && !path.endsWith(".ipynb")) {
      fail(path, "it is a file of requests, which a notebook would replace");
    }
  }
  for (const path of paths) {
    await attempt(`Writing "${path}"`, writingReason, async () => {
      if (several) makeFolder(output);
      await expectWritable(resolve(path));
    });
    if (!several && !/\.ipynb$/i.test(path)) {
      fail(path, "the outputs are a notebook; write a name that ends in .ipynb");
    }
  }
}

function fail(path: string, reason: string): never {
  throw new DocumentError(`Writing "${path}" failed: ${reason}`);
}

/** The time between checkpoints, in multiples of the time that the last one took. */
const CHECKPOINT_PAUSE = 20;

/** Saves a document with its outputs; throws a {@link DocumentError} if the file cannot be written. */
export class Saver {
  readonly #document: Document;
  readonly #path: string;
  readonly #secrets: Secrets;
  readonly #platform: Platform;
  #next = 0;

  /** @param path The file; `-` is standard output. */
  constructor(document: Document, path: string, secrets: Secrets, platform: Platform) {
    this.#document = document;
    this.#path = path;
    this.#secrets = secrets;
    this.#platform = platform;
  }

  /** Writes the outputs so far, unless that would take a noticeable part of the run. */
  async checkpoint(runs: Runs): Promise<void> {
    const begun = performance.now();
    if (this.#path === "-" || begun < this.#next) return;
    await this.save(runs);
    const end = performance.now();
    this.#next = end + CHECKPOINT_PAUSE * (end - begun);
  }

  /** @returns Remarks for the person. */
  async save(runs: Runs): Promise<readonly string[]> {
    const { path } = this.#document;
    const isReplaced = resolve(this.#path) === resolve(path);
    const { document: masked, changed } = withoutSecrets(this.#document, this.#secrets);
    // Masking the file that a person wrote would destroy it, and it contains them anyway.
    const text = render(isReplaced ? this.#document : masked, runs);
    const write = (): Promise<void> => this.#platform.writeFile(this.#path, text);
    if (this.#path === "-") this.#platform.stdout.write(toVisibleJson(text));
    else await attempt(`Writing "${this.#path}"`, writingReason, write);
    const remarks = [remarkOnSources(changed, isReplaced), remarkOnRevealed(path, runs)];
    return remarks.filter((it) => it !== undefined);
  }
}

function render(document: Document, runs: Runs): string {
  try {
    return renderIpynb(document, runs);
  } catch (error) {
    // Metadata that is nested too deeply, or a text that is too long.
    const reason = error instanceof Error ? error.message : String(error);
    throw new DocumentError(`Writing the outputs of "${document.path}" failed: ${reason}`, {
      cause: error,
    });
  }
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
function remarkOnRevealed(path: string, runs: Runs): string | undefined {
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
