import assert from "node:assert/strict";
import { join } from "node:path";
import type { SendOptions } from "../../lib/mod.ts";
import { type Check, type Context, checks } from "./check.ts";
import type { Received } from "./servers/origin-server.ts";

const SECRET = "hush-hush-42";

async function bodiesAt(server: string): Promise<readonly string[]> {
  const log = (await (await fetch(`${server}/log`)).json()) as readonly Received[];
  return log.map(({ body }) => body);
}

const leadTo = ({ home, stranger }: Context, status = 307, path = "/end"): string =>
  `${home}/redirect/${status}?to=${encodeURIComponent(stranger + path)}`;

/** A body that a redirect would take to another origin. */
export const originBodyChecks: readonly Check[] = checks({
  async "a body with secrets is not redirected to another origin: the 3xx is returned with a warning"(
    context,
  ) {
    const { lib, outside, stranger, folder } = context;
    const lab = lib.createClient(outside);
    lab.setVar("team", SECRET, { secret: true });
    const json = "Content-Type: application/json\n\n";
    const bodies: readonly (readonly [string, string, SendOptions?])[] = [
      ["a variable", `${json}{"team": "{{team}}"}`],
      ["a variable as text", "\nit is {{team}}"],
      ["a name, and a short word", `${json}{"password": "abc"}`],
      ["a form", "Content-Type: application/x-www-form-urlencoded\n\nuser=a&password=1234"],
      ["a form that is compressed", "\ntoken=very-long-token", { compress: "gzip" }],
      ["Base64", `\n${btoa(`ada:${SECRET}`)}`],
      ["what a header has as well", `Authorization: Bearer other-token-1\n\nother-token-1`],
    ];
    for (const status of [307, 308]) {
      for (const [what, rest, options] of bodies) {
        const exchange = await lab.send(`POST ${leadTo(context, status)}\n${rest}`, options);
        assert.equal(exchange.status, status, what);
        assert.equal(exchange.text, "see there", what);
        assert.deepEqual(exchange.redirects, [], what);
        assert.deepEqual(exchange.warnings, [
          `The redirect was not followed: its body contains secrets, and ${stranger} is another origin; ` +
            "set crossOriginBody: true, or write # @cross-origin-body above the request, to send it anyway",
        ]);
      }
    }
    for (const status of [301, 302]) {
      const put = await lab.send(`PUT ${leadTo(context, status)}\n\nit is {{team}}`);
      assert.equal(put.status, status);
    }
    const file = await lab.send({
      url: leadTo(context),
      multipart: { token: "abc", file: { file: join(folder, "large.bin") } },
    });
    assert.equal(file.status, 307);
    assert.deepEqual(await bodiesAt(stranger), []);
  },
  async "a body without secrets is redirected, and so is one with crossOriginBody"(context) {
    const { lib, outside, stranger } = context;
    const lab = lib.createClient(outside);
    lab.setVar("team", SECRET, { secret: true });
    const plain = await lab.send(`POST ${leadTo(context)}\n\nnothing to hide`);
    assert.deepEqual([plain.status, plain.warnings], [200, []]);
    const url = leadTo(context);
    const text = `POST ${url}\n\nit is {{team}}`;
    assert.equal((await lab.send(text, { crossOriginBody: true })).status, 200);
    assert.equal((await lab.extend({ crossOriginBody: true }).send(text)).status, 200);
    assert.equal((await lab.send(`# @cross-origin-body\n${text}`)).status, 200);
    const off = `# @cross-origin-body false\n${text}`;
    assert.equal((await lab.send(off, { crossOriginBody: true })).status, 307);
    await assert.rejects(
      lab.send(`# @cross-origin-body maybe\n${text}`),
      /it is not true or false/,
    );
    assert.deepEqual(await bodiesAt(stranger), [
      "nothing to hide",
      ...["it is", "it is", "it is"].map((it) => `${it} ${SECRET}`),
    ]);
    assert.equal((await lab.send(`POST ${leadTo(context, 303)}\n\n{{team}}`)).status, 200);
    assert.deepEqual(await bodiesAt(stranger), [""]);
  },
  async "a file that is streamed is not redirected, since it is not searched"(context) {
    const { lib, outside, stranger, folder } = context;
    const lab = lib.createClient(outside);
    const put = `PUT ${leadTo(context)}\n\n< ${join(folder, "large.bin")}`;
    const kept = await lab.send(put);
    assert.equal(kept.status, 307);
    assert.deepEqual(kept.warnings, [
      `The redirect was not followed: its body is streamed and cannot be searched for secrets, and ${stranger} is ` +
        "another origin; set crossOriginBody: true, or write # @cross-origin-body above the request, to send it anyway",
    ]);
    assert.deepEqual(await bodiesAt(stranger), []);
  },
  async "a further page at another origin with secrets in its body is an error"(context) {
    const { lib, home, stranger } = context;
    const lab = lib.createClient();
    lab.setVar("team", SECRET, { secret: true });
    const url = `${home}/list?next=${encodeURIComponent(`${stranger}/list`)}`;
    const json = { team: SECRET };
    for (const request of [`POST ${url}\n\n{{team}}`, { url, json }]) {
      await assert.rejects(lab.paginate(request).all(), {
        name: "PaginationError",
        message: /^Cannot fetch page 2: Cannot send POST ".*": its body contains secrets, and http/,
        page: 2,
      });
      assert.deepEqual(await bodiesAt(stranger), []);
      const asked = await lab.paginate(request, "link", { crossOriginBody: true }).all();
      assert.equal(asked.length, 2);
      assert.equal((await bodiesAt(stranger)).length, 1);
    }
    const text = `# @cross-origin-body\nPOST ${url}\n\n{{team}}`;
    assert.equal((await lab.paginate(text).all()).length, 2);
    assert.equal((await bodiesAt(stranger)).length, 1);
  },
});
