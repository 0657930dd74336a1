import { type JunitCase, type JunitElement, writeJunit } from "../reports/mod.ts";
import {
  describeDifference,
  isFailure,
  placeOf,
  type VerifiedDocument,
  type VerifiedResponse,
} from "./results.ts";

/**
 * The results as JUnit XML: a suite for each document, a case for each response.
 *
 * @param strict Whether compatible differences are failures.
 */
export function toJunit(documents: readonly VerifiedDocument[], strict: boolean): string {
  const suites = documents.map(({ path, responses }) => ({
    name: path,
    file: path,
    cases: responses.map((response) => toCase(response, path, strict)),
  }));
  return writeJunit({ name: "restlab verify", suites });
}

function toCase(response: VerifiedResponse, file: string, strict: boolean): JunitCase {
  const { name, method, url, line } = response;
  const title = `${placeOf(response)}: ${name === undefined ? "" : `${name}: `}${method} ${url}`;
  return { name: title, file, line, elements: elementsOf(response, strict) };
}

function elementsOf(
  { verdict, differences }: VerifiedResponse,
  strict: boolean,
): readonly JunitElement[] {
  if (verdict === "skipped") return [{ tag: "skipped" }];
  const [first, ...others] = differences.map(describeDifference);
  if (first === undefined) return [];
  const text = [first, ...others].join("\n");
  if (!isFailure(verdict, strict)) return [{ tag: "system-out", text }];
  const tag = verdict === "broken" ? "error" : "failure";
  return [{ tag, type: verdict, message: `${verdict}: ${first}`, text }];
}
