import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type Challenge,
  digestHeader,
  loadHash,
  parseChallenges,
} from "../../../../lib/http/auth/digest.ts";

async function respond(challenge: Challenge, more: object): Promise<string> {
  const create = await loadHash(
    (challenge.parameters.get("algorithm") ?? "md5").toLowerCase().replace("-sess", ""),
  );
  const header = digestHeader({
    challenge,
    username: "Mufasa",
    password: "Circle of Life",
    method: "GET",
    uri: "/dir/index.html",
    count: 1,
    cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
    hash(bytes) {
      const hash = create();
      hash.update(bytes);
      return hash.hex();
    },
    ...more,
  });
  return / response="([\da-f]+)"/.exec(header)?.[1] ?? "";
}

function only(header: string): Challenge {
  const [challenge] = parseChallenges(header);
  if (challenge === undefined) throw new Error("There is no challenge");
  return challenge;
}

describe("digest, by the examples of RFC 7616 and RFC 2617", () => {
  const nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
  const opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
  const challenge = (algorithm: string): Challenge =>
    only(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="${opaque}"`,
    );

  test("3.9.1, MD5", async () => {
    expect(await respond(challenge("MD5"), {})).toBe("8ca523f5e9506fed4657c9700eebdbec");
  });

  test("3.9.1, SHA-256", async () => {
    expect(await respond(challenge("SHA-256"), {})).toBe(
      "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
    );
  });

  test("RFC 2617, 3.5", async () => {
    const header =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
    const more = { password: "Circle Of Life", cnonce: "0a4f113b" };
    expect(await respond(only(header), more)).toBe("6629fae49393a05397450978507c4ef1");
  });
});

describe("parseChallenges", () => {
  test("parses several challenges of one header, with quotes, commas and tokens", () => {
    const header =
      'Negotiate, Basic realm="a, b", NTLM TlRMTVNTUAAC==, Digest realm="say \\"hi\\"", qop=auth, stale=TRUE , Bearer';
    expect(
      parseChallenges(header).map(({ scheme, parameters }) => [
        scheme,
        Object.fromEntries(parameters),
      ]),
    ).toEqual([
      ["negotiate", {}],
      ["basic", { realm: "a, b" }],
      ["ntlm", {}],
      ["digest", { realm: 'say "hi"', qop: "auth", stale: "TRUE" }],
      ["bearer", {}],
    ]);
  });

  test.each<[header: string, nonce: string]>([
    ["Digest realm=Printer,nonce=YWJjZA==,qop=auth", "YWJjZA=="],
    ["Digest realm=Printer, nonce=YWJjZA==, qop=auth", "YWJjZA=="],
    ["Digest nonce=a/b:c=d;e, realm=x", "a/b:c=d;e"],
    ["Negotiate YWJj==, Digest nonce=x=, realm=y", "x="],
  ])("the value without quotes of %j is whole", (header, nonce) => {
    const digests = parseChallenges(header).filter(({ scheme }) => scheme === "digest");
    expect(digests.map(({ parameters }) => parameters.get("nonce"))).toEqual([nonce]);
  });

  test.each(['Digest realm="a",, nonce="b"', ', ,Digest realm="a" , , nonce="b",'])(
    "the empty elements of %j are ignored",
    (header) => {
      expect(Object.fromEntries(only(header).parameters)).toEqual({ realm: "a", nonce: "b" });
    },
  );

  test.each(["", ",,,", '"', "Digest realm=", 'Digest realm="open'])("%j ends", (header) => {
    expect(Array.isArray(parseChallenges(header))).toBe(true);
  });

  test("hostile headers are parsed in linear time", () => {
    for (const header of [
      "a=".repeat(50_000),
      'a="'.repeat(50_000),
      " ,".repeat(50_000),
      `,${" ".repeat(50_000)}`,
    ]) {
      expect(Array.isArray(parseChallenges(header))).toBe(true);
    }
  });
});

test.each([
  ["md5", "md5"],
  ["sha-256", "sha256"],
  ["sha-512-256", "sha512-256"],
])("loadHash %s agrees with node:crypto", async (name, other) => {
  const hash = (await loadHash(name))();
  const bytes = new TextEncoder().encode("ü".repeat(1000));
  hash.update(bytes.subarray(0, 77));
  hash.update(bytes.subarray(77));
  expect(hash.hex()).toBe(createHash(other).update(bytes).digest("hex"));
});
