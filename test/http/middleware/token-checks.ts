import assert from "node:assert/strict";
import type { Client, ClientOptions, Exchange } from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import { type Check, type Context, checks } from "../check.ts";
import { logIn, machine } from "./credentials/oauth2/logins.ts";

/** A client with the logins of a JetBrains environment file. */
function withLogins(
  { lib, issuer, outside }: Context,
  logins: Readonly<Record<string, object>>,
  options: ClientOptions = {},
): Client {
  const endpoints = {
    Type: "OAuth2",
    "Token URL": "{{issuer}}/token",
    "Auth URL": "{{issuer}}/auth",
    "Device Auth URL": "{{issuer}}/device/auth",
  };
  const Auth = Object.fromEntries(
    Object.entries(logins).map(([name, login]) => [name, { ...endpoints, ...login }]),
  );
  const secrets = {
    machine: { "Client Secret": "machine-secret-1" },
    trusted: { "Client Secret": "trusted-secret-3", Password: "pa ss&word" },
  };
  const files: Readonly<Record<string, object>> = {
    "http-client.env.json": { dev: { issuer, Security: { Auth } }, other: {} },
    "http-client.private.env.json": { dev: { Security: { Auth: secrets } } },
  };
  const readFile = async (path: string): Promise<Uint8Array> => {
    const file = files[path];
    if (file !== undefined) return new TextEncoder().encode(JSON.stringify(file));
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  };
  return lib.createClient({ ...outside, readFile, ...options });
}

