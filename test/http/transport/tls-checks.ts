import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ConnectionOptions } from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import { type Check, type Context, checks } from "../check.ts";

type Refused = readonly [server: keyof Context["refused"], code: string, reason: RegExp];

/** Each is its own sentence, the same on each runtime. */
const REFUSED: readonly Refused[] = [
  [
    "expired",
    "certificate",
    /^the certificate of the server has expired, it was valid until 2024-0[12]-/,
  ],
  ["early", "certificate", /^the certificate of the server is not valid yet, but from 2090-01-01$/],
  ["foreign", "certificate", /for another host, \*\.other\.test, not for localhost$/],
  ["unsigned", "certificate", /^the certificate of the server is self-signed, and not trusted$/],
  ["strict", "certificate", /^the server requires a client certificate$/],
  ["strict12", "tls", /^the server ended the TLS handshake \(handshake failure\)$/],
  ["old", "tls", /^the server does not speak TLS 1\.2 or 1\.3$/],
  ["plain", "tls", /^the server does not use TLS on this port$/],
];

type ClientCertificate = NonNullable<ConnectionOptions["clientCertificate"]>;
type Unusable = readonly [what: string, certificate: ClientCertificate, message: RegExp];

/** Client certificates that cannot be used. */
function unusable({ client, ca }: Context): readonly Unusable[] {
  const { cert, key } = client;
  const encrypted = createPrivateKey(key).export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "correct-horse",
  }) as string;
  const other = createPrivateKey(
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIKQtR6C5v8wdkXtIyM2nPPlKp0cZ0T4cgfQvKpXPlYMy\n-----END PRIVATE KEY-----\n",
  ).export({ type: "pkcs8", format: "pem" }) as string;
  const der = new Uint8Array(new X509Certificate(cert).raw);
  return [
    ["no passphrase", { cert, key: encrypted }, /its key is encrypted; set .*passphrase$/],
    ["a wrong passphrase", { cert, key: encrypted, passphrase: "x" }, /decrypted; check the pass/],
    ["another key", { cert, key: other }, /the key does not belong to the certificate$/],
    ["a spoilt key", { cert, key: key.replace(/\n./, "\n-") }, /its key cannot be read$/],
    ["a spoilt certificate", { cert: cert.replace(/\n.../, "\nAAA"), key }, /cannot be read$/],
    [
      "the key as certificate",
      { cert: key, key },
      /contains no certificate in PEM, but PRIVATE KEY$/,
    ],
    [
      "a certificate as key",
      { cert, key: cert },
      /contains no private key in PEM, but CERTIFICATE$/,
    ],
    [
      "DER",
      { cert: "./client.der", key },
      /"\.\/client\.der" is DER, not PEM; convert it: openssl x509 /,
    ],
    ["PKCS #12 as PEM", { cert: "./client.p12", key }, /is PKCS #12, not PEM; give it as .*\.pfx$/],
    ["PEM as PKCS #12", { pfx: new TextEncoder().encode(cert) }, /"pfx" is not PKCS #12/],
    ["DER as PKCS #12", { pfx: der }, /"pfx" is not PKCS #12/],
    ["an authority that is none", { cert, key: ca }, /contains no private key/],
  ];
}

/** What cannot begin says why, before the handshake where it can. */
export const tlsChecks: readonly Check[] = checks({
  async "each handshake that fails says why"(context) {
    const { lib, outside, ca, refused } = context;
    const lab = lib.createClient({ ...outside, connection: { ca } });
    for (const [server, code, reason] of REFUSED) {
      const error = await lab.send({ url: refused[server] }).catch((cause) => cause);
      assert.equal(error.code, code, `${server}: ${error.message}`);
      assert.match(error.reason, reason, server);
    }
    const nobody = lib.createClient(outside);
    await assert.rejects(nobody.send({ url: context.tls }), {
      reason:
        'the certificate of the server is not trusted, its issuer is "restlab test authority"',
    });
  },
  async "the sentence is the same by HTTP/2 and through a proxy"(context) {
    const { lib, outside, ca, refused, proxy } = context;
    for (const way of [{ http2: true }, { proxy }]) {
      const lab = lib.createClient({ ...outside, connection: { ca, ...way } });
      const error = await lab.send({ url: refused.expired }).catch((cause) => cause);
      assert.match(error.reason, /^the certificate of the server has expired, it was valid until/);
    }
  },
  async "a client certificate that cannot be used is an error before the handshake"(context) {
    const { lib, outside, ca, client, refused } = context;
    const der = new Uint8Array(new X509Certificate(client.cert).raw);
    const files: Readonly<Record<string, Uint8Array>> = {
      "./client.der": der,
      "./client.p12": new Uint8Array([0x30, 0x82, 1, 0, 2, 1, 3, 0x30]),
    };
    const readFile = async (path: string): Promise<Uint8Array> => files[path] ?? new Uint8Array();
    for (const [what, clientCertificate, message] of unusable(context)) {
      const connection = { ca, clientCertificate };
      const lab = lib.createClient({ ...outside, connection, readFile });
      const error = await lab.send({ url: refused.strict }).catch((cause) => cause);
      assert.match(
        error.name,
        /^(?:Connection|UnsendableRequest)Error$/,
        `${what}: ${error.message}`,
      );
      assert.match(error.message, message, what);
      assert.ok(!error.message.includes("correct-horse"), what);
    }
  },
  async "a certificate and its key may be in one file"(context) {
    const { lib, outside, ca, client, mutual } = context;
    const both = `${client.cert}\n${client.key}`;
    const connection = { ca, clientCertificate: { cert: both, key: both } };
    const { json } = await lib.createClient({ ...outside, connection }).send({ url: mutual });
    assert.equal(explore(json).name, "ada");
  },
});
