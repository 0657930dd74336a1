import { isReachableName } from "../interpolation/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { decodeText } from "./body/mod.ts";
import { contentOf, LOOKED_AT } from "./create-exchange.ts";
import type { Exchange, SentRequest } from "./exchange.ts";

const NAMING = /^$|^(?:text|multipart|message)\/|json|xml|form|ya?ml|toml|http|script|graphql/;

/** Learns the credentials that a request carries, before a failure can name them. */
export function learnRequest(request: SentRequest | RenderedRequest, secrets: Secrets): void {
  secrets.learn(
    { kind: "url", url: "writtenUrl" in request ? request.writtenUrl : request.url },
    "person",
  );
  const { body, headers } = request;
  // What the jar has added was learned of the server that set it.
  const hasJar = "added" in request && request.added.includes("Cookie");
  secrets.learn(
    {
      kind: "headers",
      headers: hasJar ? headers.filter(([name]) => !/^cookie$/i.test(name)) : headers,
    },
    "person",
  );
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const essence = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (typeof body === "string")
    secrets.learn({ kind: "body", text: body, mediaType: essence }, "person");
  // Bytes are the parts of a form, or what a program has made; pictures and the like name nothing.
  else if (NAMING.test(essence)) {
    secrets.learn(
      {
        kind: "body",
        text: decodeText(body.subarray(0, LOOKED_AT), undefined).text,
        mediaType: essence,
      },
      "person",
    );
  }
}

/** Learns what an answer hands out: cookies, tokens, and credentials in the URLs of redirects. */
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

/** A long body is not decoded for this alone: its rest is looked at when its text is asked for. */
function textOf(exchange: Exchange): string {
  const content = contentOf(exchange);
  return content.length <= LOOKED_AT
    ? exchange.text
    : decodeText(content.head(LOOKED_AT), undefined).text;
}
