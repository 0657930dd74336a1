import assert from "node:assert/strict";
import { parseTemplate } from "../../../../lib/interpolation/mod.ts";
import { explore } from "../../../support/explore.ts";
import { type Check, checks } from "../../check.ts";

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

/** Basic, bearer, keys, digest and AWS: as text, as an option of a send, as a default. */
export const credentialChecks: readonly Check[] = checks({
  async "basic is written with spaces, with a colon, or encoded"({ lib, base }) {
    const lab = lib.createClient();
    lab.setVar("password", "pä ss:word");
    const table = [
      ["Basic ada secret", "ada:secret"],
      ["basic ada {{password}}", "ada:pä ss:word"],
      ["Basic ada:secret", "ada:secret"],
      [basic("ada:secret"), "ada:secret"],
    ] as const;
    for (const [written, pair] of table) {
      const { json } = await lab.send(`GET ${base}/echo\nAuthorization: ${written}`);
      assert.equal(explore(json).headers.authorization, basic(pair), written);
    }
    const auth = { type: "basic", username: "ada", password: "x" } as const;
    const { json } = await lab.send({ url: `${base}/echo`, auth });
    assert.equal(explore(json).headers.authorization, basic("ada:x"));
  },
  async "credentials of the client are sent unless a request has its own, or false"({ lib, base }) {
    const lab = lib.createClient({ auth: { type: "bearer", token: "default-token" } });
    const seen = async (...send: Parameters<typeof lab.send>): Promise<unknown> =>
      explore((await lab.send(...send)).json).headers.authorization;
    assert.equal(await seen(`GET ${base}/echo`), "Bearer default-token");
    assert.equal(await seen(`GET ${base}/echo\nAuthorization: Bearer own`), "Bearer own");
    assert.equal(await seen(`GET ${base}/echo`, { auth: false }), undefined);
    const other = lab.extend({ auth: { type: "bearer", token: "other-token" } });
    assert.equal(
      explore((await other.send(`GET ${base}/echo`)).json).headers.authorization,
      "Bearer other-token",
    );
  },
  async "an API key is sent in a header, the query or a cookie"({ lib, base }) {
    const lab = lib.createClient();
    const seen = async (auth: object): Promise<{ url: string; headers: Record<string, string> }> =>
      (
        await lab.send<{ url: string; headers: Record<string, string> }>({
          url: `${base}/echo?a=1`,
          auth: { type: "apiKey", value: "k &y", ...auth },
        })
      ).json;
    assert.equal((await seen({ value: "key" })).headers["x-api-key"], "key");
    assert.equal((await seen({ name: "X-Key" })).headers["x-key"], "k &y");
    assert.equal((await seen({ name: "key", in: "query" })).url, "/echo?a=1&key=k%20%26y");
    assert.equal((await seen({ name: "key", in: "cookie" })).headers.cookie, "key=k &y");
  },
  async "credentials are not sent to another origin"({ lib, site, base }) {
    const auth = { type: "bearer", token: "tell-nobody" } as const;
    const url = `${site}/forward/307?to=${encodeURIComponent(`${base}/echo`)}`;
    const { json, warnings } = await lib.createClient({ auth }).send({ url });
    assert.equal(explore(json).headers.authorization, undefined);
    assert.match(warnings[0] ?? "", /^Not sent on to .*, another origin: the credentials/);
  },
  async "credentials are masked"({ lib, base }) {
    const lab = lib.createClient();
    const exchange = await lab.send({
      url: `${base}/echo?key=my-very-own-password`,
      auth: { type: "basic", username: "ada", password: "my-very-own-password" },
    });
    const shown = JSON.stringify(exchange) + String(exchange);
    assert.doesNotMatch(shown, /my-very-own-password/);
    assert.ok(!shown.includes(basic("ada:my-very-own-password").slice(6)));
  },
  async "digest answers a challenge with each algorithm and quality of protection"({
    lib,
    digest,
  }) {
    const auth = { type: "digest", username: "ada", password: "secret" } as const;
    for (const query of [
      "algorithm=MD5",
      "algorithm=MD5-sess",
      "algorithm=SHA-256",
      "algorithm=SHA-256-sess",
      "algorithm=SHA-512-256",
      "algorithm=MD5,SHA-256",
      "algorithm=SHA-256&userhash=1",
      "algorithm=MD5&plain=1",
      "algorithm=SHA-256&qop=auth-int",
      "algorithm=MD5&qop=auth,auth-int",
    ]) {
      const lab = lib.createClient({ auth });
      const url = `${digest}/a%20b?${query}`;
      const exchange = await lab.send({ url, body: "hello" });
      assert.equal(exchange.status, 200, `${query}: ${exchange.text}`);
      assert.ok(exchange.request.added.includes("Authorization"));
    }
  },
  async "digest reuses its nonce, and replaces a stale one"({ lib, digest }) {
    const lab = lib.createClient();
    const send = async (query = ""): Promise<number> =>
      explore((await lab.send(`GET ${digest}/x?${query}\nAuthorization: Digest ada secret`)).json)
        .count;
    assert.equal(await send(), 1);
    assert.equal(await send(), 2);
    assert.equal(await send("stale=1"), 3);
    assert.equal(await send(), 1);
    // Each response names the nonce of the next request, which needs no challenge then.
    assert.equal(await send("stale=1&next=1"), 2);
    const { challenges } = explore(lab.last.json);
    assert.equal(await send("stale=1&next=1"), 1);
    assert.equal(explore(lab.last.json).challenges, challenges);
  },
  async "digest with a wrong password returns the 401, and user names beyond ASCII are sent"({
    lib,
    digest,
  }) {
    const lab = lib.createClient();
    const wrong = { type: "digest", username: "ada", password: "wrong" } as const;
    const refused = await lab.send({ url: `${digest}/x`, auth: wrong });
    assert.equal(refused.status, 401);
    const auth = { type: "digest", username: "Jäsøn", password: "päss" } as const;
    const query = { user: "Jäsøn", password: "päss", algorithm: "SHA-256" };
    assert.equal((await lab.send({ url: `${digest}/x`, query, auth })).status, 200);
    await assert.rejects(lab.send({ url: `${digest}/x?algorithm=TIGER`, auth }), {
      name: "CredentialError",
      message: /the server asks for TIGER/,
    });
  },
  async "a name and a password are read as they are written, whatever their values"(context) {
    const { lib, base, digest } = context;
    const [username, password] = ["ada love:lace", " p w:x "];
    const lab = lib.createClient({ headers: { "X-A": "1" } });
    lab.setVar("u", username);
    lab.setVar("p", password);
    const query = new URLSearchParams({ user: username, password });
    const text = `GET ${digest}/x?${query}\nAuthorization: Digest {{u}} {{p}}`;
    assert.equal((await lab.send(text)).status, 200);
    lab.setVar("u", "ada lovelace");
    const defaults = { Authorization: parseTemplate("Basic {{u}} {{p}}") };
    const { json } = await lab.extend({ headers: defaults }).send(`GET ${base}/echo`);
    assert.equal(explore(json).headers.authorization, `Basic ${btoa(`ada lovelace:${password}`)}`);
  },
  async "complete digest headers are sent unchanged"({ lib, base }) {
    const written = 'Digest username="ada", realm="x", nonce="y", uri="/", response="z"';
    const { json } = await lib.createClient().send(`GET ${base}/echo\nAuthorization: ${written}`);
    assert.equal(explore(json).headers.authorization, written);
  },
  async "AWS requests are signed, from text and from options"({ lib, base }) {
    const lab = lib.createClient();
    const text = await lab.send(
      `POST ${base}/echo?b=2&a=1\nAuthorization: AWS AKID secret-key token:session region:eu-west-1 service:sqs\n\nhello`,
    );
    const { headers } = explore(text.json);
    assert.match(
      headers.authorization,
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/sqs\/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=[\da-f]{64}$/,
    );
    assert.equal(headers["x-amz-security-token"], "session");
    const auth = {
      type: "aws",
      accessKeyId: "AKID",
      secretAccessKey: "secret",
      region: "us-east-1",
      service: "s3",
    } as const;
    const option = await lab.send({ method: "PUT", url: `${base}/echo`, body: "x", auth });
    assert.equal(explore(option.json).headers["x-amz-content-sha256"], "UNSIGNED-PAYLOAD");
    await assert.rejects(
      lab.send({
        url: `${base}/echo`,
        auth: { type: "aws", accessKeyId: "a", secretAccessKey: "b" },
      }),
      {
        name: "CredentialError",
        message: /set service and region/,
      },
    );
  },
  async "incomplete credentials are refused with what is missing"({ lib, base }) {
    const send = (auth: object) => lib.createClient().send({ url: base, auth: auth as never });
    await assert.rejects(
      send({ type: "kerberos" }),
      /credentials of the type "kerberos": use one of basic/,
    );
    await assert.rejects(send({ type: "basic", username: "ada" }), /their password is undefined/);
    await assert.rejects(
      send({ type: "basic", username: "a:b", password: "" }),
      /contains a colon/,
    );
    await assert.rejects(send({ type: "apiKey", value: "x", in: "body" }), /an API key in "body"/);
  },
});
