import { generate } from "selfsigned";

/** A key with its certificate, as PEM texts. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** An authority, and what it signed. */
export interface Certificates {
  readonly ca: Identity;
  readonly server: Identity;
  readonly client: Identity;
}

/** Makes an authority, a server's certificate for this machine, and a client's one. */
export async function createCertificates(): Promise<Certificates> {
  const ca = await generate([{ name: "commonName", value: "restlab test authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      {
        name: "keyUsage",
        keyCertSign: true,
        cRLSign: true,
        digitalSignature: true,
        critical: true,
      },
    ],
  });
  const authority = { cert: ca.cert, key: ca.private };
  const signed = async (name: string, server: boolean): Promise<Identity> => {
    const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
      keyType: "ec",
      algorithm: "sha256",
      ca: authority,
      extensions: [
        { name: "basicConstraints", cA: false },
        { name: "keyUsage", digitalSignature: true, keyEncipherment: true },
        { name: "extKeyUsage", serverAuth: server, clientAuth: !server },
        {
          name: "subjectAltName",
          altNames: [
            { type: 2, value: "localhost" },
            { type: 7, ip: "127.0.0.1" },
          ],
        },
      ],
    });
    return { cert, key };
  };
  return {
    ca: authority,
    server: await signed("localhost", true),
    client: await signed("ada", false),
  };
}
