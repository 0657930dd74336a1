import type { Path } from "../../lib/interpolation/mod.ts";
import type { VerifyRule } from "../../lib/json/mod.ts";
import { createClient, type Exchange, type Secrets } from "../../lib/mod.ts";
import {
  createOpenApiChecker,
  ignoredPaths,
  type OpenApiChecker,
  OpenApiError,
  type ResponseDifference,
  readDescription,
} from "../../lib/verify/mod.ts";
import { limitTime, type Platform } from "../platform/mod.ts";
import { clientOptionsOf } from "../session/mod.ts";
import { DocumentError } from "./errors.ts";
import { readText } from "./read-document.ts";

/**
 * Reads a description from a file or a URL.
 *
 * @throws {DocumentError} It cannot be read, or is not OpenAPI 3.0 or 3.1.
 */
export async function openDescription(place: string, platform: Platform): Promise<OpenApiChecker> {
  const { name, text } = await readPlace(place, platform, "the description ");
  try {
    return createOpenApiChecker(readDescription(text, name), limitTime);
  } catch (error) {
    if (!(error instanceof OpenApiError)) throw error;
    throw new DocumentError(error.message, { cause: error });
  }
}

/** A text, and what messages call it. */
interface PlacedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the text of a file or a URL.
 *
 * @param what What messages call it before its name, with a blank at its end; may be empty.
 * @throws {DocumentError} It cannot be read, or is not UTF-8.
 */
export async function readPlace(
  place: string,
  platform: Platform,
  what: string,
): Promise<PlacedText> {
  if (/^https?:\/\//i.test(place)) return await download(place, platform, what);
  return { name: place, text: await readText(place, platform, `Reading ${what}"${place}"`) };
}

/** Masks the URL, which may contain a password or a token, as those of requests are. */
async function download(url: string, platform: Platform, what: string): Promise<PlacedText> {
  const client = createClient(clientOptionsOf(platform));
  const { secrets } = client;
  secrets.learn({ kind: "url", url }, "person");
  const name = secrets.mask(url);
  let exchange: Exchange;
  try {
    exchange = await client.send({ method: "GET", url });
  } catch (error) {
    throw failure(what, name, secrets.mask((error as Error).message), error);
  }
  if (!exchange.ok) throw failure(what, name, `the server answered with ${exchange.status}`);
  return { name, text: exchange.text };
}

function failure(what: string, place: string, reason: string, cause?: unknown): DocumentError {
  return new DocumentError(`Reading ${what}"${place}" failed: ${reason}`, { cause });
}

/** The differences of an exchange from the description, masked, as far as they are compared. */
export function compareWithDescription(
  checker: OpenApiChecker,
  exchange: Exchange,
  rule: VerifyRule | undefined,
  secrets: Secrets,
): readonly ResponseDifference[] {
  const findings = checker.check(exchange);
  const mode = rule?.mode ?? "shape";
  if (mode === "off") return [];
  const { ignore = [] } = rule ?? {};
  // A path into the body is only found where it is JSON.
  const isIgnored = (path: Path): boolean => ignoredPaths(ignore, [exchange.json])(path);
  return findings
    .filter(({ place, path }) => {
      if (mode === "status") return place === "status";
      return path === undefined || place.startsWith("request") || !isIgnored(path);
    })
    .map(({ place, promised, found }) => ({
      path: secrets.mask(place),
      kind: "openapi",
      promised: secrets.mask(promised),
      found: secrets.mask(found),
      compatible: false,
    }));
}
