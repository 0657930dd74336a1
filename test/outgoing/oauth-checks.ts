import assert from "node:assert/strict";
import type { Client, ClientOptions, Exchange, LoginPrompt } from "../../lib/mod.ts";
import { type Check, type Context, checks } from "./check.ts";

const machine = (issuer: string) =>
  ({
    type: "oauth2",
    grant: "client_credentials",
    issuer,
    clientId: "machine",
    clientSecret: "machine-secret-1",
    scope: "read",
  }) as const;

/** Plays the person: follows the pages of the provider, and sends their forms. */
async function logIn(browser: Client, url: string): Promise<string> {
  let page = await browser.send({ url }, { redirect: "manual" });
  for (let step = 0; step < 20; step++) {
    const location = page.headers.get("location");
    if (location !== null) {
      const next = new URL(location, page.url).href;
      page = await browser.send({ url: next }, { redirect: "manual" });
      if (!page.headers.has("location") && page.text.includes("restlab")) return page.text;
      continue;
    }
    const [form] = /<form[\s\S]*?<\/form>/.exec(page.text) ?? [];
    if (form === undefined) return page.text;
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
    const hidden = [...form.matchAll(/<input[^>]*>/g)].flatMap(([input]) => {
      const name = /name="([^"]+)"/.exec(input)?.[1];
      const value = /value="([^"]*)"/.exec(input)?.[1] ?? "";
      return name === undefined ? [] : [[name, value] as const];
    });
    const fields = new Map([...hidden, ["login", "ada"], ["password", "x"]] as const);
    const target = new URL(action.replaceAll("&amp;", "&"), page.url).href;
    page = await browser.send({ url: target, form: [...fields] }, { redirect: "manual" });
  }
  throw new Error("The login does not end");
}

const trusted = (issuer: string) =>
  ({
    type: "oauth2",
    grant: "password",
    issuer,
    clientId: "trusted",
    clientSecret: "trusted-secret-3",
    username: "ada",
    password: "pa ss&word",
    scope: "openid offline_access",
  }) as const;

/** A client with environment files as JetBrains' client has them. */
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

