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
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly ClientCredentials: Finder;
    readonly AccessToken: Finder;
    callback(): RequestListener;
  }
}
