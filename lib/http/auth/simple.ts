import {
  type ApiKeyCredentials,
  type Authorization,
  type Authorizer,
  type BasicCredentials,
  type BearerCredentials,
  checkStrings,
  type OutgoingRequest,
} from "./authorizer.ts";

/** Sends user name and password as UTF-8 in Base64. */
export function createBasic(credentials: BasicCredentials): Authorizer {
  checkStrings(credentials, ["username", "password"]);
  const { username, password } = credentials;
  if (username.includes(":")) {
    // It is not quoted: what is behind the colon may belong to the password.
    throw new TypeError("The user name of basic credentials contains a colon; write none in it");
  }
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  const value = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return { authorize: () => ({ headers: [["Authorization", `Basic ${value}`]] }) };
}

/** Sends a token unchanged. */
export function createBearer(credentials: BearerCredentials): Authorizer {
  checkStrings(credentials, ["token"]);
  return {
    authorize: () => ({ headers: [["Authorization", `Bearer ${credentials.token}`]] }),
  };
}

type Place = NonNullable<ApiKeyCredentials["in"]>;

const PLACES: {
  readonly [P in Place]: (request: OutgoingRequest, name: string, value: string) => Authorization;
} = {
  header: (_request, name, value) => ({ headers: [[name, value]] }),
  query(request, name, value) {
    const url = new URL(request.url);
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    const pairs = url.search.slice(1).split("&").filter(Boolean);
    // The URL of a further page may already have the key.
    if (!pairs.includes(pair)) url.search = [...pairs, pair].join("&");
    return { headers: [], url };
  },
  cookie({ headers }, name, value) {
    const written = headers.filter(([other]) => other.toLowerCase() === "cookie");
    const pairs = [...written.map(([, other]) => other), `${name}=${value}`];
    return { headers: [["Cookie", pairs.join("; ")]] };
  },
};

/** Sends a key in a header, in the query, or in a cookie. */
export function createApiKey(credentials: ApiKeyCredentials): Authorizer {
  checkStrings(credentials, ["value"]);
  const { name = "X-API-Key", value, in: place = "header" } = credentials;
  if (!Object.hasOwn(PLACES, place)) {
    throw new TypeError(
      `Cannot put an API key in "${String(place)}": use "header", "query" or "cookie"`,
    );
  }
  return { authorize: (request) => PLACES[place](request, name, value) };
}
