import { isReachableName } from "../interpolation/mod.ts";
import { findHeader, type RenderedRequest } from "../request/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { decodeText, parseMediaType } from "./bytes.ts";
import { LOOKED_AT } from "./content.ts";
import { contentOf } from "./create-exchange.ts";
import type { Exchange, SentRequest } from "./exchange.ts";

/** Media types of text in which secrets have names. */
const NAMING = /^$|^(?:text|multipart|message)\/|json|xml|form|ya?ml|toml|http|script|graphql/;

/** Learns the credentials in a request, before an error can quote them. */
export function learnRequest(request: SentRequest | RenderedRequest, secrets: Secrets): void {
  secrets.learn(
    { kind: "url", url: "writtenUrl" in request ? request.writtenUrl : request.url },
    "person",
  );
  const { headers } = request;
  const body = ("uncompressed" in request ? request.uncompressed : undefined) ?? request.body;
  // The values of the cookie jar were learned when servers set them.
  const hasJar = request.added.includes("Cookie");
  const written = hasJar ? headers.filter(([name]) => !/^cookie$/i.test(name)) : headers;
  secrets.learn({ kind: "headers", headers: written }, "person");
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
  const { essence } = parseMediaType(findHeader(headers, "content-type") ?? null);
  // Bytes are the parts of a form, or created by a program; images and the like have no names.
  if (typeof body !== "string" && !NAMING.test(essence)) return;
  const text =
    typeof body === "string" ? body : decodeText(body.subarray(0, LOOKED_AT), undefined).text;
  secrets.learn({ kind: "body", text, mediaType: essence }, "person");
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
      text: () => textOf(exchange),
      mediaType: exchange.mediaType,
      path: isNamed ? `${name}.response.body` : undefined,
    },
    "server",
  );
}

/** The rest of a long body is searched when its text is first read. */
function textOf(exchange: Exchange): string {
  const content = contentOf(exchange);
  return content.length <= LOOKED_AT
    ? exchange.text
    : decodeText(content.head(LOOKED_AT), undefined).text;
}