/** Tokens of `$auth.token`, against node-oidc-provider. */
export const tokenChecks: readonly Check[] = checks({
  async "$auth.token and $auth.idToken use the logins of a JetBrains environment file"(context) {
    const { lib, issuer } = context;
    const pages: Promise<string>[] = [];
    const lab = withLogins(
      context,
      {
        machine: {
          "Grant Type": "Client Credentials",
          "Client ID": "machine",
          "Client Credentials": "basic",
        },
        trusted: {
          "Grant Type": "Password",
          "Client ID": "trusted",
          "Client Credentials": "basic",
          Username: "ada",
          Scope: "openid offline_access",
        },
        poster: {
          "Grant Type": "client credentials",
          "Client ID": "poster",
          "Client Secret": "poster-secret-2",
        },
        desk: {
          "Grant Type": "Authorization Code",
          "Client ID": "desk",
          Scope: "openid",
          PKCE: true,
          "Custom Request Parameters": { prompt: { Value: "consent", Use: "In Auth Request" } },
        },
        television: {
          "Grant Type": "Device Authorization",
          "Client ID": "television",
          Scope: "openid",
        },
      },
      {
        login(prompt) {
          const url = prompt.kind === "device" ? (prompt.completeUrl ?? "") : prompt.url;
          pages.push(logIn(lib.createClient(), url));
        },
      },
    );
    await lab.useEnv("dev");
    assert.equal(lab.secrets.mask("say trusted-secret-3").includes("trusted-secret-3"), false);
    assert.deepEqual(lab.origin("Security"), {
      kind: "environment",
      secret: false,
      file: "http-client.private.env.json",
      environment: "dev",
    });
    const text = (name: string): string =>
      `GET ${issuer}/api\nAuthorization: Bearer {{$auth.token("${name}")}}`;
    for (const [name, user] of [
      ["machine", undefined],
      ["poster", undefined],
      ["trusted", "ada"],
      ["desk", "ada"],
      ["television", "ada"],
    ] as const) {
      assert.deepEqual(lab.check(text(name)), [], name);
      const { json, request } = await lab.send(text(name));
      assert.deepEqual([explore(json).client, explore(json).user], [name, user]);
      const token = request.headers.find(([key]) => key === "Authorization")?.[1].slice(7) ?? "";
      assert.equal(lab.secrets.mask(`it is ${token}`).includes(token), false, name);
      assert.equal(
        explore((await lab.send(text(name))).json).id,
        explore(json).id,
        "the token is kept",
      );
      assert.ok(lab.render(text(name)).headers[0]?.[1].endsWith(token));
    }
    await Promise.all(pages);
    const who = await lab.send(`POST ${issuer}/api\n\n{{$auth.idToken("desk")}}`);
    const [, claims = ""] = String(who.request.body).split(".");
    assert.equal(JSON.parse(atob(claims.replace(/-/g, "+").replace(/_/g, "/"))).sub, "ada");
    assert.equal(lab.secrets.mask(String(who.request.body)).includes(claims), false);
    for (const secret of ["machine-secret-1", "trusted-secret-3", "pa ss&word"]) {
      assert.equal(lab.secrets.mask(`say ${secret}`).includes(secret), false, secret);
    }
    assert.equal(lab.secrets.mask("OAuth2 by Client Credentials"), "OAuth2 by Client Credentials");
    await lab.useEnv("other");
    await assert.rejects(lab.send(text("desk")), /no environment in use has the login "desk"/);
  },
  async "a revoked token is replaced and the request sent again once"(context) {
    const { lib, issuer } = context;
    const revoke = async (lab: Client, token: string): Promise<void> => {
      const auth = { type: "basic", username: "machine", password: "machine-secret-1" } as const;
      const form = { token };
      const { status } = await lab.send({ url: `${issuer}/token/revocation`, form, auth });
      assert.equal(status, 200);
    };
    const tokenOf = ({ request }: Exchange): string =>
      request.headers.find(([name]) => name === "Authorization")?.[1].slice(7) ?? "";
    const text = `POST ${issuer}/api\nAuthorization: Bearer {{$auth.token("machine")}}\nX-Again: {{$auth.token("machine")}}\n\nhello`;
    const machineLogin = {
      "Grant Type": "Client Credentials",
      "Client ID": "machine",
      "Client Credentials": "basic",
    };
    const jetBrains = withLogins(context, { machine: machineLogin });
    await jetBrains.useEnv("dev");
    const ours = lib.createClient({ auth: machine(issuer) });
    for (const [lab, request, remark] of [
      [
        jetBrains,
        text,
        /^The server rejected the token of a login with 401; .* sent again with a new one$/,
      ],
      [
        ours,
        `POST ${issuer}/api\n\nhello`,
        /^The server rejected the token with 401; .* with a new one$/,
      ],
    ] as const) {
      const first = await lab.send(request);
      assert.deepEqual([first.status, first.warnings], [200, []]);
      await revoke(lab, tokenOf(first));
      const before = lab.history.length;
      const second = await lab.send(request);
      assert.equal(second.status, 200);
      assert.match(second.notes.join(), remark);
      assert.notEqual(tokenOf(second), tokenOf(first));
      assert.equal(second.request.body, "hello");
      assert.equal(lab.history.length, before + 1);
      assert.equal(
        explore((await lab.send(request)).json).id,
        explore(second.json).id,
        "the new one is kept",
      );
      assert.equal(lab.secrets.mask(`it is ${tokenOf(second)}`).includes(tokenOf(second)), false);
    }
    const again = jetBrains.last.request.headers.find(([name]) => name === "X-Again")?.[1];
    assert.equal(again, tokenOf(jetBrains.last), "it is replaced wherever it stood");

    // A variable keeps the token of its time, which is known all the same.
    await jetBrains.sendAll('@kept = {{$auth.token("machine")}}');
    await revoke(jetBrains, tokenOf(jetBrains.last));
    const byVariable = `GET ${issuer}/api\nAuthorization: Bearer {{kept}}`;
    assert.equal((await jetBrains.send(byVariable)).status, 200);
    assert.equal((await jetBrains.send(byVariable)).status, 200);
  },
  async "a request is not sent again when a new token would not help"(context) {
    const { lib, issuer } = context;
    const login = { "Grant Type": "Client Credentials", "Client ID": "machine" };
    const lab = withLogins(context, { machine: { ...login, "Client Credentials": "basic" } });
    await lab.useEnv("dev");
    const count = async () =>
      explore((await lib.createClient().send(`GET ${issuer}/api/granted`)).json).length;
    await count();
    // No server takes the token in a scheme of one's own: it was never good, and is not to blame.
    const text = `GET ${issuer}/api\nAuthorization: Mine {{$auth.token("machine")}}`;
    const refused = await lab.send(text);
    assert.deepEqual([refused.status, refused.warnings], [401, []]);
    assert.equal(await count(), 1);
  },
  async "a referenced login gets its token on send, not on check, prepare or render"(context) {
    const { lib, issuer } = context;
    const machine = {
      "Grant Type": "Client Credentials",
      "Client ID": "machine",
      "Client Credentials": "basic",
    };
    const lab = withLogins(context, { machine });
    await lab.useEnv("dev");
    await lib.createClient().send(`GET ${issuer}/api/granted`);
    const text = `# @name mine\n@token = {{$auth.token('machine')}}\nGET ${issuer}/api\nAuthorization: Bearer {{token}}`;
    assert.deepEqual(lab.check(text), []);
    await lab.prepare(text);
    assert.throws(() => lab.render(text), /the token is requested when the request is sent/);
    const granted = async () => (await lib.createClient().send(`GET ${issuer}/api/granted`)).json;
    assert.deepEqual(await granted(), []);
    lab.define(text);
    assert.equal((await lab.sendAll(`# @ref mine\nGET ${issuer}/api/granted`)).length, 1);
    assert.equal(explore(lab.responses["mine"]?.json).client, "machine");
  },
  async "an unknown or unusable login is reported with its position"(context) {
    const { issuer } = context;
    const lab = withLogins(context, {
      machine: {
        "Grant Type": "Client Credentials",
        "Client ID": "machine",
        "Client Secret": "wrong-secret",
      },
      implicit: { "Grant Type": "Implicit", "Client ID": "x" },
      hollow: { "Grant Type": "Password" },
      open: { "Grant Type": "Client Credentials", "Client ID": "{{nobody}}" },
      poster: {
        "Grant Type": "Client Credentials",
        "Client ID": "poster",
        "Client Secret": "wrong",
      },
    });
    await lab.useEnv("dev");
    const told = (call: string): readonly string[] =>
      lab
        .check(`GET ${issuer}/api\nAuthorization: Bearer {{$auth${call}}}`)
        .map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
    for (const [call, wanted] of [
      ['.token("machin")', /^2:23 name .*has the login "machin" under Security\.Auth$/],
      ['.token("implicit")', /"Grant Type" is "Implicit"; Client Credentials, Authorization Code/],
      ['.token("hollow")', /it has no "Client ID"$/],
      ['.token("open")', /the login "open" of Security\.Auth cannot be rendered: .*nobody/],
      ['.secret("machine")', /"\.secret\("machine"\)" is not a property of a login$/],
    ] as const) {
      const [fault = "", ...others] = told(call);
      assert.match(fault, wanted);
      assert.equal(others.length, 0);
    }
    await assert.rejects(lab.send(`GET ${issuer}/api\nX: {{$auth.token("poster")}}`), {
      name: "CredentialError",
      message: /the server answered 401 "invalid_client"/,
    });
    assert.equal(lab.history.length, 0);
  },
  async "an abort ends a login of $auth.token"(context) {
    const desk = { "Grant Type": "Authorization Code", "Client ID": "desk", Scope: "openid" };
    const text = `GET ${context.issuer}/api\nX: {{$auth.token("desk")}}`;
    const waiting = withLogins(
      context,
      { desk },
      {
        login: () => void setTimeout(() => waiting.abort("enough"), 20),
      },
    );
    await waiting.useEnv("dev");
    await assert.rejects(waiting.send(text), { name: "AbortError", code: "aborted" });
    const controller = new AbortController();
    const other = withLogins(
      context,
      { desk },
      {
        login: () => void setTimeout(() => controller.abort(), 20),
      },
    );
    await other.useEnv("dev");
    await assert.rejects(other.send(text, { signal: controller.signal }), { code: "aborted" });
    assert.equal(other.pending.length, 0);
  },
});
