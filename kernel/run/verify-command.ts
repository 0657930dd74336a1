import { toVisibleLine } from "../../lib/display/mod.ts";
import type { RecordedEntry, Secrets } from "../../lib/mod.ts";
import { type PlacedSummary, summarizeRecorded } from "../../lib/verify/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import { Collector } from "./collector.ts";
import type { Document } from "./document.ts";
import { withDocument } from "./open-document.ts";
import { EXIT, type Run, type RunOptions, runCommandOn } from "./run.ts";
import { type DocumentRun, hasFailed } from "./run-document.ts";
import { Saver } from "./save.ts";
import { ResponseCollector, verifyDocument } from "./verify-document.ts";
import { planVerification, promisedIn, type VerificationPlan } from "./verify-plan.ts";
import {
  isFailure,
  summaryOf,
  type VerifiedDocument,
  type VerifiedResponse,
  viewResults,
  writeReports,
} from "./verify-results.ts";

/**
 * `restlab verify`: runs documents as `restlab run` does, and compares each response with what was promised by the
 * saved outputs, by a recording, or by an OpenAPI description.
 *
 * @returns The exit status: 0 all as promised, 1 drifted or broken or a cell failed, or another of {@link EXIT}.
 */
export async function verifyCommand(options: RunOptions, platform: Platform): Promise<number> {
  const plan = (): Promise<VerificationPlan> => planVerification(options, platform);
  return await runCommandOn(options, platform, plan, verifyAll);
}

async function verifyAll(plan: VerificationPlan, run: Run): Promise<number> {
  const runs: DocumentRun[] = [];
  const documents: VerifiedDocument[] = [];
  try {
    for (const document of plan.documents) {
      runs.push(await runAndVerify(document, plan, run, documents));
      if (run.end.status !== undefined) break;
    }
  } finally {
    // After an interrupt, or before a document that cannot be run, the reports contain what was run.
    if (documents.length > 0) await report(documents, plan, run);
  }
  if (run.end.status !== undefined) return run.end.status;
  const responses = documents.flatMap((document) => document.responses);
  const isDrifted = responses.some((response) => isRefused(response, run.options));
  return isDrifted || runs.some(hasFailed) ? EXIT.cellFailed : EXIT.ok;
}

async function report(
  documents: readonly VerifiedDocument[],
  { checker }: VerificationPlan,
  { options, platform }: Run,
): Promise<void> {
  const uncovered = checker?.uncovered();
  for (const operation of uncovered ?? []) {
    platform.stderr.write(`${toVisibleLine(`Not covered: ${operation}`)}\n`);
  }
  await writeReports({ documents, uncovered }, options, platform);
}

/** What was written into the notebook is accepted; what the description does not allow is not. */
function isRefused(
  { verdict, differences }: VerifiedResponse,
  { update = false, strict = false }: RunOptions,
): boolean {
  if (!update) return isFailure(verdict, strict);
  return verdict === "broken" || differences.some(({ kind }) => kind === "openapi");
}

/**
 * Runs a document in a session of its own, compares its responses, and updates it if that is asked for.
 *
 * @param results Receives the result before the document is updated, which may fail.
 */
async function runAndVerify(
  document: Document,
  { recorded, checker }: VerificationPlan,
  command: Run,
  results: VerifiedDocument[],
): Promise<DocumentRun> {
  const { update = false, reports = [] } = command.options;
  const { platform } = command;
  const { stdout, stderr } = platform;
  const isReport = reports.some(({ path }) => path === undefined);
  const printer = createTerminalPrinter(isReport ? stderr : stdout);
  return await withDocument({ document }, command, async (opened) => {
    const { client } = opened.session;
    const { secrets } = client;
    const lastHop = recorded !== undefined;
    const cases = new Collector({ document, client, withHtml: false });
    const collector = new ResponseCollector({ stderr, secrets, lastHop, checker, cases });
    collector.documentStarted(document);
    const running = opened.run({ reporter: collector, keepOutputs: update });
    const run = await running.finally(() => collector.stop());
    const isInterrupted = command.end.signal.aborted;
    const summaries = recorded?.map(promiseOf(secrets)) ?? promisedIn(document);
    const promised = {
      summaries,
      // What was not sent before an interrupt is not broken.
      isComplete: recorded === undefined && !isInterrupted,
      isExpected: summaries.length > 0 || checker === undefined,
    };
    const result = verifyDocument(document, promised, collector, cases.finish().cases);
    results.push(result);
    printer.heading(document.path);
    printer.blocks(viewResults(result));
    const print = (line: string): void => stderr.write(`${toVisibleLine(line)}\n`);
    print(summaryOf(result, run, command.options));
    if (!update) return run;
    const fault = isInterrupted ? "it was interrupted" : faultOf(run, result);
    if (fault !== undefined) {
      print(`${document.path} is not updated: ${fault}`);
      return run;
    }
    const saver = new Saver(document, document.path, secrets, platform);
    for (const remark of await saver.save(run.runs)) print(remark);
    print(`${document.path} is updated`);
    return run;
  });
}

/** What a recorded response promises. Browsers record secrets in clear: those that are known now are masked. */
function promiseOf(secrets: Secrets): (entry: RecordedEntry, index: number) => PlacedSummary {
  // The rule of a request is known when it is sent: all that may be compared is kept.
  const rule = { mode: "exact", ignore: [] } as const;
  return (entry, index) => ({ index, summary: summarizeRecorded(entry, rule, secrets) });
}

/** Why a document is not updated. */
function faultOf(run: DocumentRun, { responses }: VerifiedDocument): string | undefined {
  if (responses.some(({ verdict }) => verdict === "broken")) {
    return "a request got no response";
  }
  return hasFailed(run) ? "a cell failed" : undefined;
}
