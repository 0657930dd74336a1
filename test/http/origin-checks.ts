import assert from "node:assert/strict";
import type { Client, ClientOptions, Exchange, ExtendOptions, SendOptions } from "../../lib/mod.ts";
import { type Check, type Context, checks } from "./check.ts";
import type { Received } from "./servers/origin-server.ts";

const SECRET = "hush-hush-42";
const BASIC = btoa(`ada:${SECRET}`);
/** What a stranger may learn of a request that wrote `X-Kept`. */
const HARMLESS =
  /^(?:host|connection|x-kept|accept|accept-encoding|accept-language|user-agent|sec-fetch-mode|content-type|content-length|transfer-encoding)$/;

/** A secret of a request, wherever it was written. */
interface Held {
  readonly client?: ClientOptions;
  readonly extended?: ExtendOptions;
  readonly call?: SendOptions;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the exchange says was not sent on. */
  readonly left: string;
  /** Whether a request carries it. */
  readonly isIn: (request: Received) => boolean;
}

const KINDS = {
  bearer: [{ type: "bearer", token: SECRET }, has("authorization", `Bearer ${SECRET}`)],
  basic: [
    { type: "basic", username: "ada", password: SECRET },
    has("authorization", `Basic ${BASIC}`),
  ],
  "key in a header": [{ type: "apiKey", value: SECRET, name: "X-Team" }, has("x-team", SECRET)],
  "key in the query": [
    { type: "apiKey", value: SECRET, name: "k", in: "query" },
    ({ url }) => url.includes(`k=${SECRET}`),
  ],
  "key in a cookie": [
    { type: "apiKey", value: SECRET, name: "k", in: "cookie" },
    has("cookie", `k=${SECRET}`),
  ],
  aws: [
    {
      type: "aws",
      accessKeyId: "AKID",
      secretAccessKey: SECRET,
      sessionToken: `${SECRET}-session`,
      region: "eu-west-1",
      service: "sqs",
    },
    ({ headers }) => headers["x-amz-security-token"] === `${SECRET}-session`,
  ],
} as const satisfies Record<
  string,
  readonly [NonNullable<SendOptions["auth"]>, (request: Received) => boolean]
>;

const NAMES = [
  "Authorization",
  "Cookie",
  "Proxy-Authorization",
  "X-API-Key",
  "X-Auth-Token",
  "Api-Key",
  "X-Amz-Security-Token",
  "PRIVATE-TOKEN",
  "X-Vault-Token",
  "X-Session-Token",
];

const TABLE: Readonly<Record<string, Held>> = {
  ...Object.fromEntries(
    Object.entries(KINDS).flatMap(([kind, [auth, isIn]]) =>
      Object.entries({ call: { auth }, client: { auth }, extended: { auth } }).map(
        ([place, options]): [string, Held] => [
          `${kind} by ${place}`,
          { [place]: options, left: "the credentials", isIn },
        ],
      ),
    ),
  ),
  ...Object.fromEntries(
    NAMES.flatMap((name) => {
      // Short, so that its name alone tells what it is.
      const headers = { [name]: "k=42" };
      const held = { left: name, isIn: has(name.toLowerCase(), "k=42") };
      return [
        [`${name} as written`, { headers, ...held }],
        [`${name} as a default`, { client: { headers }, ...held }],
        [`${name} by extend`, { extended: { headers }, ...held }],
      ] satisfies [string, Held][];
    }),
  ),
  "a secret variable in a header": {
    headers: { "X-Team": "it is {{team}}" },
    left: "X-Team",
    isIn: has("x-team", `it is ${SECRET}`),
  },
  "a secret variable in Base64": {
    headers: { "X-Team": btoa(`team:${SECRET}`) },
    left: "X-Team",
    isIn: has("x-team", btoa(`team:${SECRET}`)),
  },
};

function has(name: string, value: string): (request: Received) => boolean {
  return ({ headers }) => headers[name] === value;
}

/** Both servers' logs since they were read last. */
async function logs({ home, stranger }: Context): Promise<readonly (readonly Received[])[]> {
  const read = async (base: string): Promise<readonly Received[]> =>
    (await fetch(`${base}/log`)).json() as Promise<readonly Received[]>;
  return [await read(home), await read(stranger)];
}

function clientOf({ lib, outside }: Context, { client, extended }: Held): Client {
  const lab = lib.createClient({ ...outside, ...client, openFileForWriting });
  lab.setVar("team", SECRET, { secret: true });
  return extended === undefined ? lab : lab.extend(extended);
}

const openFileForWriting: NonNullable<ClientOptions["openFileForWriting"]> = async (path) => ({
  path,
  write: async () => undefined,
  commit: async () => undefined,
  discard: async () => undefined,
});

