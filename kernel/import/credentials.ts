import { isCredentialHeader } from "../../lib/secrets/mod.ts";
import type { CollectionBuilder, Row, Text, Variable } from "./collection.ts";

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
  const variable = (field: string, value: Text | undefined): Variable =>
    builder.secret(`${name}_${field}`, value);
  const authorization = (...value: Text): CredentialRows => ({
    headers: [{ name: "Authorization", value }],
    query: [],
  });
  switch (credential.type) {
    case "basic":
    case "digest": {
      const scheme = credential.type === "basic" ? "Basic " : "Digest ";
      const user = variable("username", credential.username);
      return authorization(scheme, user, " ", variable("password", credential.password));
    }
    case "bearer": {
      const { scheme = "Bearer", token } = credential;
      return authorization(...(scheme === "" ? [] : [`${scheme} `]), variable("token", token));
    }
    case "apiKey": {
      const value = variable("key", credential.value);
      const { name: key } = credential;
      if (credential.in === "query") {
        return {
          headers: [],
          query: [{ name: key, value: [`${encodeURIComponent(key)}=`, value] }],
        };
      }
      const isCookie = credential.in === "cookie";
      const row = isCookie
        ? { name: "Cookie", value: [`${key}=`, value] }
        : { name: key, value: [value] };
      return { headers: [row], query: [] };
    }
    case "aws": {
      const { sessionToken, region, service } = credential;
      const parts = (
        [
          ["token", sessionToken && [variable("sessionToken", sessionToken)]],
          ["region", region],
          ["service", service],
        ] as const
      ).flatMap(([key, value]) => (value === undefined ? [] : [` ${key}:`, ...value]));
      const id = variable("accessKeyId", credential.accessKey);
      return authorization(
        "AWS ",
        id,
        " ",
        variable("secretAccessKey", credential.secretKey),
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

const SCHEME = /^((?:Basic|Bearer|Digest|Token|ApiKey)[ \t]+)(?=\S)/i;

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
