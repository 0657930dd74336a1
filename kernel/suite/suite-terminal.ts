import type { OutputStream } from "../platform/mod.ts";
import { toLogText } from "../reports/mod.ts";
import { createProgress, createTerminalPrinter, type Progress } from "../terminal/mod.ts";
import type { FileResult, SuiteResult } from "./results/mod.ts";
import { fileLine, type SummaryLine, summaryLines } from "./summary.ts";

/** A run of a document that has not ended. */
export interface RunningFile {
  /** How many of its cells have ended and failed, and the one that is running. */
  readonly progress: { readonly done: number; readonly failed: number; readonly cell: string };
}

/** Shows a suite at the terminal: a line of progress, a line for each file, and the summary. */
export class SuiteTerminal {
  readonly #stdout: OutputStream;
  readonly #progress: Progress;
  readonly #running = new Set<RunningFile>();
  readonly #startedAt = performance.now();
  #done = 0;
  #failed = 0;

  /** @param streams The progress goes to standard error, so that a pipe does not get it. */
  constructor({
    stdout,
    stderr,
  }: { readonly stdout: OutputStream; readonly stderr: OutputStream }) {
    this.#stdout = stdout;
    this.#progress = createProgress(stderr);
    const time = (): string => `${((performance.now() - this.#startedAt) / 1000).toFixed(1)} s`;
    this.#progress.start(() => this.#describe(), time);
  }

  fileStarted(file: RunningFile): void {
    this.#running.add(file);
  }

  fileEnded(file: RunningFile): void {
    const { done, failed } = file.progress;
    this.#done += done;
    this.#failed += failed;
    this.#running.delete(file);
  }

  /** Prints the result of a file; called in the order of the files. */
  file(result: FileResult): void {
    this.#print([fileLine(result)]);
  }

  stop(): void {
    this.#progress.stop();
  }

  end(suite: SuiteResult): void {
    this.stop();
    this.#print(summaryLines(suite));
  }

  #print(lines: readonly SummaryLine[]): void {
    this.#progress.clear();
    const printer = createTerminalPrinter(this.#stdout);
    const colors = { passed: "Successful", failed: "Client error" } as const;
    for (const { text, status } of lines) {
      printer.line(
        toLogText(text.replaceAll("\n", "␊")),
        status === undefined ? undefined : colors[status],
      );
    }
  }

  #describe(): string {
    const running = [...this.#running].map(({ progress }) => progress);
    const sum = (count: (one: RunningFile["progress"]) => number): number =>
      running.reduce((total, one) => total + count(one), 0);
    const done = this.#done + sum((one) => one.done);
    const failed = this.#failed + sum((one) => one.failed);
    const cells = running.map(({ cell }) => cell).join(", ");
    return `${done} done, ${failed} failed: ${cells}`;
  }
}
