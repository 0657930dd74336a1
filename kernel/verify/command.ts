import { toVisibleLine } from "../../lib/display/mod.ts";
import type { PlacedSummary } from "../../lib/verify/mod.ts";
import {
  checkCellRules,
  type Document,
  DocumentError,
  EXIT,
  isRunnable,
  type RunObserver,
  runCommand,
} from "../notebook/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import type { VerifyOptions } from "./options.ts";
import { promisedIn, readBaseline } from "./promised.ts";
import { checkReports, writeReports } from "./reports.ts";
import { ResponseCollector } from "./response-collector.ts";
import { countVerdicts, isFailure, VERDICTS, type VerifiedDocument } from "./results.ts";
import { viewResults } from "./table.ts";
import { verifyDocument } from "./verify-document.ts";

/**
 * `restlab verify`: runs documents, and compares each response with what was promised by the saved outputs, or by
 * a recording.
 *
 * @returns The exit status: 0 all as promised, 1 drifted or broken or a cell failed, 2 usage error or a file that
 *   cannot be read or written, or that of `restlab run`.
 */
export async function verifyCommand(options: VerifyOptions, platform: Platform): Promise<number> {
  const documents: VerifiedDocument[] = [];
  const observer = createObserver(options, platform, documents);
  const status = await runCommand({ ...options.run, keepGoing: true, observer }, platform);
  if (status !== EXIT.ok && status !== EXIT.cellFailed) return status;
  try {
    await writeReports(documents, options, platform);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    platform.stderr.write(`restlab: ${toVisibleLine(error.message)}\n`);
    return EXIT.usage;
  }
  const verdicts = documents.flatMap(({ responses }) => responses.map(({ verdict }) => verdict));
  // What was written into the notebook is accepted.
  const hasFailed = verdicts.some((verdict) =>
    options.update ? verdict === "broken" : isFailure(verdict, options.strict),
  );
  return hasFailed ? EXIT.cellFailed : status;
}

function createObserver(
  options: VerifyOptions,
  platform: Platform,
  results: VerifiedDocument[],
): RunObserver {
  const { baseline, update } = options;
  const { stdout, stderr } = platform;
  const printer = createTerminalPrinter(options.json === "-" ? stderr : stdout);
  const collectors = new Map<Document, ResponseCollector>();
  let recorded: readonly PlacedSummary[] | undefined;
  return {
    keepOutputs: update,
    documentsRead: async (documents) => {
      await checkReports(options);
      if (baseline !== undefined) recorded = await readBaseline(baseline, platform);
      for (const document of documents) {
        checkCellRules(document);
        if (recorded === undefined) checkPromises(document, update);
      }
    },
    createReporter: (document, secrets) => {
      const collector = new ResponseCollector({
        stderr,
        secrets,
        lastHop: recorded !== undefined,
      });
      collectors.set(document, collector);
      return collector;
    },
    documentEnded: async (document, run, save) => {
      const collector = collectors.get(document) ?? { found: [], failures: [] };
      const promised = {
        summaries: recorded ?? promisedIn(document),
        isComplete: recorded === undefined,
      };
      const result = verifyDocument(document, promised, collector);
      results.push(result);
      printer.heading(document.path);
      printer.blocks(viewResults(result));
      const lines = [summaryOf(result)];
      if (!update) return lines;
      const isBroken = result.responses.some(({ verdict }) => verdict === "broken");
      if (isBroken || run.failed > 0) {
        const reason = isBroken ? "a request got no response" : "a cell failed";
        return [...lines, `${document.path} is not updated: ${reason}`];
      }
      return [...lines, ...(await save()), `${document.path} is updated`];
    },
  };
}

/** A document without promises would be verified whatever it does. */
function checkPromises(document: Document, update: boolean): void {
  const { path } = document;
  const isNotebook = /\.ipynb$/i.test(path);
  if (update && !isNotebook) {
    throw new DocumentError(
      `Updating "${path}" failed: it is a file of requests, which has no outputs; write "restlab run --record FILE.har" and verify with --baseline FILE.har`,
    );
  }
  if (update || !document.cells.some(isRunnable) || promisedIn(document).length > 0) return;
  const advice = isNotebook
    ? `save it with outputs ("restlab verify --update ${path}"), or give --baseline FILE.har`
    : "give --baseline FILE.har";
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
