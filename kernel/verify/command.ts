import { toVisibleLine } from "../../lib/display/mod.ts";
import {
  type CommandContext,
  type DocumentRun,
  EarlyEnd,
  EXIT,
  hasFailed,
  runInContext,
} from "../notebook/mod.ts";
import type { Platform } from "../platform/mod.ts";
import type { VerifyOptions } from "./options.ts";
import { planVerification, type VerificationPlan } from "./plan.ts";
import { writeReports } from "./reports.ts";
import { isFailure, type VerifiedDocument, type VerifiedResponse } from "./results.ts";
import { runAndVerify } from "./run-and-verify.ts";

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
