import { CredentialError, readSecurityLogin, type Token } from "../http/auth/mod.ts";
import { getLoginToken, type HttpContext, type LoginTokens, renewLoginToken } from "../http/mod.ts";
import {
  type Generated,
  isObjectValue,
  nearNames,
  partOf,
  type Scope,
  type Value,
  variableOf,
} from "../interpolation/mod.ts";
import { type Logins, SECURITY } from "../variables/mod.ts";

const CALL = /^\.(token|idToken)\(\s*(["'])(.*?)\2\s*\)$/;
const STAND_IN = "token";
/** The maximum number of tokens that are recognized in requests; a session uses a few. */
const GIVEN_LIMIT = 100;

/**
 * Creates the tokens of `{{$auth.token("name")}}`, none at first.
 *
 * @param http Returns with what a login is requested.
 */
export function createLogins(http: () => HttpContext): Logins & LoginTokens {
  const tokens = new Map<string, Token>();
  const given = new Map<string, Login>();

  function give(value: string, login: Login): string {
    given.delete(value);
    given.set(value, login);
    const [oldest] = given.keys();
    if (given.size > GIVEN_LIMIT && oldest !== undefined) given.delete(oldest);
    return value;
  }

  return {
    given,
    async refreshRejected(value, status, signal) {
      const login = given.get(value);
      if (login === undefined) return undefined;
      const token = await renewLoginToken(login.credentials, http(), value, status, signal);
      if (token === undefined) return undefined;
      tokens.set(login.key, token);
      const next = login.wantsIdToken ? token.idToken : token.accessToken;
      return next && give(next, login);
    },
    async prepare(placeholders, scope, signal) {
      for (const { argument } of placeholders) {
        const found = findLogin(argument, scope);
        if ("message" in found) continue; // Rendering reports it with its position.
        const token = await getLoginToken(found.credentials, http(), signal);
        if (token !== undefined) tokens.set(found.key, token);
      }
    },
    valueOf(argument, scope) {
      const found = findLogin(argument, scope);
      if ("message" in found) return found;
      const token = tokens.get(found.key);
      if (token === undefined)
        return { message: "the token is requested when the request is sent" };
      const { accessToken, idToken } = token;
      const value = found.wantsIdToken ? idToken : accessToken;
      if (value !== undefined) return { value: give(value, found) };
      return {
        message: "the server returned no ID token",
        hint: 'Request it with the "Scope" openid, from an OpenID Connect server',
      };
    },
    check(argument, scope) {
      const found = findLogin(argument, scope);
      return "message" in found ? found : { value: STAND_IN };
    },
  };
}

interface Login {
  readonly credentials: ReturnType<typeof readSecurityLogin>["credentials"];
  readonly wantsIdToken: boolean;
  readonly key: string;
}

function findLogin(
  argument: string,
  scope: Scope,
): Login | Extract<Generated, { message: string }> {
  const [, what, , name = ""] = CALL.exec(argument) ?? [];
  if (what === undefined) {
    return {
      message: `"${argument}" is not a property of a login`,
      hint: 'Write $auth.token("name") or $auth.idToken("name")',
    };
  }
  const path = { name: SECURITY, steps: ["Auth", name] };
  const logins = propertyOf(variableOf(path, scope), "Auth");
  const block = propertyOf(logins, name);
  if (!isObjectValue(block)) {
    const part = partOf(path, scope);
    if (part !== undefined && "message" in part) {
      const message = `the login "${name}" of Security.Auth cannot be rendered: ${part.message}`;
      return { ...part, message };
    }
    const near = nearNames(name, isObjectValue(logins) ? Object.keys(logins) : []);
    return {
      message: `no environment in use has the login "${name}" under Security.Auth`,
      hint:
        near.length > 0
          ? `Did you mean "${near[0]}"?`
          : "Choose the environment that has it with --env, %env NAME or client.useEnv",
    };
  }
  try {
    const { credentials, usesIdToken } = readSecurityLogin(name, block);
    const wantsIdToken = what === "idToken" || usesIdToken;
    return { credentials, wantsIdToken, key: JSON.stringify(credentials) };
  } catch (error) {
    if (error instanceof CredentialError) return { message: error.message };
    const [first = ""] = (error as Error).message.split("\n");
    return { message: `the login "${name}" of Security.Auth cannot be rendered: ${first}` };
  }
}

function propertyOf(value: Value | undefined, key: string): Value | undefined {
  return isObjectValue(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
