/** What the tests use of node-oidc-provider, which brings no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  interface Found {
    readonly jti: string;
    readonly clientId: string;
    readonly scope?: string;
    readonly accountId?: string;
  }
  interface Finder {
    find(token: string): Promise<Found | undefined>;
  }
  interface Client {
    readonly clientId: string;
  }
  interface Context {
    status: number;
    body: unknown;
    readonly oidc: { readonly client: Client; readonly params: Readonly<Record<string, unknown>> };
  }
  interface Saved {
    save(): Promise<string>;
    addOIDCScope(scope: string): void;
  }
  type Model = new (properties: object) => Saved;
  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly ClientCredentials: Finder;
    readonly AccessToken: Finder & Model;
    readonly RefreshToken: Model;
    readonly Grant: Model;
    on(event: "grant.success", listener: (context: Context) => void): this;
    registerGrantType(
      name: string,
      handler: (context: Context) => Promise<void>,
      parameters: readonly string[],
    ): void;
    callback(): RequestListener;
  }
  export default Provider;
}
