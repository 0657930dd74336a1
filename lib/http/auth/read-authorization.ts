import { nearNames, shorten } from "../../interpolation/mod.ts";
import {
  type AwsCredentials,
  CredentialError,
  type Credentials,
  type OAuth2Credentials,
  type OAuth2Grant,
} from "./authorizer.ts";

/** Returns the value of a variable. */
export type VariableLookup = (name: string) => unknown;

/** The value of a header as it is written, whose structure no value of a placeholder changes. */
export interface WrittenValue {
  /** The text, with one character for each placeholder. */
  readonly shape: string;
  /** The text between two offsets of the shape, with the values. */
  text(start: number, end: number): string;
}

type Read = (written: WrittenValue, lookup: VariableLookup) => Credentials | undefined;

const GRANTS: ReadonlyMap<string, OAuth2Grant> = new Map<string, OAuth2Grant>([
  ["client_credentials", "client_credentials"],
  ["authorization_code", "authorization_code"],
  ["code", "authorization_code"],
  ["device_code", "device_code"],
  ["password", "password"],
  ["refresh_token", "refresh_token"],
]);

/** Variable names of httpYac, and those of this project if they differ. */
const FIELDS: readonly (readonly [field: keyof OAuth2Credentials, ...names: string[]])[] = [
  ["issuer", "issuer", "discoveryUrl"],
  ["tokenEndpoint", "tokenEndpoint"],
  ["authorizationEndpoint", "authorizationEndpoint"],
  ["deviceAuthorizationEndpoint", "deviceCodeEndpoint", "deviceAuthorizationEndpoint"],
  ["clientId", "clientId"],
  ["clientSecret", "clientSecret"],
  ["clientAuthentication", "clientAuthentication"],
  ["scope", "scope"],
  ["audience", "audience"],
  ["resource", "resource"],
  ["username", "username"],
  ["password", "password"],
  ["refreshToken", "refreshToken"],
  ["redirectUri", "redirectUri"],
];

/** Schemes of `.http` files that do not form a valid header yet. */
const SCHEMES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["basic", (written) => readPair("basic", written)],
  ["digest", (written) => readPair("digest", written)],
  ["aws", readAws],
  ["oauth2", readOAuth2],
  ["openid", readOAuth2],
  ["ntlm", refuseConnectionScheme],
  ["negotiate", refuseConnectionScheme],
]);

const SCHEME = /^[ \t]*(basic|digest|aws|oauth2|openid|ntlm|negotiate)(?![^ \t])[ \t]*/i;

/**
 * Parses the value of an `Authorization` line of an `.http` file: `Basic user password`,
 * `Digest user password`, `AWS id secret region:…`, `OAuth2 client_credentials name`.
 *
 * @param value The text, or what is written of it.
 * @returns `undefined` if the value is a valid header already.
 * @throws {CredentialError} A grant is unknown, or a password, a key or variables are missing.
 */
export function readAuthorization(
  value: string | WrittenValue,
  lookup: VariableLookup,
): Credentials | undefined {
  const written = typeof value === "string" ? plain(value) : value;
  const [whole = "", scheme = ""] = SCHEME.exec(written.shape) ?? [];
  const from = whole.length;
  const rest: WrittenValue = {
    shape: written.shape.slice(from).trimEnd(),
    text: (start, end) => written.text(from + start, from + end),
  };
  return SCHEMES.get(scheme.toLowerCase())?.(rest, lookup);
}

function plain(shape: string): WrittenValue {
  return { shape, text: (start, end) => shape.slice(start, end) };
}

/**
 * A colon before the first blank, or else that blank, divides the two: no user name contains a colon (RFC 7617, 2).
 * Base64 contains neither, so what has none is a complete header.
 */
function readPair(
  type: "basic" | "digest",
  { shape, text }: WrittenValue,
): Credentials | undefined {
  // `Digest username="ada", …` is a complete header.
  if (type === "digest" && /^[\w*]+=/.test(shape)) return undefined;
  const { 0: divider = "", index: end = 0 } = /:|[ \t]+/.exec(shape) ?? {};
  if (divider === "") {
    const whole = text(0, shape.length);
    // A value that is all of it.
    if (whole !== shape) return readPair(type, plain(whole));
    if (type === "basic" || shape === "") return undefined;
    throw new CredentialError(
      "Cannot answer a digest challenge: the password is missing; write Digest username password",
    );
  }
  const username = text(0, end);
  if (type === "basic" && username.includes(":")) {
    // It is not quoted: what is behind the colon may belong to the password.
    throw new CredentialError(
      "The user name of basic credentials contains a colon; write none in it",
    );
  }
  return { type, username, password: text(end + divider.length, shape.length) };
}

/** NTLM and Negotiate authenticate a connection in several steps; one message of them is a complete header. */
function refuseConnectionScheme({ shape }: WrittenValue): undefined {
  // A placeholder alone may be such a message.
  if (/^(?:[\w+/-]{16,}=*|[^\p{L}\p{N} \t:])?$/u.test(shape)) return undefined;
  throw new CredentialError(
    "NTLM and Negotiate are not supported: send through a proxy that authenticates so, such as cntlm or px, " +
      "or use Basic or Digest if the server offers it",
  );
}

