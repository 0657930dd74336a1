import { describe, expect, test } from "vitest";
import { readAuthorization } from "../../../../lib/http/auth/mod.ts";

const aws = { type: "aws", accessKeyId: "ID", secretAccessKey: "S" };

describe("readAuthorization", () => {
  test.each([
    ["Basic ada secret", { type: "basic", username: "ada", password: "secret" }],
    ["basic ada se cret", { type: "basic", username: "ada", password: "se cret" }],
    ["Basic ada  se  cret", { type: "basic", username: "ada", password: "se  cret" }],
    ["Basic ada:se:cret", { type: "basic", username: "ada", password: "se:cret" }],
    ["Basic ada:se cret", { type: "basic", username: "ada", password: "se cret" }],
    ["Basic ada se:cret", { type: "basic", username: "ada", password: "se:cret" }],
    ["Basic YWRhOnNlY3JldA==", undefined],
    ["Basic", undefined],
    ["Digest", undefined],
    ["AWS", undefined],
    ["Digest ada secret", { type: "digest", username: "ada", password: "secret" }],
    ['Digest username="ada", realm="x"', undefined],
    ["AWS ID S", aws],
    [
      "AWS ID S token:T region:eu service:s3",
      { ...aws, sessionToken: "T", region: "eu", service: "s3" },
    ],
    ["AWS ID S region: eu service: s3", { ...aws, region: "eu", service: "s3" }],
    ["AWS ID:signature", undefined],
    ["NTLM TlRMTVNTUAABAAAAB4IIogAAAAA=", undefined],
    ["Negotiate YIIJvwYGKwYBBQUCoIIJszCCCa==", undefined],
    ["Bearer token", undefined],
    ["Token token", undefined],
    ["", undefined],
  ])("%j", (value, wanted) => {
    expect(readAuthorization(value, () => undefined)).toEqual(wanted);
  });

  test.each([
    ["Digest ada", "the password is missing; write Digest username password"],
    ["NTLM ada secret", "NTLM and Negotiate are not supported"],
    ["ntlm LAB\\ada:secret", "cntlm or px"],
    ["Negotiate ada", "NTLM and Negotiate are not supported"],
    ["AWS ID", "the secret key is missing; write AWS id secret region:"],
  ])("%j is an error that does not quote it, since it may be the secret", (value, message) => {
    expect(() => readAuthorization(value, () => undefined)).toThrow(message);
    expect(() => readAuthorization(value, () => undefined)).not.toThrow(value.split(" ")[1]);
  });

  test.each([
    [{ tenant: "acme", resource: ["a", "b"], max: 3 }],
    ['{"tenant": "acme", "resource": ["a", "b"], "max": 3}'],
  ])("OAuth 2 reads further parameters from %j", (parameters) => {
    const variables: Record<string, unknown> = {
      shop: { clientId: "b", parameters },
      other_clientId: "c",
      other_parameters: parameters,
    };
    for (const name of ["shop", "other"]) {
      const read = readAuthorization(`oauth2 client_credentials ${name}`, (it) => variables[it]);
      expect(read).toMatchObject({
        parameters: { tenant: "acme", resource: ["a", "b"], max: "3" },
      });
    }
  });

  test.each([["tenant=acme"], [7], [["a"]]])("OAuth 2 refuses the parameters %j", (parameters) => {
    const lookup = (name: string): unknown =>
      name === "shop" ? { clientId: "b", parameters } : undefined;
    expect(() => readAuthorization("oauth2 password shop", lookup)).toThrow(
      "its parameters are not an object of names and values",
    );
  });

  test.each([
    ["tokenEndPoint", "tokenEndpoint"],
    ["clientSecert", "clientSecret"],
    ["parameter", "parameters"],
    ["Audience", "audience"],
  ])("OAuth 2 names the mistyped member %s", (mistyped, meant) => {
    const lookup = (name: string): unknown =>
      name === "shop" ? { clientId: "b", keepAlive: true, [mistyped]: "x" } : undefined;
    expect(() => readAuthorization("oauth2 password shop", lookup)).toThrow(
      `it has a member "${mistyped}"; did you mean "${meant}"?`,
    );
  });

  test("OAuth 2 reads its fields from several variables or from one object", () => {
    const variables: Record<string, unknown> = {
      oauth2_clientId: "a",
      oauth2_tokenEndpoint: "http://t",
      shop: { clientId: "b", issuer: "http://i", scope: "read" },
      shop_scope: "write",
    };
    const lookup = (name: string): unknown => variables[name];
    expect(readAuthorization("oauth2", lookup)).toEqual({
      type: "oauth2",
      grant: "client_credentials",
      clientId: "a",
      tokenEndpoint: "http://t",
    });
    expect(readAuthorization("OpenID code shop", lookup)).toEqual({
      type: "oauth2",
      grant: "authorization_code",
      clientId: "b",
      issuer: "http://i",
      scope: "write",
    });
  });
});
