import { toVisibleLine } from "../../lib/display/mod.ts";
import {
  type CommandContext,
  createSaver,
  type Document,
  type DocumentRun,
  type EarlyEnd,
  hasFailed,
  runInSession,
} from "../notebook/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import type { VerifyOptions } from "./options.ts";
import type { VerificationPlan } from "./plan.ts";
import { promisedIn } from "./promised.ts";
import { ResponseCollector } from "./response-collector.ts";
import { countVerdicts, VERDICTS, type VerifiedDocument } from "./results.ts";
import { viewResults } from "./table.ts";
import { verifyDocument } from "./verify-document.ts";

interface VerifyContext extends CommandContext {
  readonly end: EarlyEnd;
  /** Called before the document is updated, which may fail. */
  readonly onResult: (result: VerifiedDocument) => void;
}

/** Runs a document in a session of its own, compares its responses, and updates it if that is asked for. */
export async function runAndVerify(
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
