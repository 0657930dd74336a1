import { isRecord, memberOf } from "../interpolation/mod.ts";
import { readShape } from "../shape/mod.ts";
import type { Omission, ResponseSummary } from "./response-summary.ts";

const OMISSIONS = ["shape", "body"] as const satisfies readonly Omission[];

/**
 * Reads a summary from the metadata of an output.
 *
 * @param metadata JSON from a file, which may be of any type.
 * @returns `undefined` if it has none, or one that is not valid.
 */
export function readSummary(metadata: unknown): ResponseSummary | undefined {
  const stored = memberOf(memberOf(metadata, "restlab"), "response");
  if (!isRecord(stored)) return undefined;
  const { name, method, url, status, type, shape, omitted } = stored;
  if (typeof method !== "string" || typeof url !== "string") return undefined;
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  const left = OMISSIONS.filter((one) => Array.isArray(omitted) && omitted.includes(one));
  return {
    ...(typeof name === "string" ? { name } : {}),
    method,
    url,
    status,
    type: typeof type === "string" ? type : "",
    ...(isRecord(shape) ? { shape: readShape(shape) } : {}),
    ...(Object.hasOwn(stored, "body") ? { body: stored["body"] } : {}),
    ...(left.length === 0 ? {} : { omitted: left }),
  };
}
