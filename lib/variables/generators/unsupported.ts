import type { Explanation } from "../../interpolation/mod.ts";

/** Explains that a generated value of another client is not supported, and says what to write instead. */
export function explainUnsupported(name: string): Explanation | undefined {
  if (Object.hasOwn(UNSUPPORTED, name)) return UNSUPPORTED[name];
  if (!/^\$[A-Z][A-Z\d_]*$/.test(name)) return undefined;
  return problem(
    `there is no generated value "${name}"`,
    `Write {{$env.${name.slice(1)}}} for a variable of the process`,
  );
}

/** Generated values of other clients that are not supported, and their replacements. */
const UNSUPPORTED: Readonly<Record<string, Explanation>> = {
  $aadToken: toLogIn("VS Code's REST Client logs in to Azure with it"),
  $aadV2Token: toLogIn("VS Code's REST Client logs in to Azure with it"),
  $oidcAccessToken: toLogIn("VS Code's REST Client logs in to an OpenID Connect server with it"),
  $response: problem(
    "only scripts of JetBrains' HTTP client read a response from it",
    "Name the request with # @name login, then use {{login.response.…}}",
  ),
  $projectRoot: onlyIn("JetBrains' editor", "Write paths relative to the folder of the file"),
  $historyFolder: onlyIn("JetBrains' editor", "Write >> path to save the body of a response"),
  $exampleServer: onlyIn("JetBrains' editor", "Write the URL of a server"),
  $placeholder: onlyIn("JetBrains' editor", "Replace it with a value"),
  $timestampMs: onlyIn(
    "resterm",
    "Write {{$timestamp}}000, or set a variable in a TypeScript cell",
  ),
  $timestampISO8601: onlyIn("resterm", "Write {{$isoTimestamp}}"),
  $randomString: onlyIn("resterm", "Write {{$random.alphanumeric(16)}}"),
  $randomChoice: onlyIn("resterm", 'Write {{$faker.helpers.arrayElement(["a", "b"])}}'),
  $randomName: onlyIn("resterm", "Write {{$randomFullName}}"),
  $fake: onlyIn("resterm", "Write {{$faker.person.fullName}}"),
};

function toLogIn(what: string): Explanation {
  return problem(
    `${what}, which is not supported`,
    "Write Authorization: OAuth2 authorization_code NAME, with the variables NAME_issuer and NAME_clientId",
  );
}

function onlyIn(client: string, hint: string): Explanation {
  return problem(`only ${client} supports it`, hint);
}

function problem(message: string, hint: string): Explanation {
  return { message, hint };
}
