import type { Authorizer, CredentialContext, Credentials } from "./authorizer.ts";

type Create<C> = (credentials: C, context: CredentialContext) => Authorizer;

const LOADERS: {
  readonly [T in Credentials["type"]]: () => Promise<Create<Extract<Credentials, { type: T }>>>;
} = {
  basic: async () => (await import("./simple.ts")).createBasic,
  bearer: async () => (await import("./simple.ts")).createBearer,
  apiKey: async () => (await import("./simple.ts")).createApiKey,
  digest: async () => (await import("./digest.ts")).createDigest,
  oauth2: async () => (await import("./oauth2.ts")).createOAuth2,
  aws: async () => (await import("./aws.ts")).createAws,
};

/**
 * Creates the authorizer of credentials, whose module is loaded when it is first needed.
 *
 * @throws {TypeError} The credentials are invalid.
 */
export async function createAuthorizer(
  credentials: Credentials,
  context: CredentialContext,
): Promise<Authorizer> {
  const load = Object.hasOwn(LOADERS, credentials.type) ? LOADERS[credentials.type] : undefined;
  if (load === undefined) {
    throw new TypeError(
      `Cannot use credentials of the type "${String(credentials.type)}": ` +
        `use one of ${Object.keys(LOADERS).join(", ")}`,
    );
  }
  const create = (await load()) as Create<Credentials>;
  return create(credentials, context);
}
