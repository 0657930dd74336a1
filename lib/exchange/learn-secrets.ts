import { isReachableName } from "../interpolation/mod.ts";
import { findHeader, type RenderedRequest } from "../request/mod.ts";
import type { Provenance, Secrets } from "../secrets/mod.ts";
import { decodeText, LOOKED_AT, parseMediaType } from "./charset.ts";
import { beginningOf } from "./create-exchange.ts";
import type { Exchange, SentRequest } from "./exchange.ts";

/**
 * Learns the credentials in a request, before an error can quote them.
 *
 * @param from Who wrote what was not learned before: what hooks and credentials have added is computed for each
 *   request, and is forgotten like what servers send.
 */
export function learnRequest(
  request: SentRequest | RenderedRequest,
  secrets: Secrets,
  from: Provenance = "person",
): void {
  secrets.learn(
    { kind: "url", url: "writtenUrl" in request ? request.writtenUrl : request.url },
    from,
  );
  const { headers } = request;
  if ("clientCertificate" in request) {
    secrets.learn({ kind: "value", value: request.clientCertificate }, "person");
  }
  const body = ("uncompressed" in request ? request.uncompressed : undefined) ?? request.body;
  // The values of the cookie jar were learned when servers set them.
  const hasJar = request.added.includes("Cookie");
  const written = hasJar ? headers.filter(([name]) => !/^cookie$/i.test(name)) : headers;
  secrets.learn({ kind: "headers", headers: written }, from);
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
  const type = parseMediaType(findHeader(headers, "content-type") ?? null);
  const text =
    typeof body === "string"
      ? body
      : (): string => decodeText(body.subarray(0, LOOKED_AT), type).text;
  secrets.learn({ kind: "body", text, mediaType: type.essence }, from);
}

/** Learns the secrets in a response: cookies, tokens, and credentials in the URLs of redirects. */
export function learnAnswer(exchange: Exchange, secrets: Secrets): void {
  secrets.learn({ kind: "headers", headers: exchange.headers }, "server");
  for (const { location } of exchange.redirects)
    secrets.learn({ kind: "url", url: location }, "server");
  const { name } = exchange.request;
  const isNamed = name !== undefined && isReachableName(name);
  secrets.learn(
    {
      kind: "body",
      // The rest of a long body is searched when its text is first read.
      text: () => beginningOf(exchange),
      mediaType: exchange.mediaType,
      path: isNamed ? `${name}.response.body` : undefined,
    },
    "server",
  );
}
