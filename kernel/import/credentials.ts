import { isCredentialHeader } from "../../lib/secrets/mod.ts";
import { type CollectionBuilder, plainText, type Row, type Text } from "./collection.ts";

/** Credentials as tools and descriptions name them. A text that is not given is one that a person fills in. */
export type Credential =
  | { readonly type: "basic" | "digest"; readonly username?: Text; readonly password?: Text }
  | { readonly type: "bearer"; readonly token?: Text; readonly scheme?: string }
  | {
      readonly type: "apiKey";
      readonly name: string;
      readonly value?: Text;
      readonly in: "header" | "query" | "cookie";
    }
  | {
      readonly type: "aws";
      readonly accessKey?: Text;
      readonly secretKey?: Text;
      readonly sessionToken?: Text;
      readonly region?: Text;
      readonly service?: Text;
    }
  | {
      readonly type: "oauth2";
      readonly grant: "client_credentials" | "authorization_code" | "password" | "device_code";
      /** By the name that request text has for each: `tokenEndpoint`, `clientId`. */
      readonly fields: Readonly<Record<string, Text | undefined>>;
    };

/** The rows that a credential adds to a request. */
export interface CredentialRows {
  readonly headers: readonly Row[];
  readonly query: readonly Row[];
}

/**
 * Writes a credential as rows of a request. Its secrets become variables.
 *
 * @param prefix Begins the names of its variables.
 */
export function credentialRows(
  credential: Credential,
  prefix: string,
  builder: CollectionBuilder,
): CredentialRows {
  const name = builder.nameOf(prefix);
  /** What is literal in a value becomes secret variables; its variables stay, as lines of the request may set them. */
  const hidden = (field: string, value: Text | undefined): Text =>
    value === undefined || value.length === 0
      ? [builder.secret(`${name}_${field}`, value)]
      : value.map((part) => builder.secret(`${name}_${field}`, [part]));
  const authorization = (...value: Text): CredentialRows => ({
    headers: [{ name: "Authorization", value }],
    query: [],
  });
  switch (credential.type) {
    case "basic":
    case "digest": {
      const scheme = credential.type === "basic" ? "Basic " : "Digest ";
      const user = hidden("username", credential.username);
      return authorization(scheme, ...user, " ", ...hidden("password", credential.password));
    }
    case "bearer": {
      const { scheme = "Bearer", token } = credential;
      return authorization(...(scheme === "" ? [] : [`${scheme} `]), ...hidden("token", token));
    }
    case "apiKey": {
      const value = hidden("key", credential.value);
      const { name: key } = credential;
      if (credential.in === "query") {
        return {
          headers: [],
          query: [{ name: key, value: [`${encodeURIComponent(key)}=`, ...value] }],
        };
      }
      const isCookie = credential.in === "cookie";
      const row = isCookie
        ? { name: "Cookie", value: [`${key}=`, ...value] }
        : { name: key, value };
      return { headers: [row], query: [] };
    }
    case "aws": {
      const { sessionToken, region, service } = credential;
      const parts = (
        [
          ["token", sessionToken && hidden("sessionToken", sessionToken)],
          ["region", region],
          ["service", service],
        ] as const
      ).flatMap(([key, value]) => (value === undefined ? [] : [` ${key}:`, ...value]));
      const id = hidden("accessKeyId", credential.accessKey);
      return authorization(
        "AWS ",
        ...id,
        " ",
        ...hidden("secretAccessKey", credential.secretKey),
        ...parts,
      );
    }
    case "oauth2": {
      const name = builder.loginName(prefix, credential);
      for (const [field, value] of Object.entries(credential.fields)) {
        const isSecret = /secret|password|token$|username|clientId/i.test(field);
        builder.set(`${name}_${field}`, value, isSecret);
      }
      return authorization(`OAuth2 ${credential.grant} ${name}`);
    }
  }
}

