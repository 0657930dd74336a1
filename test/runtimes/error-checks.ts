import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type Check, type Context, checks } from "./check.ts";

type Client = ReturnType<Context["lib"]["createClient"]>;

/** Each way to send, with an error. The functions are on lines of their own: a stack leads to them. */
const WAYS: Readonly<Record<string, (client: Client, url: string, base: string) => unknown>> = {
  send: (client, url) => client.send(`GET ${url}`),
  "send of data": (client, url) => client.send({ url }),
  sendAll: (client, url) => client.sendAll(`GET ${url}`),
  download: (client, url) => client.download(`GET ${url}`, "none.txt"),
  "all pages": (client, url) => client.paginate(`GET ${url}`).all(),
  "no page": (client, _url, base) => readAll(client.paginate(`GET ${base}/status/500`).items()),
  stream: (client, url) => readAll(client.stream(`GET ${url}`)),
  "head of a stream": (client, url) => client.stream(`GET ${url}`).head,
  websocket: (client, url) => client.websocket(url),
  all: async (client, url) => Promise.reject([...(await client.all([url, url]))][1]?.error),
  assertion: (client, _url, base) => client.send(`GET ${base}/echo\n\n?? status == 404`),
  "unknown variable": (client) => client.send("GET http://api.test/{{nobody}}"),
  syntax: (client) => client.send("GTE http://api.test/"),
  "unknown method": (client) => client.send({ url: "http://api.test/", method: "A B" }),
  render: (client) => client.render("GET http://api.test/{{nobody}}"),
};

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

async function errorOf(action: () => unknown): Promise<Error> {
  try {
    await action();
  } catch (error) {
    assert.ok(error instanceof Error, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

/** What loggers make of an error: its members and those of its causes, its message and its stack. */
function logged(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return JSON.stringify([{ ...error }, error.message, error.stack, logged(error.cause)]);
}

const SECRET = "tok-secret-998877";

/** What programs see of errors. */
export const errorChecks: readonly Check[] = checks({
  async "a stack begins at the line that has called the client"({ lib, closed, base }) {
    const nothing = async (): Promise<undefined> => undefined;
    const file = { path: "", write: nothing, commit: nothing, discard: nothing };
    const client = lib.createClient({ openFileForWriting: async () => file });
    for (const [way, call] of Object.entries(WAYS)) {
      const error = await errorOf(() => call(client, closed, base));
      const { stack = "", name, message } = error;
      const [head, first = ""] = stack
        .slice(stack.indexOf(`${name}: `))
        .replace(message, "…")
        .split("\n");
      assert.equal(head, `${name}: …`, way);
      assert.match(first, /^ {4}at .*error-checks/, `${way}: ${stack}`);
      // A text that is sent again is not read again; its errors are those of another call.
      assert.notEqual(await errorOf(() => call(client, closed, base)), error, way);
    }
  },
  async "an error is printed and logged without secrets"({ lib, closed, base }) {
    const client = lib.createClient();
    client.setVar("token", SECRET, { secret: true });
    const head = "Authorization: Bearer {{token}}\nX-Id: 7\nCookie: a={{token}}";
    const errors = {
      refused: await errorOf(() => client.send(`GET ${closed}?key={{token}}\n${head}`)),
      data: await errorOf(() =>
        client.send({ url: `${closed}?key=${SECRET}`, json: { a: SECRET } }),
      ),
      literal: await errorOf(() => client.send(`GET ${closed}\nAuthorization: Bearer ${SECRET}`)),
      assertion: await errorOf(() =>
        client.send(`GET ${base}/echo?a={{token}}\n${head}\n\n?? body.url == ${SECRET}`),
      ),
      syntax: await errorOf(() => client.send(`GTE ${base}/${SECRET}`)),
      header: await errorOf(() => client.send(`GET ${base}\nX-A: ${SECRET}{{nobody}}`)),
      aborted: await errorOf(() =>
        client.send({ url: base }, { signal: AbortSignal.abort(new Error(`no ${SECRET}`)) }),
      ),
      hook: await errorOf(() => {
        const beforeRequest = [() => Promise.reject(new Error(`no ${SECRET}`, { cause: SECRET }))];
        return client.send({ url: base }, { ky: { hooks: { beforeRequest } } });
      }),
      pages: await errorOf(() =>
        readAll(client.paginate(`GET ${base}/status/500?a={{token}}\n${head}`)),
      ),
    };
    for (const [kind, error] of Object.entries(errors)) {
      const printed = [inspect(error), inspect({ error }), JSON.stringify(error), logged(error)];
      for (const text of printed) {
        assert.ok(!text.includes(SECRET), `${kind}: ${text}`);
        assert.ok(!text.includes(btoa(SECRET)), `${kind}: ${text}`);
      }
    }
    const { refused } = errors;
    assert.ok(refused instanceof lib.NoResponseError);
    assert.deepEqual(refused.request.headers[0], ["Authorization", `Bearer ${SECRET}`]);
    const { request, ...rest } = JSON.parse(JSON.stringify(refused));
    assert.deepEqual(rest, {
      name: "NoResponseError",
      message: refused.message,
      code: "refused",
      reason: "the connection was refused",
      redirects: [],
    });
    assert.equal(request.url, `${closed}/?key={{token}}`);
    const written = ["Authorization", "X-Id", "Cookie"];
    assert.deepEqual(
      request.headers.filter(([header]: readonly [string]) => written.includes(header)),
      [
        ["Authorization", "Bearer {{token}}"],
        ["X-Id", "7"],
        ["Cookie", "a={{token}}"],
      ],
    );
    assert.match(inspect(refused), /code: 'refused'/);
  },
  async "an exchange cannot be cloned, and says what can"({ lib, base }) {
    const exchange = await lib.createClient().send(`GET ${base}/echo`);
    const said = /^DataCloneError: .*(?:its json, text or bytes, or its toJSON\(\)|The object can)/;
    for (const value of [exchange, [exchange], { ...exchange }]) {
      const error = await errorOf(async () => structuredClone(value));
      assert.match(String(error), said);
    }
    assert.deepEqual(structuredClone(exchange.json), exchange.json);
    structuredClone(exchange.toJSON());
  },
  async "the reason of an abort is the cause itself"({ lib, base }) {
    const reason = new Error("enough");
    reason.cause = new Error("its own", { cause: reason });
    const signal = AbortSignal.abort(reason);
    const { cause } = await errorOf(() => lib.createClient().send(`GET ${base}`, { signal }));
    assert.equal(cause, reason);
  },
});