/** OAuth 2 against node-oidc-provider. */
export const oauthChecks: readonly Check[] = checks({
  async "client credentials get a token that is kept, and shared by sends at once"({
    lib,
    issuer,
  }) {
    const lab = lib.createClient({ auth: machine(issuer) });
    const answers = await Promise.all([1, 2, 3].map(() => lab.send(`GET ${issuer}/api`)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
    assert.equal(answers[0]?.json.client, "machine");
    assert.equal(answers[0]?.json.scope, "read");
    assert.equal(lab.extend({}).clearTokens(), 1);
    const again = await lab.send(`GET ${issuer}/api`);
    assert.notEqual(again.json.id, answers[0]?.json.id);
  },
  async "a token that ends is got anew, and so is one that the server gave up"({ lib, issuer }) {
    let time = Date.now();
    const lab = lib.createClient({ auth: machine(issuer), now: () => new Date(time) });
    const first = (await lab.send(`GET ${issuer}/api`)).json.id;
    time += 580_000;
    assert.equal((await lab.send(`GET ${issuer}/api`)).json.id, first);
    time += 15_000;
    const second = (await lab.send(`GET ${issuer}/api`)).json.id;
    assert.notEqual(second, first);
    time += 60_000;
    const refused = await lab.send(`GET ${issuer}/api/refuse`);
    assert.equal(refused.status, 200);
    assert.notEqual(refused.json.id, second);
  },
  async "OAuth 2 is written as httpYac has it, with variables or one object"({ lib, issuer }) {
    const lab = lib.createClient();
    lab.setVar("shop_tokenEndpoint", `${issuer}/token`);
    lab.setVar("shop_clientId", "machine");
    lab.setVar("shop_clientSecret", "machine-secret-1");
    const prefixed = await lab.send(
      `GET ${issuer}/api\nAuthorization: openid client_credentials shop`,
    );
    assert.equal(prefixed.json.client, "machine");
    lab.setVar("post", {
      issuer,
      clientId: "poster",
      clientSecret: "poster-secret-2",
      clientAuthentication: "post",
    });
    const object = await lab.send(
      `GET ${issuer}/api\nAuthorization: OAuth2 client_credentials post`,
    );
    assert.equal(object.json.client, "poster");
    const send = (value: string) => lab.send(`GET ${issuer}/api\nAuthorization: ${value}`);
    await assert.rejects(send("OAuth2 magic post"), /Cannot use the OAuth 2 grant "magic"/);
    await assert.rejects(
      send("OAuth2 client_credentials none"),
      /there is no variable none_clientId/,
    );
  },
  async "tokens and client secrets are secrets by birth"({ lib, issuer }) {
    const lab = lib.createClient({ auth: machine(issuer) });
    const exchange = await lab.send(`GET ${issuer}/api`);
    const token = exchange.request.headers.find(([name]) => name === "Authorization")?.[1] ?? "";
    const raw = token.replace("Bearer ", "");
    assert.ok(raw.length > 20);
    assert.equal(lab.secrets.mask(`it is ${raw}`).includes(raw), false);
    assert.equal(lab.secrets.mask("machine-secret-1").includes("machine-secret-1"), false);
  },
  async "what the token server refuses is said in its words"({ lib, issuer }) {
    const lab = lib.createClient();
    const send = (change: object) =>
      lab.send({ url: `${issuer}/api`, auth: { ...machine(issuer), ...change } });
    await assert.rejects(send({ clientSecret: "wrong" }), {
      name: "CredentialError",
      message: /^Cannot get a token from ".*\/token": the server answered 401 "invalid_client"/,
    });
    await assert.rejects(send({ issuer: undefined }), {
      name: "CredentialError",
      message: "Cannot get a token: tokenEndpoint is missing; give it, or issuer",
    });
    await assert.rejects(send({ issuer: "http://127.0.0.1:1/" }), {
      name: "CredentialError",
      message: /^Cannot read the metadata of "http:\/\/127.0.0.1:1\/"/,
    });
    assert.equal(lab.history.length, 0);
  },
  async "authorization code with PKCE logs in over a loopback redirect, and is refreshed"({
    lib,
    issuer,
    outside,
  }) {
    let time = Date.now();
    const prompts: LoginPrompt[] = [];
    const pages: Promise<string>[] = [];
    const lab = lib.createClient({
      ...outside,
      now: () => new Date(time),
      timeout: 10_000,
      login(prompt) {
        prompts.push(prompt);
        pages.push(logIn(lib.createClient(), prompt.url));
      },
      auth: {
        type: "oauth2",
        grant: "authorization_code",
        issuer,
        clientId: "desk",
        scope: "openid offline_access",
        parameters: { prompt: "consent" },
      },
    });
    const first = await lab.send(`GET ${issuer}/api`);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.json.user, "ada");
    assert.match((await pages[0]) ?? "", /You can close this page/);
    const asked = new URL(prompts[0]?.url ?? "");
    assert.equal(asked.searchParams.get("code_challenge_method"), "S256");
    assert.match(asked.searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/$/);
    time += 3_600_000;
    const later = await lab.send(`GET ${issuer}/api`);
    assert.equal(later.json.user, "ada");
    assert.notEqual(later.json.id, first.json.id);
    assert.equal(prompts.length, 1, "the refresh asks nobody");
  },
  async "a login that is refused, aborted or impossible says so"({ lib, issuer, outside }) {
    const auth = {
      type: "oauth2",
      grant: "authorization_code",
      issuer,
      clientId: "desk",
      scope: "openid",
    } as const;
    await assert.rejects(lib.createClient({ auth }).send(`GET ${issuer}/api`), {
      name: "CredentialError",
      message: /cannot open one and listen/,
    });
    const refusing = lib.createClient({
      ...outside,
      auth,
      async login({ url }) {
        const asked = new URL(url);
        const back = new URL(asked.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("error", "of_another_try");
        back.searchParams.set("state", "another");
        assert.equal((await fetch(back)).status, 400);
        back.searchParams.set("error", "access_denied");
        back.searchParams.set("state", asked.searchParams.get("state") ?? "");
        back.searchParams.set("iss", issuer);
        await fetch(back);
      },
    });
    await assert.rejects(refusing.send(`GET ${issuer}/api`), {
      name: "CredentialError",
      message: /^Cannot log in at ".*": .*access_denied/,
    });
    let isAsked = false;
    const unserved = lib.createClient({
      ...outside,
      auth: { ...auth, redirectUri: "https://127.0.0.1:8443/back" },
      login: () => {
        isAsked = true;
      },
    });
    await assert.rejects(unserved.send(`GET ${issuer}/api`), {
      message: /only http is supported there; register http:\/\/127\.0\.0\.1:8443\/back instead/,
    });
    assert.equal(isAsked, false);
    const waiting = lib.createClient({
      ...outside,
      auth,
      login: () => void setTimeout(() => waiting.abort("enough"), 20),
    });
    await assert.rejects(waiting.send(`GET ${issuer}/api`), { code: "aborted" });
  },
  async "a device code is shown, and waited for"({ lib, issuer, outside }) {
    const prompts: LoginPrompt[] = [];
    const lab = lib.createClient({
      ...outside,
      async login(prompt) {
        prompts.push(prompt);
        if (prompt.kind === "device") await logIn(lib.createClient(), prompt.completeUrl ?? "");
      },
      auth: {
        type: "oauth2",
        grant: "device_code",
        issuer,
        clientId: "television",
        scope: "openid",
      },
    });
    const { json, status } = await lab.send(`GET ${issuer}/api`, { timeout: 20_000 });
    assert.equal(status, 200);
    assert.equal(json.user, "ada");
    const [prompt] = prompts;
    assert.ok(prompt?.kind === "device" && /^[A-Z]{4}-[A-Z]{4}$/.test(prompt.code));
  },
  async "the password grant gets a token, and refusals are told in the server's words"({
    lib,
    issuer,
  }) {
    const auth = trusted(issuer);
    const { json } = await lib.createClient({ auth }).send(`GET ${issuer}/api`);
    assert.deepEqual([json.user, json.client], ["ada", "trusted"]);
    const wrong = lib.createClient({ auth: { ...auth, password: "pa ss" } });
    await assert.rejects(wrong.send(`GET ${issuer}/api`), {
      name: "CredentialError",
      message: /the server answered 400 "invalid_grant" \(nobody of that name\)/,
    });
    assert.equal(wrong.secrets.mask("say pa ss").includes("pa ss"), false);
  },
  async "logins of JetBrains' environment file: each grant by $auth.token, and the ID token"(
    context,
  ) {
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
      assert.deepEqual([json.client, json.user], [name, user]);
      const token = request.headers.find(([key]) => key === "Authorization")?.[1].slice(7) ?? "";
      assert.equal(lab.secrets.mask(`it is ${token}`).includes(token), false, name);
      assert.equal((await lab.send(text(name))).json.id, json.id, "the token is kept");
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
  async "a token that the server has revoked is got anew, and the request sent again, once"(
    context,
  ) {
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
        /^The token of a login was refused with 401; .* sent again with a new one$/,
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
      assert.match(second.warnings.join(), remark);
      assert.notEqual(tokenOf(second), tokenOf(first));
      assert.equal(second.request.body, "hello");
      assert.equal(lab.history.length, before + 1);
      assert.equal((await lab.send(request)).json.id, second.json.id, "the new one is kept");
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
  async "a refusal stands that no new token helps against, and is not asked about again"(context) {
    const { lib, issuer } = context;
    const login = { "Grant Type": "Client Credentials", "Client ID": "machine" };
    const lab = withLogins(context, { machine: { ...login, "Client Credentials": "basic" } });
    await lab.useEnv("dev");
    const count = async () =>
      (await lib.createClient().send(`GET ${issuer}/api/granted`)).json.length;
    await count();
    // No server takes the token in a scheme of one's own: it was never good, and is not to blame.
    const text = `GET ${issuer}/api\nAuthorization: Mine {{$auth.token("machine")}}`;
    const refused = await lab.send(text);
    assert.deepEqual([refused.status, refused.warnings], [401, []]);
    assert.equal(await count(), 1);
  },
  async "a login that another request refers to is prepared; nothing is got by a check or a preview"(
    context,
  ) {
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
    assert.equal(lab.responses["mine"]?.json.client, "machine");
  },
  async "a login that is not there, or cannot be carried out, is told where it stands"(context) {
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
  async "an abort ends a login by $auth.token"(context) {
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
    await assert.rejects(waiting.send(text), { name: "NoResponseError", code: "aborted" });
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
  async "a token that ends is refreshed once, however many sends meet"({ lib, issuer }) {
    let time = Date.now();
    const lab = lib.createClient({ auth: trusted(issuer), now: () => new Date(time) });
    const granted = async (): Promise<unknown> =>
      (await lib.createClient().send(`GET ${issuer}/api/granted`)).json;
    await granted();
    const four = () => Promise.all([1, 2, 3, 4].map(() => lab.send(`GET ${issuer}/api`)));
    const first = await four();
    time += 3_600_000;
    const second = await four();
    assert.ok(
      [...first, ...second].every(({ status, json }) => status === 200 && json.user === "ada"),
    );
    assert.equal(new Set(first.map(({ json }) => json.id)).size, 1);
    assert.equal(new Set(second.map(({ json }) => json.id)).size, 1);
    assert.notEqual(first[0]?.json.id, second[0]?.json.id);
    assert.deepEqual(await granted(), ["password", "refresh_token"]);
  },
  async "a token that was revoked is replaced once, for all sends that it failed"({ lib, issuer }) {
    let time = Date.now();
    const auth = trusted(issuer);
    const lab = lib.createClient({ auth, now: () => new Date(time) });
    const first = await lab.send(`GET ${issuer}/api`);
    const header = first.request.headers.find(([name]) => name === "Authorization")?.[1] ?? "";
    const { clientId: username, clientSecret: password } = auth;
    const revocation = await lib.createClient().send({
      url: `${issuer}/token/revocation`,
      form: { token: header.replace("Bearer ", "") },
      auth: { type: "basic", username, password },
    });
    assert.equal(revocation.status, 200, revocation.text);
    await lib.createClient().send(`GET ${issuer}/api/granted`);
    time += 60_000;
    const paths = ["/api/late", "/api", "/api", "/api/late"];
    const answers = await Promise.all(paths.map((path) => lab.send(`GET ${issuer}${path}`)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { json } = await lib.createClient().send(`GET ${issuer}/api/granted`);
    assert.equal(json.length, 1, String(json));
  },
});