/** A word of what is written: blanks in a value do not divide it. */
interface Word {
  readonly shape: string;
  readonly text: string;
}

function wordsOf({ shape, text }: WrittenValue): readonly Word[] {
  return Array.from(shape.matchAll(/[^ \t]+/g), ({ 0: word, index }) => ({
    shape: word,
    text: text(index, index + word.length),
  }));
}

function readAws(written: WrittenValue): AwsCredentials | undefined {
  const [id, secret, ...rest] = wordsOf(written);
  // `AWS id:signature` is a complete header of signature version 2.
  if (id === undefined || id.shape.includes(":")) return undefined;
  if (secret === undefined) {
    throw new CredentialError(
      "Cannot sign the request: the secret key is missing; write AWS id secret region:… service:…",
    );
  }
  const named = (name: string): string | undefined => {
    const at = rest.findIndex(({ shape }) => shape.toLowerCase().startsWith(`${name}:`));
    const word = rest[at]?.text.slice(name.length + 1);
    return word === "" ? rest[at + 1]?.text : word;
  };
  const [sessionToken, region, service] = [named("token"), named("region"), named("service")];
  return {
    type: "aws",
    accessKeyId: id.text,
    secretAccessKey: secret.text,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(region === undefined ? {} : { region }),
    ...(service === undefined ? {} : { service }),
  };
}

function readOAuth2(written: WrittenValue, lookup: VariableLookup): OAuth2Credentials {
  const words = wordsOf(written).map(({ text }) => text);
  const [word = "client_credentials", name = "oauth2"] = words;
  const grant = GRANTS.get(word.toLowerCase());
  if (grant === undefined) {
    throw new CredentialError(
      `Cannot use the OAuth 2 grant "${word}": use one of ${[...GRANTS.keys()].join(", ")}`,
    );
  }
  const group = lookup(name);
  if (typeof group === "object" && group !== null) checkMembers(name, group);
  const find = (field: string): unknown => {
    const own = lookup(`${name}_${field}`);
    if (own !== undefined || typeof group !== "object" || group === null) return own;
    return Object.hasOwn(group, field) ? (group as Record<string, unknown>)[field] : undefined;
  };
  const fields = FIELDS.flatMap(([field, ...names]) => {
    const value = names.map(find).find((one) => one !== undefined && one !== null && one !== "");
    return value === undefined ? [] : [[field, String(value)]];
  });
  const given = find("parameters");
  const parameters = given === undefined || given === null ? undefined : readParameters(given);
  const credentials = {
    type: "oauth2",
    grant,
    ...Object.fromEntries(fields),
    ...(parameters && { parameters }),
  } as OAuth2Credentials;
  if (typeof credentials.clientId !== "string") {
    throw new CredentialError(
      `Cannot get a token for "${name}": there is no variable ${name}_clientId, and no ${name} with a clientId`,
    );
  }
  return credentials;
}

const MEMBERS: readonly string[] = [...FIELDS.flatMap(([, ...names]) => names), "parameters"];

/** Members of the variable are looked up by their names: a mistyped one would have no effect, without a word. */
function checkMembers(name: string, group: object): void {
  for (const key of Object.keys(group)) {
    const [near] = MEMBERS.includes(key) ? [] : nearNames(key, MEMBERS, 1, 2);
    if (near === undefined) continue;
    throw new CredentialError(
      `Cannot get a token for "${name}": it has a member "${shorten(key)}"; did you mean "${near}"?`,
    );
  }
}

/**
 * Reads further parameters of token requests: an object of texts and lists of texts, or its JSON.
 *
 * @throws {CredentialError} They are something else.
 */
export function readParameters(written: unknown): OAuth2Credentials["parameters"] {
  const value = typeof written === "string" ? parsed(written) : written;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CredentialError(
      'Cannot get a token: its parameters are not an object of names and values, such as {"tenant": "acme"}',
    );
  }
  const entries = Object.entries(value).map(([name, one]): [string, string | readonly string[]] => [
    name,
    Array.isArray(one) ? one.map(String) : String(one),
  ]);
  return Object.fromEntries(entries);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what is expected.
    return undefined;
  }
}

/** Fields that are not secret; all others are. */
const PUBLIC: ReadonlySet<string> = new Set(
  (
    "type grant issuer tokenEndpoint authorizationEndpoint deviceAuthorizationEndpoint clientId " +
    "clientAuthentication scope audience resource redirectUri parameters username name in accessKeyId region service"
  ).split(" "),
);

/** The secret strings of credentials. */
export function secretTexts(credentials: Credentials): readonly string[] {
  return Object.entries(credentials).flatMap(([name, value]) =>
    PUBLIC.has(name) || typeof value !== "string" || value === "" ? [] : [value],
  );
}
