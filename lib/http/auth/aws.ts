import {
  type Authorization,
  type Authorizer,
  type AwsCredentials,
  bodyBytes,
  type CredentialContext,
  CredentialError,
  checkStrings,
  type OutgoingRequest,
} from "./authorizer.ts";

/** Signs each request with AWS Signature Version 4, by aws4fetch. */
export function createAws(credentials: AwsCredentials, { now }: CredentialContext): Authorizer {
  checkStrings(credentials, ["accessKeyId", "secretAccessKey"]);
  return { authorize: (request) => sign(request, credentials, now()) };
}

const ADDED = /^(?:authorization|x-amz-(?:date|security-token|content-sha256))$/;

async function sign(
  request: OutgoingRequest,
  credentials: AwsCredentials,
  now: number,
): Promise<Authorization> {
  const { AwsV4Signer } = await import("aws4fetch");
  const { accessKeyId, secretAccessKey, sessionToken, region, service } = credentials;
  const headers = new Headers(
    request.headers
      .filter(([name]) => !/^(?:authorization|x-amz-date)$/i.test(name))
      .map(([name, value]): [string, string] => [name, value]),
  );
  const isInMemory =
    request.body === undefined ||
    typeof request.body === "string" ||
    request.body instanceof Uint8Array;
  if (!isInMemory) headers.set("x-amz-content-sha256", await hashOf(request.body));
  const signer = new AwsV4Signer({
    method: request.method,
    url: request.url.href,
    headers,
    accessKeyId,
    secretAccessKey,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    ...(isInMemory && request.body !== undefined ? { body: request.body as BodyInit } : {}),
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(region === undefined ? {} : { region }),
    ...(service === undefined ? {} : { service }),
  });
  if (signer.service === "" || signer.region === "") {
    throw new CredentialError(
      `Cannot sign the request to "${request.url.host}": the host does not name a service; set service and region`,
    );
  }
  const signed = await signer.sign();
  return { headers: [...signed.headers].filter(([name]) => ADDED.test(name)).map(spell) };
}

async function hashOf(body: OutgoingRequest["body"]): Promise<string> {
  const { sha256 } = await import("@noble/hashes/sha2.js");
  const { bytesToHex } = await import("@noble/hashes/utils.js");
  const hash = sha256.create();
  for await (const chunk of bodyBytes(body)) hash.update(chunk);
  return bytesToHex(hash.digest());
}

/** In the letter case of the AWS documentation. */
function spell([name, value]: [string, string]): readonly [string, string] {
  return [name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()), value];
}
