import type { TokenEndpointResponse } from "oauth4webapi";
import type { CredentialContext, OAuth2Credentials, Token } from "./authorizer.ts";
import { endpointOf, orExplain, type Server } from "./oauth2-server.ts";

/**
 * Requests a token from the token endpoint.
 *
 * @throws {CredentialError} The server refuses.
 */
export async function requestToken(
  server: Server,
  grant: string,
  parameters: URLSearchParams,
  context: CredentialContext,
): Promise<Token> {
  const { oauth, metadata, client, authentication, options } = server;
  const endpoint = endpointOf(server, "token_endpoint", "tokenEndpoint");
  return await orExplain(`get a token from "${endpoint.href}"`, async () => {
    const response = await oauth.genericTokenEndpointRequest(
      metadata,
      client,
      authentication,
      grant,
      parameters,
      options,
    );
    const trimmed = await trimResponse(response);
    const token = await oauth.processGenericTokenEndpointResponse(
      metadata,
      client,
      trimmed.response,
    );
    return toToken(token, trimmed.idToken, context);
  });
}

/**
 * The parameters of a token request: those that are given, the optional ones of the credentials, and their further
 * ones, which replace others of their name.
 */
export function parametersOf(
  { scope, audience, resource, parameters = {} }: OAuth2Credentials,
  given: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const all = new URLSearchParams(given);
  for (const [name, value] of Object.entries({ scope, audience, resource, ...parameters })) {
    if (value === undefined) continue;
    all.delete(name);
    // A list is one parameter for each value (RFC 8707, 2).
    for (const one of [value].flat()) all.append(name, one);
  }
  return all;
}

/** A response that oauth4webapi accepts, and the ID token that was removed from it. */
interface TrimmedResponse {
  readonly response: Response;
  readonly idToken: string | undefined;
}

/**
 * Makes a response what RFC 6749 wants, as servers send what it does not, and other tools accept it: a refusal with 200,
 * a token with 201, without a type or with members that are null, a scope that is a list. What oauth4webapi would
 * reject is removed as well: the ID token, which cannot be validated if only endpoints are given, and the challenge of a
 * refusal, which would hide the reason in its body.
 *
 * @param wanted The member that it has unless it is a refusal.
 * @throws {Error} The server refuses with 200, or in a form of its own, which the message quotes.
 */
export async function trimResponse(
  response: Response,
  wanted: "access_token" | "device_code" = "access_token",
): Promise<TrimmedResponse> {
  const text = await response.text();
  const data = objectIn(text);
  const isAnswer = typeof data?.[wanted] === "string";
  const isRefusal = !isAnswer && typeof data?.["error"] === "string";
  if (data === undefined || !(isRefusal || (isAnswer && response.ok))) {
    const lack = response.ok ? ` without ${wanted}` : "";
    throw new Error(`the server answered ${response.status}${lack}: ${quote(text)}`);
  }
  const { id_token, error, error_description, ...rest } = data;
  if (isRefusal && response.ok) {
    const refusal = { error, error_description, status: response.status };
    throw Object.assign(new Error(String(error)), refusal);
  }
  const { scope, expires_in: lasts } = rest;
  const normal = {
    ...(isRefusal ? { error, error_description } : {}),
    ...(rest["access_token"] === undefined ? {} : { token_type: "Bearer" }),
    ...rest,
    ...(Array.isArray(scope) ? { scope: scope.join(" ") } : {}),
    ...(typeof lasts === "string" && /^\d+$/.test(lasts) ? { expires_in: Number(lasts) } : {}),
  };
  const status = isAnswer ? 200 : response.status;
  return {
    response: Response.json(normal, { status }),
    idToken: typeof id_token === "string" ? id_token : undefined,
  };
}

/** The members of the JSON object that a text is, without those that are null. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text)).filter(([, value]) => value !== null);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  } catch {
    // It is quoted as it is.
    return undefined;
  }
}

/** The characters of a refusal that are quoted, and those that are searched for them. */
const QUOTED = 300;
const SEARCHED = 5_000;

/** The beginning of a text in one line, of a page without its markup. */
function quote(text: string): string {
  const beginning = text.slice(0, SEARCHED);
  const words = beginning.trimStart().startsWith("<")
    ? beginning.replace(/<(script|style|head)\b[^>]*>.*?<\/\1>|<[^<>]*>/gis, " ")
    : beginning;
  const line = words.replace(/\s+/g, " ").trim();
  if (line === "") return "no reason";
  return line.length > QUOTED ? `${line.slice(0, QUOTED)}…` : line;
}

/** Converts the response of a token endpoint, and hides its tokens. */
export function toToken(
  answer: TokenEndpointResponse,
  idToken: string | undefined,
  context: CredentialContext,
): Token {
  const { access_token, refresh_token, expires_in, token_type } = answer;
  context.hide(access_token);
  if (refresh_token !== undefined) context.hide(refresh_token);
  if (idToken !== undefined) context.hide(idToken);
  const obtainedAt = context.now();
  return {
    obtainedAt,
    accessToken: access_token,
    tokenType: token_type === "bearer" ? "Bearer" : token_type,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(idToken === undefined ? {} : { idToken }),
    ...(expires_in === undefined ? {} : { expiresAt: obtainedAt + lifetime(expires_in) }),
  };
}

/** In milliseconds, and slightly shorter, so that no token expires while it is sent. */
function lifetime(seconds: number): number {
  return seconds * 1000 - Math.min(10_000, seconds * 100);
}