const SCHEME = /^((?:Basic|Bearer|Token|ApiKey)[ \t]+)(?=\S)/i;

/** Replaces the credentials that are written into headers by variables. */
export function hideSecrets(rows: readonly Row[], builder: CollectionBuilder): readonly Row[] {
  return rows.map((row) => {
    const [first, ...more] = row.value;
    if (typeof first !== "string" || more.length > 0 || first.trim() === "") return row;
    if (row.disabled || !isCredentialHeader(row.name, first)) return row;
    const scheme = SCHEME.exec(first)?.[0] ?? "";
    const value = builder.secret(row.name.toLowerCase(), [first.slice(scheme.length).trim()]);
    return { ...row, value: scheme === "" ? [value] : [scheme, value] };
  });
}

const GRANTS: Readonly<Record<string, Extract<Credential, { type: "oauth2" }>["grant"]>> = {
  client_credentials: "client_credentials",
  authorization_code: "authorization_code",
  authorization_code_with_pkce: "authorization_code",
  password_credentials: "password",
  password: "password",
  resource_owner_password_credentials: "password",
};

/** What other tools call the fields of {@link toCredential}. */
export const CREDENTIAL_FIELDS: ReadonlyMap<string, string> = new Map([
  ["accessKeyId", "accessKey"],
  ["secretAccessKey", "secretKey"],
  ["placement", "in"],
  ["addTo", "in"],
  ["flow", "grant_type"],
  ["grantType", "grant_type"],
  ["access_token_url", "accessTokenUrl"],
  ["authorization_url", "authUrl"],
  ["authorizationUrl", "authUrl"],
  ["client_id", "clientId"],
  ["client_secret", "clientSecret"],
]);

/**
 * The credential of a tool, by its type and fields in the words of Postman.
 *
 * @param field The text of a field, if it is given.
 * @returns `undefined` for a type that is not supported.
 */
export function toCredential(
  type: string,
  field: (key: string) => Text | undefined,
): Credential | undefined {
  switch (type) {
    case "basic":
    case "digest":
      return { type, username: field("username") ?? [], password: field("password") ?? [] };
    case "bearer":
      return { type, token: field("token"), scheme: plainText(field("prefix") ?? ["Bearer"]) };
    case "apikey": {
      const name = field("key") ?? ["X-API-Key"];
      const written = plainText(field("in") ?? []).replace(/^query.*/, "query");
      const place = written === "query" || written === "cookie" ? written : "header";
      return { type: "apiKey", name: plainText(name), value: field("value"), in: place };
    }
    case "awsv4": {
      const [accessKey, secretKey] = [field("accessKey"), field("secretKey")];
      const rest = {
        sessionToken: field("sessionToken"),
        region: field("region"),
        service: field("service"),
      };
      return { type: "aws", accessKey, secretKey, ...rest };
    }
    case "oauth2": {
      const grant = GRANTS[plainText(field("grant_type") ?? [])];
      const [token, place] = [field("accessToken"), plainText(field("addTokenTo") ?? [])];
      if (token !== undefined || grant === undefined) {
        const scheme = plainText(field("headerPrefix") ?? ["Bearer"]).trim();
        return place === "queryParams"
          ? { type: "apiKey", name: "access_token", value: token, in: "query" }
          : { type: "bearer", token, scheme };
      }
      const names = {
        tokenEndpoint: "accessTokenUrl",
        authorizationEndpoint: "authUrl",
        clientId: "clientId",
        clientSecret: "clientSecret",
        scope: "scope",
        username: "username",
        password: "password",
      };
      const needed = new Set(["tokenEndpoint", "clientId"]);
      const given = Object.entries(names)
        .map(([name, key]) => [name, field(key)] as const)
        .filter(([name, value]) => value !== undefined || needed.has(name));
      return { type, grant, fields: Object.fromEntries(given) };
    }
    default:
      return undefined;
  }
}
