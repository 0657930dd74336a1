import type { ApiKeyCredentials, Authorization, Authorizer, Outgoing } from "./authorizer/mod.ts";
import { checkTexts } from "./authorizer/mod.ts";

type Place = NonNullable<ApiKeyCredentials["in"]>;

/** How a key is put into each of its places. */
const PLACES: {
  readonly [P in Place]: (request: Outgoing, name: string, value: string) => Authorization;
} = {
  header: (_request, name, value) => ({ headers: [[name, value]] }),
  query(request, name, value) {
    const url = new URL(request.url);
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    const pairs = url.search.slice(1).split("&").filter(Boolean);
    // The URL of a next page may repeat that of the page before, with the key.
    if (!pairs.includes(pair)) url.search = [...pairs, pair].join("&");
    return { headers: [], url };
  },
  cookie({ headers }, name, value) {
    const written = headers.filter(([other]) => other.toLowerCase() === "cookie");
    const pairs = [...written.map(([, other]) => other), `${name}=${value}`];
    return { headers: [["Cookie", pairs.join("; ")]] };
  },
};

/** A key in a header, in the query, or in a cookie. */
export function createApiKey(credentials: ApiKeyCredentials): Authorizer {
  checkTexts(credentials, ["value"]);
  const { name = "X-API-Key", value, in: place = "header" } = credentials;
  if (!Object.hasOwn(PLACES, place)) {
    throw new TypeError(
      `Cannot put an API key in "${String(place)}": use "header", "query" or "cookie"`,
    );
  }
  return { authorize: (request) => PLACES[place](request, name, value) };
}
