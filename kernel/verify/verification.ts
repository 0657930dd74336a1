import type { OpenApiChecker } from "../../lib/openapi/mod.ts";
import type { PlacedSummary } from "../../lib/verify/mod.ts";
import {
  checkCellRules,
  type Document,
  DocumentError,
  isRunnable,
  type RunObserver,
} from "../notebook/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import { openDescription } from "./openapi.ts";
import type { VerifyOptions } from "./options.ts";
import { promisedIn, readBaseline } from "./promised.ts";
import { checkReports } from "./reports.ts";
import { ResponseCollector } from "./response-collector.ts";
import { countVerdicts, VERDICTS, type VerifiedDocument, type VerifyResults } from "./results.ts";
import { viewResults } from "./table.ts";
import { verifyDocument } from "./verify-document.ts";

/** A verification: what observes the run, and its results. */
interface Verification {
  readonly observer: RunObserver;
  results(): VerifyResults;
}

/** Creates a verification that has seen no document yet. */
export function createVerification(options: VerifyOptions, platform: Platform): Verification {
  const { baseline, openapi, update } = options;
  const { stdout, stderr } = platform;
  const printer = createTerminalPrinter(options.json === "-" ? stderr : stdout);
  const collectors = new Map<Document, ResponseCollector>();
  const verified: VerifiedDocument[] = [];
  let recorded: readonly PlacedSummary[] | undefined;
  let checker: OpenApiChecker | undefined;
  const observer: RunObserver = {
    keepOutputs: update,
    documentsRead: async (documents) => {
      await checkReports(options);
      if (baseline !== undefined) recorded = await readBaseline(baseline, platform);
      for (const document of documents) {
        checkCellRules(document);
        if (recorded === undefined) checkPromises(document, options);
      }
      if (openapi !== undefined) checker = await openDescription(openapi, platform);
    },
    createReporter: (document, secrets) => {
      const collector = new ResponseCollector({
        stderr,
        secrets,
        lastHop: recorded !== undefined,
        checker,
      });
      collectors.set(document, collector);
      return collector;
    },
    documentEnded: async (document, { hasFailed, isInterrupted, save }) => {
      const collector = collectors.get(document) ?? { found: [], failures: [] };
      const summaries = recorded ?? promisedIn(document);
      const promised = {
        summaries,
        // What was not sent before an interrupt is not broken.
        isComplete: recorded === undefined && !isInterrupted,
        isExpected: summaries.length > 0 || checker === undefined,
      };
      const result = verifyDocument(document, promised, collector);
      verified.push(result);
      printer.heading(document.path);
      printer.blocks(viewResults(result));
      const lines = [summaryOf(result)];
      if (!update) return lines;
      const isBroken = result.responses.some(({ verdict }) => verdict === "broken");
      if (isBroken || hasFailed || isInterrupted) {
        const reason = isInterrupted
          ? "it was interrupted"
          : isBroken
            ? "a request got no response"
            : "a cell failed";
        return [...lines, `${document.path} is not updated: ${reason}`];
      }
      return [...lines, ...(await save()), `${document.path} is updated`];
    },
  };
  const results = (): VerifyResults => ({
    documents: verified,
    ...(checker === undefined ? {} : { uncovered: checker.uncovered() }),
  });
  return { observer, results };
}

/** A document without promises would be verified whatever it does. */
function checkPromises(document: Document, { update, openapi }: VerifyOptions): void {
  const { path } = document;
  const isNotebook = /\.ipynb$/i.test(path);
  if (update && !isNotebook) {
    throw new DocumentError(
      `Updating "${path}" failed: it is a file of requests, which has no outputs; write "restlab run --record FILE.har" and verify with --baseline FILE.har`,
    );
  }
  if (
    update ||
    openapi !== undefined ||
    !document.cells.some(isRunnable) ||
    promisedIn(document).length > 0
  )
    return;
  const advice = isNotebook
    ? `save it with outputs ("restlab verify --update ${path}"), or give --baseline FILE.har or --openapi FILE`
    : "give --baseline FILE.har or --openapi FILE";
  throw new DocumentError(`Verifying "${path}" failed: it has no saved responses; ${advice}`);
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
