import { toVisibleLine } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import { type CommandContext, EXIT, runInContext } from "./context.ts";
import type { Document } from "./document.ts";
import { EarlyEnd } from "./run-cell.ts";
import { type DocumentRun, hasFailed } from "./run-document.ts";
import { runInSession } from "./run-in-session.ts";
import { createSaver } from "./save.ts";
import { verifyDocument } from "./verify-document.ts";
import {
  planVerification,
  promisedIn,
  type VerificationPlan,
  type VerifyOptions,
} from "./verify-plan.ts";
import { viewResults, writeReports } from "./verify-reports.ts";
import {
  countVerdicts,
  isFailure,
  ResponseCollector,
  VERDICTS,
  type VerifiedDocument,
  type VerifiedResponse,
} from "./verify-results.ts";

/**
 * `restlab verify`: runs documents as `restlab run` does, and compares each response with what was promised by the
 * saved outputs, by a recording, or by an OpenAPI description.
 *
 * @returns The exit status: 0 all as promised, 1 drifted or broken or a cell failed, or another of {@link EXIT}.
 */
export async function verifyCommand(options: VerifyOptions, platform: Platform): Promise<number> {
  const setup = { ...options, writesFile: options.reports.length > 0 || options.update };
  const plan = (): Promise<VerificationPlan> => planVerification(options, platform);
  return await runInContext(setup, platform, plan, (planned, context) =>
    verifyAll(planned, options, context),
  );
}

async function verifyAll(
  plan: VerificationPlan,
  options: VerifyOptions,
  context: CommandContext,
): Promise<number> {
  const { platform } = context;
  const end = new EarlyEnd(context.interruption);
  const runs: DocumentRun[] = [];
  const documents: VerifiedDocument[] = [];
  const onResult = (result: VerifiedDocument): number => documents.push(result);
  try {
    for (const document of plan.documents) {
      runs.push(await runAndVerify(document, plan, options, { ...context, end, onResult }));
      if (end.status !== undefined) break;
    }
  } finally {
    // After an interrupt, or before a document that cannot be run, the reports contain what was run.
    if (documents.length > 0) await report(documents, plan, options, platform);
  }
  if (end.status !== undefined) return end.status;
  const responses = documents.flatMap((document) => document.responses);
  const isDrifted = responses.some((response) => isRefused(response, options));
  return isDrifted || runs.some(hasFailed) ? EXIT.cellFailed : EXIT.ok;
}

async function report(
  documents: readonly VerifiedDocument[],
  { checker }: VerificationPlan,
  options: VerifyOptions,
  platform: Platform,
): Promise<void> {
  const uncovered = checker?.uncovered();
  for (const operation of uncovered ?? []) {
    platform.stderr.write(`${toVisibleLine(`Not covered: ${operation}`)}\n`);
  }
  const results = { documents, ...(uncovered === undefined ? {} : { uncovered }) };
  await writeReports(results, options, platform);
}

/** What was written into the notebook is accepted; what the description does not allow is not. */
function isRefused(
  { verdict, differences }: VerifiedResponse,
  { update, strict }: VerifyOptions,
): boolean {
  if (!update) return isFailure(verdict, strict);
  return verdict === "broken" || differences.some(({ kind }) => kind === "openapi");
}

interface VerifyContext extends CommandContext {
  readonly end: EarlyEnd;
  /** Called before the document is updated, which may fail. */
  readonly onResult: (result: VerifiedDocument) => void;
}

/** Runs a document in a session of its own, compares its responses, and updates it if that is asked for. */
async function runAndVerify(
  document: Document,
  { recorded, checker }: VerificationPlan,
  options: VerifyOptions,
  { end, onResult, ...context }: VerifyContext,
): Promise<DocumentRun> {
  const { update, stable, reports } = options;
  const { platform } = context;
  const { stdout, stderr } = platform;
  const isReport = reports.some(({ path }) => path === undefined);
  const printer = createTerminalPrinter(isReport ? stderr : stdout);
  return await runInSession(document, options, { ...context, end }, async (opened) => {
    const { session } = opened;
    const { secrets } = session.client;
    const lastHop = recorded !== undefined;
    const collector = new ResponseCollector({ stderr, secrets, lastHop, checker });
    collector.documentStarted(document);
    const run = await opened.run({
      continues: () => true,
      reporter: collector,
      keepOutputs: update,
      stable,
    });
    const isInterrupted = end.signal.aborted;
    const summaries = recorded ?? promisedIn(document);
    const promised = {
      summaries,
      // What was not sent before an interrupt is not broken.
      isComplete: recorded === undefined && !isInterrupted,
      isExpected: summaries.length > 0 || checker === undefined,
    };
    const result = verifyDocument(document, promised, collector);
    onResult(result);
    printer.heading(document.path);
    printer.blocks(viewResults(result));
    const print = (line: string): void => stderr.write(`${toVisibleLine(line)}\n`);
    print(summaryOf(result));
    if (!update) return run;
    const fault = isInterrupted ? "it was interrupted" : faultOf(run, result);
    if (fault !== undefined) {
      print(`${document.path} is not updated: ${fault}`);
      return run;
    }
    const target = { output: document.path, files: [document.path] };
    const saver = createSaver(document, secrets, target, platform);
    for (const remark of (await saver?.finish(run.runs)) ?? []) print(remark);
    print(`${document.path} is updated`);
    return run;
  });
}

/** Why a document is not updated. */
function faultOf(run: DocumentRun, { responses }: VerifiedDocument): string | undefined {
  if (responses.some(({ verdict }) => verdict === "broken")) {
    return "a request got no response";
  }
  return hasFailed(run) ? "a cell failed" : undefined;
}

function summaryOf(document: VerifiedDocument): string {
  const counts = countVerdicts([document]);
  const total = document.responses.length;
  const facts = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${verdict}`,
  );
  const what = total === 1 ? "1 response" : `${total} responses`;
  return `${document.path}: ${what}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`;
}
