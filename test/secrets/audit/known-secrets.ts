import type { Handed } from "./echo-server.ts";

/** Secrets that the server makes up. */
export const HANDED: Handed = {
  accessToken: "Oauth-Access.T0ken~a",
  refreshToken: "Oauth-Refresh.T0ken~b",
  loginToken: "Login/Answer+T0ken==",
  cookie: "Cookie-Set-By-Answer-c",
};

/** One secret of each kind, each like no other text of the audit. */
export const TOLD = {
  variable: 'Told+variable/"é" <v>&\\x',
  named: "Named-apiKey-value.01",
  nested: "Nested~password_value.02",
  listed: "Listed-secret=value.03",
  number: "8475610293",
  literalBearer: "Literal.Bearer-value.04",
  apiKeyHeader: "Header!ApiKey-value.05",
  cookie: "Cookie-sent-value.06",
  userInfo: "User%info-passw0rd.07",
  query: "Query-token-value.08",
  jsonField: "Json-field'passw0rd.09",
  formField: "Form field+passw0rd.10",
  part: "Part-of-form-passw0rd.11",
  basic: "Basic:auth/passw0rd.12",
  digest: "Digest-auth-passw0rd.13",
  clientSecret: "Oauth-client-secret.14",
  awsKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCY+15",
  awsSession: "AwsSessionToken/+value==16",
  passphrase: "Certificate passphrase.17",
  proxy: "Proxy-passw0rd-value.18",
  socket: "Socket-message-t0ken.19",
  placeholderLike: "has{{braces}}and-more.20",
} as const;

/** All that nothing may show. */
export const ALL: readonly string[] = [...Object.values(TOLD), ...Object.values(HANDED)];
