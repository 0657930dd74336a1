import type { Client, Exchange, ScriptRequest } from "../../../lib/mod.ts";
import { isJson } from "./handler-objects.ts";

/** The names that an expression of httpYac sees: the response, the request, and the variables. */
export function createExpressionObjects(
  client: Client,
  request: ScriptRequest,
  exchange: Exchange | undefined,
): Readonly<Record<string, unknown>> {
  const variables = [...client.vars].filter(([name]) => IDENTIFIER.test(name));
  return {
    ...Object.fromEntries(variables),
    request: { method: request.method, url: request.url.render(), body: request.body.render() },
    ...(exchange === undefined ? {} : { response: createResponse(exchange) }),
  };
}

/** A name that a function may have as a parameter, in strict code as well. */
export const IDENTIFIER: RegExp =
  /^(?!(?:await|arguments|eval|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$)[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** The response as httpYac describes it. */
export function createResponse(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { headers, mediaType, status, statusText, timing } = exchange;
  return {
    statusCode: status,
    statusMessage: statusText,
    headers: Object.fromEntries(headers),
    contentType: { mimeType: mediaType, contentType: headers.get("content-type") ?? undefined },
    timings: { total: timing.total },
    get body() {
      return exchange.text;
    },
    get parsedBody() {
      return isJson(exchange) ? exchange.json : undefined;
    },
    get rawBody() {
      return exchange.bytes;
    },
  };
}
