import { describe, expect, test } from "vitest";
import { createAuthorizer, createTokenStore } from "../../../../lib/http/auth/mod.ts";

/** AWS's Signature Version 4 test suite, and the examples of the documentation of S3. */
const SUITE = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
  service: "service",
  date: "2015-08-30T12:36:00Z",
};
const S3 = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
  service: "s3",
  date: "2013-05-24T00:00:00Z",
};
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const HOST = "https://example.amazonaws.com";
const BUCKET = "https://examplebucket.s3.amazonaws.com";

type Case = readonly [
  name: string,
  keys: typeof SUITE,
  method: string,
  url: string,
  headers: readonly (readonly [string, string])[],
  signature: string,
];

const CASES: readonly Case[] = [
  [
    "get-vanilla",
    SUITE,
    "GET",
    `${HOST}/`,
    [],
    "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  ],
  [
    "get-vanilla-query-order-key-case",
    SUITE,
    "GET",
    `${HOST}/?Param2=value2&Param1=value1`,
    [],
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "get-unreserved",
    SUITE,
    "GET",
    `${HOST}/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`,
    [],
    "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
  ],
  [
    "post-vanilla",
    SUITE,
    "POST",
    `${HOST}/`,
    [],
    "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  ],
  [
    "S3, the lifecycle of a bucket",
    S3,
    "GET",
    `${BUCKET}/?lifecycle`,
    [["x-amz-content-sha256", EMPTY]],
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ],
  [
    "S3, a list of objects",
    S3,
    "GET",
    `${BUCKET}/?max-keys=2&prefix=J`,
    [["x-amz-content-sha256", EMPTY]],
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
];

async function sign(keys: typeof SUITE, method: string, url: string, more: object = {}) {
  const { date, ...rest } = keys;
  const authorizer = await createAuthorizer(
    { type: "aws", ...rest, ...more },
    {
      fetch,
      now: () => Date.parse(date),
      tokens: createTokenStore(),
      hide: () => undefined,
      timeout: 0,
    },
  );
  return (headers: readonly (readonly [string, string])[], body?: Uint8Array | Blob) =>
    authorizer.authorize({ method, url: new URL(url), headers, body: body as never });
}

describe("AWS signature 4", () => {
  test.each(CASES)("%s", async (_name, keys, method, url, headers, signature) => {
    const { headers: added } = await (await sign(keys, method, url))(headers);
    const authorization = added.find(([name]) => name === "Authorization")?.[1];
    expect(authorization?.split("Signature=")[1]).toBe(signature);
  });

  test("region and service are derived from the host if it names them", async () => {
    const { region: _region, service: _service, ...keys } = SUITE;
    const url = "https://sqs.eu-west-1.amazonaws.com/";
    const { headers } = await (await sign(keys as typeof SUITE, "GET", url))([]);
    expect(headers.find(([name]) => name === "Authorization")?.[1]).toContain(
      "/20150830/eu-west-1/sqs/aws4_request",
    );
  });

  test("a streamed body has the same signature as its bytes", async () => {
    const bytes = new TextEncoder().encode("a=1");
    const hashes = await Promise.all(
      [bytes, new Blob([bytes])].map(async (body) => {
        const { headers } = await (await sign(SUITE, "POST", `${HOST}/`))([], body);
        return headers.find(([name]) => name === "X-Amz-Content-Sha256")?.[1];
      }),
    );
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    expect(hashes[1]).toBe(Buffer.from(digest).toString("hex"));
  });
});
