import {
  countVerdicts,
  describeDifference,
  isFailure,
  placeOf,
  type VerifiedDocument,
  type VerifiedResponse,
} from "./results.ts";

/**
 * The results as JUnit XML, in the form that Jenkins and GitLab read: a suite for each document, a case for each
 * response.
 *
 * @param strict Whether compatible differences are failures.
 */
export function toJunit(documents: readonly VerifiedDocument[], strict: boolean): string {
  const suites = documents.map((document) => toSuite(document, strict));
  const counts = countsOf(documents, strict);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: "restlab verify", ...counts })}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function countsOf(documents: readonly VerifiedDocument[], strict: boolean): Record<string, number> {
  const { same, compatible, drifted, broken, skipped } = countVerdicts(documents);
  return {
    tests: same + compatible + drifted + broken + skipped,
    failures: drifted + (strict ? compatible : 0),
    errors: broken,
    skipped,
  };
}

function toSuite(document: VerifiedDocument, strict: boolean): string {
  const { path, responses } = document;
  const counts = countsOf([document], strict);
  return [
    `  <testsuite ${attributes({ name: path, ...counts })}>`,
    ...responses.map((response) => toCase(response, path, strict)),
    "  </testsuite>",
  ].join("\n");
}

function toCase(response: VerifiedResponse, path: string, strict: boolean): string {
  const { name, method, url, verdict, differences, line } = response;
  const title = `${placeOf(response)}: ${name === undefined ? "" : `${name}: `}${method} ${url}`;
  const place = { file: path, ...(line === undefined ? {} : { line }) };
  const head = `    <testcase ${attributes({ classname: path, name: title, ...place })}`;
  if (verdict === "skipped") return `${head}><skipped/></testcase>`;
  if (differences.length === 0) return `${head}/>`;
  const text = escapeXml(differences.map(describeDifference).join("\n"));
  if (!isFailure(verdict, strict)) return `${head}><system-out>${text}</system-out></testcase>`;
  const tag = verdict === "broken" ? "error" : "failure";
  const [first] = differences.map(describeDifference);
  const message = attributes({ type: verdict, message: `${verdict}: ${first ?? ""}` });
  return `${head}><${tag} ${message}>${text}</${tag}></testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(`${value}`)}"`)
    .join(" ");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

/** Escapes a text, and replaces what XML 1.0 cannot contain: https://www.w3.org/TR/xml/#charsets. */
function escapeXml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (it) => (/[\n\r\t]/.test(it) ? it : "\ufffd"))
    .replace(/[&<>"\n\r\t]/g, (it) => ENTITIES[it] ?? it);
}
