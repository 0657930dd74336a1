import assert from "node:assert/strict";
import type { LoginPrompt } from "../../../../../lib/mod.ts";
import { explore } from "../../../../support/explore.ts";
import { type Check, checks } from "../../../check.ts";
import { logIn, machine, trusted } from "./logins.ts";

/** OAuth 2 grants against node-oidc-provider. */
export const grantChecks: readonly Check[] = checks({
  async "sends in parallel share one token of the client credentials grant"({ lib, issuer }) {
    const lab = lib.createClient({ auth: machine(issuer) });
    const answers = await Promise.all([1, 2, 3].map(() => lab.send(`GET ${issuer}/api`)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(new Set(answers.map(({ json }) => explore(json).id)).size, 1);
    assert.equal(explore(answers[0]?.json).client, "machine");
    assert.equal(explore(answers[0]?.json).scope, "read");
    assert.equal(lab.extend({}).clearTokens(), 1);
    const again = await lab.send(`GET ${issuer}/api`);
    assert.notEqual(explore(again.json).id, explore(answers[0]?.json).id);
  },
  async "a login uses the connection of its own send, not that of the first one"(context) {
    const { lib, issuer, outside, proxy } = context;
    const dead = { proxy: "http://127.0.0.1:9" };
    const lab = lib.createClient({ ...outside, auth: machine(issuer), connection: dead });
    await assert.rejects(lab.send(`GET ${issuer}/api`), { name: "CredentialError" });
    const { status } = await lab.send(`GET ${issuer}/api`, { connection: { proxy } });
    assert.equal(status, 200);
    lab.clearTokens();
    const extended = lab.extend({ connection: { proxy } });
    assert.equal((await extended.send(`GET ${issuer}/api`)).status, 200);
  },
  async "an expired token and a rejected token are replaced"({ lib, issuer }) {
    let time = Date.now();
    const lab = lib.createClient({ auth: machine(issuer), now: () => new Date(time) });
    const first = explore((await lab.send(`GET ${issuer}/api`)).json).id;
    time += 580_000;
    assert.equal(explore((await lab.send(`GET ${issuer}/api`)).json).id, first);
    time += 15_000;
    const second = explore((await lab.send(`GET ${issuer}/api`)).json).id;
    assert.notEqual(second, first);
    time += 60_000;
    const refused = await lab.send(`GET ${issuer}/api/refuse`);
    assert.equal(refused.status, 200);
    assert.notEqual(explore(refused.json).id, second);
  },
  async "httpYac's Authorization: openid reads prefixed variables or one object"({ lib, issuer }) {
    const lab = lib.createClient();
    lab.setVar("shop_tokenEndpoint", `${issuer}/token`);
    lab.setVar("shop_clientId", "machine");
    lab.setVar("shop_clientSecret", "machine-secret-1");
    const prefixed = await lab.send(
      `GET ${issuer}/api\nAuthorization: openid client_credentials shop`,
    );
    assert.equal(explore(prefixed.json).client, "machine");
    lab.setVar("post", {
      issuer,
      clientId: "poster",
      clientSecret: "poster-secret-2",
      clientAuthentication: "post",
    });
    const object = await lab.send(
      `GET ${issuer}/api\nAuthorization: OAuth2 client_credentials post`,
    );
    assert.equal(explore(object.json).client, "poster");
    const send = (value: string) => lab.send(`GET ${issuer}/api\nAuthorization: ${value}`);
    await assert.rejects(send("OAuth2 magic post"), /Cannot use the OAuth 2 grant "magic"/);
    await assert.rejects(
      send("OAuth2 client_credentials none"),
      /there is no variable none_clientId/,
    );
  },
  async "tokens and client secrets are masked"({ lib, issuer }) {
    const lab = lib.createClient({ auth: machine(issuer) });
    const exchange = await lab.send(`GET ${issuer}/api`);
    const token = exchange.request.headers.find(([name]) => name === "Authorization")?.[1] ?? "";
    const raw = token.replace("Bearer ", "");
    assert.ok(raw.length > 20);
    assert.equal(lab.secrets.mask(`it is ${raw}`).includes(raw), false);
    assert.equal(lab.secrets.mask("machine-secret-1").includes("machine-secret-1"), false);
  },
  async "a refusal of the token endpoint is quoted"({ lib, issuer }) {
    const lab = lib.createClient();
    const send = (change: object) =>
      lab.send({ url: `${issuer}/api`, auth: { ...machine(issuer), ...change } });
    await assert.rejects(send({ clientSecret: "wrong" }), {
      name: "CredentialError",
      message: /^Cannot get a token from ".*\/token": the server answered 401 "invalid_client"/,
    });
    await assert.rejects(send({ issuer: undefined }), {
      name: "CredentialError",
      message: "Cannot get a token: tokenEndpoint is missing; set it, or issuer",
    });
    await assert.rejects(send({ issuer: "http://127.0.0.1:1/" }), {
      name: "CredentialError",
      message: /^Cannot read the metadata of "http:\/\/127.0.0.1:1\/"/,
    });
    assert.equal(lab.history.length, 0);
  },
  async "an https issuer may name an http endpoint only on loopback"({
    lib,
    issuer,
    outside,
    tls,
    ca,
  }) {
    const send = (path: string) => {
      const auth = machine(`${tls}${path}`);
      return lib.createClient({ ...outside, connection: { ca }, auth }).send(`GET ${issuer}/api`);
    };
    await assert.rejects(send("/insecure"), {
      name: "CredentialError",
      message: `Cannot use the token_endpoint "http://tokens.test/token": its issuer "${tls}/insecure" is https; the server must name an https endpoint`,
    });
    assert.equal(explore((await send("/loopback")).json).client, "machine");
  },
  async "an authorization code with PKCE is redirected to loopback, and its token refreshed"({
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
      timeout: 60_000,
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
    assert.equal(explore(first.json).user, "ada");
    assert.match((await pages[0]) ?? "", /You can close this page/);
    const asked = new URL(prompts[0]?.url ?? "");
    assert.equal(asked.searchParams.get("code_challenge_method"), "S256");
    assert.match(asked.searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/$/);
    time += 3_600_000;
    const later = await lab.send(`GET ${issuer}/api`);
    assert.equal(explore(later.json).user, "ada");
    assert.notEqual(explore(later.json).id, explore(first.json).id);
    assert.equal(prompts.length, 1, "the refresh asks nobody");
  },
  async "a login that is refused, aborted or impossible is an error"({ lib, issuer, outside }) {
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
  async "a device code is shown and polled for"({ lib, issuer, outside }) {
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
    const { json, status } = await lab.send(`GET ${issuer}/api`, { timeout: 60_000 });
    assert.equal(status, 200);
    assert.equal(explore(json).user, "ada");
    const [prompt] = prompts;
    assert.ok(prompt?.kind === "device" && /^[A-Z]{4}-[A-Z]{4}$/.test(prompt.code));
  },
  async "a login that a rejected token needs ends with its request"({ lib }) {
    let codes = 0;
    let sent = 0;
    const routes: Record<string, () => [answer: object, status?: number]> = {
      "/api": () => [{}, ++sent === 1 ? 200 : 401],
      "/device": () => {
        const device_code = `device-code-${++codes}`;
        const uri = "http://a.test/verify";
        return [
          { device_code, user_code: "AB", verification_uri: uri, expires_in: 600, interval: 1 },
        ];
      },
      // Only the first login succeeds; its refresh token is refused.
      "/token": () =>
        sent > 0
          ? [{ error: "authorization_pending" }, 400]
          : [{ access_token: "token-1234", token_type: "bearer", refresh_token: "refresh-1234" }],
    };
    const lab = lib.createClient({
      login: () => undefined,
      timeout: 1_500,
      async fetch(input) {
        const { pathname } = new URL(new Request(input).url);
        const [answer, status = 200] = routes[pathname]?.() ?? [{}, 404];
        return Response.json(answer, { status });
      },
      auth: {
        type: "oauth2",
        grant: "device_code",
        clientId: "television",
        tokenEndpoint: "http://a.test/token",
        deviceAuthorizationEndpoint: "http://a.test/device",
      },
    });
    assert.equal((await lab.send("GET http://a.test/api")).status, 200);
    await assert.rejects(lab.send("GET http://a.test/api"), { code: "timed-out" });
    assert.equal(codes, 2);
  },
  async "tokens that other tools accept are accepted, and a refusal is quoted whatever its form"({
    lib,
  }) {
    const token = "access-token-1234";
    const json = (data: unknown, status = 200): Response => Response.json(data, { status });
    const text = (body: string, status: number): Response => new Response(body, { status });
    const accepted = [
      json({ access_token: token, expires_in: 60, scope: "openid" }),
      json({ access_token: token, token_type: "bearer", expires_in: null, refresh_token: null }),
      json({ access_token: token, token_type: "Bearer", expires_in: "3600" }, 201),
      json({ access_token: token, token_type: "BEARER", scope: ["a", "b"], id_token: null }),
      json({ access_token: token, error: "" }),
    ];
    const refused: readonly (readonly [Response, RegExp])[] = [
      [
        json({ error: "bad_code", error_description: "It is over." }),
        /answered 200 "bad_code" \(It is over\.\)$/,
      ],
      [json({ error: { code: 401, message: "Unknown client 4711" } }, 401), /401: .*client 4711/],
      [
        json({ success: false, message: "no client 4711" }),
        /200 without access_token: .*no client 4711/,
      ],
      [text("invalid secret for 4711", 400), /400: invalid secret for 4711$/],
      [text("<html><head><title>x</title></head><h1>Bad\ngateway</h1>", 502), /502: Bad gateway$/],
      [text("", 503), /503: no reason$/],
      [text("[]", 200), /200 without access_token: \[\]$/],
    ];
    const sendWith = (answer: Response): ReturnType<ReturnType<typeof lib.createClient>["send"]> =>
      lib
        .createClient({
          fetch: async (input) => {
            const request = new Request(input);
            const { pathname } = new URL(request.url);
            return pathname === "/token"
              ? answer
              : text(request.headers.get("authorization") ?? "", 200);
          },
          auth: {
            type: "oauth2",
            grant: "client_credentials",
            clientId: "me",
            tokenEndpoint: "http://a.test/token",
          },
        })
        .send("GET http://a.test/api");
    for (const answer of accepted) {
      assert.equal((await sendWith(answer)).text.toLowerCase(), `bearer ${token}`);
    }
    for (const [answer, message] of refused) {
      await assert.rejects(sendWith(answer), { name: "CredentialError", message });
    }
  },
  async "the password grant gets a token, and its refusal is quoted"({ lib, issuer }) {
    const auth = trusted(issuer);
    const { json } = await lib.createClient({ auth }).send(`GET ${issuer}/api`);
    assert.deepEqual([explore(json).user, explore(json).client], ["ada", "trusted"]);
    const wrong = lib.createClient({ auth: { ...auth, password: "pa ss" } });
    await assert.rejects(wrong.send(`GET ${issuer}/api`), {
      name: "CredentialError",
      message: /the server answered 400 "invalid_grant" \(nobody of that name\)/,
    });
    assert.equal(wrong.secrets.mask("say pa ss").includes("pa ss"), false);
  },
  async "an expired token is refreshed once for all sends in parallel"({ lib, issuer }) {
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
      [...first, ...second].every(
        ({ status, json }) => status === 200 && explore(json).user === "ada",
      ),
    );
    assert.equal(new Set(first.map(({ json }) => explore(json).id)).size, 1);
    assert.equal(new Set(second.map(({ json }) => explore(json).id)).size, 1);
    assert.notEqual(explore(first[0]?.json).id, explore(second[0]?.json).id);
    assert.deepEqual(await granted(), ["password", "refresh_token"]);
  },
  async "a revoked token is replaced once for all sends that it failed"({ lib, issuer }) {
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
    assert.equal(explore(json).length, 1, String(json));
  },
});
