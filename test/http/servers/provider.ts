import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Provider } from "oidc-provider";

/** An OpenID Connect server on loopback, and an API beside it that wants its tokens. */
export interface TestProvider {
  readonly issuer: string;
  close(): Promise<void>;
}

/** Starts node-oidc-provider with a client for each grant. */
export async function startProvider(): Promise<TestProvider> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // It warns of settings that are for development, which this is.
  const warn = console.warn;
  console.warn = () => undefined;
  console.info = () => undefined;
  const { default: Provider } = await import("oidc-provider");
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "machine",
        client_secret: "machine-secret-1",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: "poster",
        client_secret: "poster-secret-2",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: "client_secret_post",
      },
      {
        client_id: "desk",
        application_type: "native",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        redirect_uris: ["http://127.0.0.1/"],
      },
      {
        client_id: "trusted",
        client_secret: "trusted-secret-3",
        grant_types: ["password", "refresh_token"],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: "television",
        application_type: "native",
        token_endpoint_auth_method: "none",
        grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
        response_types: [],
        redirect_uris: [],
      },
    ],
    scopes: ["openid", "offline_access", "read"],
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      devInteractions: { enabled: true },
      revocation: { enabled: true },
    },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    cookies: { keys: ["test"] },
    ttl: { ClientCredentials: 600, AccessToken: 600, RefreshToken: 6000 },
  });
  console.warn = warn;
  registerPasswordGrant(provider);
  /** The grants that tokens were handed out for. */
  const granted: string[] = [];
  provider.on("grant.success", ({ oidc }) => void granted.push(String(oidc.params.grant_type)));
  const handle = provider.callback();
  const refused = new Set<string>();

  async function api(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/api/granted") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(granted.splice(0)));
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const found =
      (await provider.ClientCredentials.find(token)) ?? (await provider.AccessToken.find(token));
    if (request.url === "/api/refuse" && found && refused.size === 0) refused.add(token);
    if (!found || refused.has(token)) {
      // So that another send has long got a new token when this one is refused.
      if (request.url === "/api/late") await new Promise((next) => setTimeout(next, 400));
      response.writeHead(401, { "www-authenticate": "Bearer" }).end("who are you?");
      return;
    }
    const { clientId, scope, accountId } = found as unknown as Record<string, unknown>;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ client: clientId, scope, user: accountId, id: found.jti }));
  }

  server.on("request", (request, response) => {
    if (request.url?.startsWith("/api")) void api(request, response);
    else void handle(request, response);
  });
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The grant of RFC 6749, 4.3, for ada alone; the provider leaves it to who wants it. */
function registerPasswordGrant(provider: Provider): void {
  provider.registerGrantType(
    "password",
    async (context) => {
      const { client, params } = context.oidc;
      if (params.username !== "ada" || params.password !== "pa ss&word") {
        context.status = 400;
        context.body = { error: "invalid_grant", error_description: "nobody of that name" };
        return;
      }
      const scope = "openid offline_access";
      const grant = new provider.Grant({ accountId: "ada", clientId: client.clientId });
      grant.addOIDCScope(scope);
      const grantId = await grant.save();
      const about = { accountId: "ada", client, grantId, gty: "password", scope };
      const access = new provider.AccessToken(about);
      const refresh = new provider.RefreshToken({ ...about, rotations: 0 });
      context.body = {
        access_token: await access.save(),
        refresh_token: await refresh.save(),
        expires_in: 600,
        token_type: "Bearer",
        scope,
      };
    },
    ["username", "password"],
  );
}