type Ask = (lab: Client, url: string, held: Held) => Promise<readonly Exchange[]>;

function textOf(url: string, { headers = {} }: Held): string {
  const lines = Object.entries({ "X-Kept": "yes", ...headers });
  return [`GET ${url}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join("\n");
}

function specOf(url: string, { headers = {}, call = {} }: Held) {
  const filled = Object.entries({ "X-Kept": "yes", ...headers }).map(
    ([name, value]) => [name, value.replace("{{team}}", SECRET)] as const,
  );
  return { url, headers: filled, ...(call.auth === undefined ? {} : { auth: call.auth }) };
}

/** Ways of sending that share what decides with the first ones: of each kind once is enough. */
const ALIKE: ReadonlySet<string> = new Set(["send of data", "download", "stream"]);
const FEW = /(?:by client|as a default|secret variable)/;

const ASKS: Readonly<Record<string, Ask>> = {
  send: async (lab, url, held) => [await lab.send(textOf(url, held), held.call)],
  "send of data": async (lab, url, held) => [await lab.send(specOf(url, held))],
  download: async (lab, url, held) => [
    await lab.download(textOf(url, held), "file.json", held.call),
  ],
  stream: async (lab, url, held) => {
    const stream = lab.stream(textOf(url, held), { ...held.call, as: "text" });
    for await (const _piece of stream);
    return [await stream.exchange];
  },
};

const PAGES: Readonly<Record<string, Ask>> = {
  paginate: (lab, url, held) => lab.paginate(textOf(url, held), "link", held.call).all(),
  "paginate of data": (lab, url, held) => lab.paginate(specOf(url, held)).all(),
};

/** Goes home, to the stranger twice, and home again; the stranger learns nothing of any secret. */
async function goRound(
  context: Context,
  asks: Readonly<Record<string, Ask>>,
  way: (to: string) => string,
): Promise<void> {
  const { home, stranger } = context;
  const lead = (from: string, to: string): string => `${from}${way(encodeURIComponent(to))}`;
  const start = lead(home, lead(stranger, lead(stranger, `${home}/end`)));
  for (const [how, ask] of Object.entries(asks)) {
    for (const [what, held] of Object.entries(TABLE)) {
      const label = `${how}: ${what}`;
      if (ALIKE.has(how) && !FEW.test(what)) continue;
      const exchanges = await ask(clientOf(context, held), start, held);
      const [own = [], foreign = []] = await logs(context);
      assert.deepEqual([own.length, foreign.length], [2, 2], label);
      for (const one of own) assert.ok(held.isIn(one), `${label}: ${JSON.stringify(one)}`);
      for (const one of foreign) {
        const told = Object.keys(one.headers).filter((name) => !HARMLESS.test(name));
        assert.deepEqual(told, [], label);
        assert.equal(one.headers["x-kept"], "yes", label);
        assert.ok(!JSON.stringify(one).includes("hush"), `${label}: ${JSON.stringify(one)}`);
      }
      const warnings = exchanges.flatMap((exchange) => exchange.warnings);
      const note = `Not sent on to ${stranger}, another origin: ${held.left}`;
      const wanted = exchanges.length === 1 ? [note] : [note, note];
      assert.deepEqual(warnings, wanted, label);
    }
  }
}

const table = checks({
  async "a redirect sends no credentials to another origin, and all of them back at the first one"(
    context,
  ) {
    await goRound(context, ASKS, (to) => `/redirect/307?to=${to}`);
  },
  async "pages at another origin get no credentials, those at the first one get all"(context) {
    await goRound(context, PAGES, (to) => `/list?next=${to}`);
  },
  async "digest answers no challenge of another origin"(context) {
    const { lib, home, stranger } = context;
    const auth = { type: "digest", username: "ada", password: SECRET } as const;
    const to = encodeURIComponent(`${stranger}/digest`);
    const exchange = await lib.createClient({ auth }).send(`GET ${home}/redirect/302?to=${to}`);
    assert.equal(exchange.status, 401);
    const [, foreign = []] = await logs(context);
    assert.deepEqual(
      foreign.map(({ headers }) => headers["authorization"]),
      [undefined],
    );
  },
  async "credentials in a Location are sent only to its origin"(context) {
    const { lib, home, stranger } = context;
    const far = `${stranger.replace("//", "//eve:pw@")}/redirect/302?to=${encodeURIComponent(`${home}/end`)}`;
    const lab = lib.createClient();
    await lab.send(`GET ${home}/redirect/302?to=${encodeURIComponent(far)}\nX-Auth: mine`);
    const [own = [], foreign = []] = await logs(context);
    assert.equal(foreign[0]?.headers["authorization"], `Basic ${btoa("eve:pw")}`);
    assert.equal(foreign[0]?.headers["x-auth"], undefined);
    assert.equal(own[1]?.headers["authorization"], undefined);
    assert.equal(own[1]?.headers["x-auth"], "mine");
  },
  async "credentials in the URL of a listing are sent to all pages at its origin"(context) {
    const { lib, home } = context;
    const next = encodeURIComponent(`${home}/list`);
    const url = `${home.replace("//", "//ada:pw@")}/list?next=${next}`;
    for (const request of [`GET ${url}`, { url }]) {
      await lib.createClient().paginate(request).all();
      const [own = []] = await logs(context);
      const sent = own.map(({ headers }) => headers["authorization"]);
      assert.deepEqual(sent, [`Basic ${btoa("ada:pw")}`, `Basic ${btoa("ada:pw")}`]);
    }
  },
  async "annotations apply to further pages, whose cookies come from the jar"(context) {
    const { lib, home } = context;
    const to = encodeURIComponent(`${home}/redirect/302?to=/far`);
    const lab = lib.createClient();
    const pages = await lab.paginate(`# @no-redirect\nGET ${home}/list?next=${to}`).all();
    assert.deepEqual(
      pages.map(({ status }) => status),
      [200, 302],
    );
    // The URL of the first page of these is changed; a request that it refers to stays as it is.
    const text = `# @name first\nGET ${home}/list\n\n###\n# @name second\n# @no-redirect\n# @forceRef first\nGET ${home}/redirect/302?to=/far`;
    await logs(context);
    for (const strategy of [{ by: "offset", size: 2 }, { by: "page" }] as const) {
      for await (const { status, request } of lab.paginate(text, strategy)) {
        assert.deepEqual([status, request.name], [302, "second"]);
        break;
      }
    }
    const [asked = []] = await logs(context);
    assert.deepEqual(
      asked.map(({ url }) => url),
      ["limit=2&offset=0", "page=1"].flatMap((query) => [
        "/list",
        "/list",
        `/redirect/302?to=/far&${query}`,
      ]),
    );
    await lab.cookies.set(home, "a=old; Path=/");
    const next = encodeURIComponent(`${home}/list`);
    for await (const _page of lab.paginate(`GET ${home}/list?next=${next}`)) {
      await lab.cookies.set(home, "a=new; Path=/");
    }
    const [own = []] = await logs(context);
    assert.deepEqual(
      own.map(({ headers }) => headers["cookie"]),
      ["a=old", "a=new"],
    );
  },
  async "a WebSocket handshake follows no redirect"(context) {
    const { lib, outside, home, stranger } = context;
    const auth = { type: "bearer", token: SECRET } as const;
    const lab = lib.createClient({ ...outside, auth, headers: { "X-API-Key": "k" } });
    const to = encodeURIComponent(`${stranger.replace("http", "ws")}/greet`);
    const url = `${home.replace("http", "ws")}/redirect/302?to=${to}`;
    await assert.rejects(lab.websocket(url), { name: "NoResponseError" });
    assert.equal((await lab.send(`WEBSOCKET ${url}\n\nhello`)).status, 302);
    const [own = [], foreign = []] = await logs(context);
    assert.deepEqual(
      own.map(({ headers }) => [headers["authorization"], headers["x-api-key"]]),
      [
        [`Bearer ${SECRET}`, "k"],
        [`Bearer ${SECRET}`, "k"],
      ],
    );
    assert.deepEqual(foreign, []);
  },
  async "a token request follows no redirect"(context) {
    const { lib, outside, home, stranger } = context;
    const to = encodeURIComponent(`${stranger}/token`);
    for (const status of [302, 307, 308]) {
      for (const clientAuthentication of ["basic", "post"] as const) {
        const endpoint = `${home}/redirect/${status}?to=${to}`;
        const clientSecret = SECRET;
        const base = {
          type: "oauth2",
          clientId: "me",
          clientSecret,
          clientAuthentication,
        } as const;
        for (const auth of [
          { ...base, grant: "client_credentials", tokenEndpoint: endpoint },
          { ...base, grant: "password", username: "a", password: "b", tokenEndpoint: endpoint },
          { ...base, grant: "refresh_token", refreshToken: SECRET, tokenEndpoint: endpoint },
          { ...base, grant: "client_credentials", issuer: `${home}/redirect/${status}` },
        ] as const) {
          const lab = lib.createClient({ ...outside, auth });
          await assert.rejects(lab.send(`GET ${home}/end`), { name: "CredentialError" });
        }
      }
    }
    const [, foreign] = await logs(context);
    assert.deepEqual(foreign, []);
  },
});

/** What is for one origin is sent to no other. What a check before has left in the logs is not its matter. */
export const originChecks: readonly Check[] = table.map(({ name, run }) => ({
  name,
  async run(context) {
    await logs(context);
    await run(context);
  },
}));
