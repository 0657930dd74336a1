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
  /** Certificates of servers that no client should accept, by what is wrong with them. */
  readonly wrong: Readonly<Record<WrongCertificate, Identity>>;
}

export type WrongCertificate = "expired" | "early" | "foreign" | "unsigned";

const THIS_MACHINE = [
  { type: 2, value: "localhost" },
  { type: 7, ip: "127.0.0.1" },
] as const;

interface Particulars {
  readonly isServer?: boolean;
  readonly names?: readonly object[];
  readonly from?: string;
  readonly to?: string;
}

/** Makes an authority, a server's certificate for this machine, a client's one, and wrong ones. */
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
  const sign = async (
    name: string,
    { isServer = true, names = THIS_MACHINE, from, to }: Particulars = {},
    ca: Identity | undefined = authority,
  ): Promise<Identity> => {
    const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
      keyType: "ec",
      algorithm: "sha256",
      ...(ca && { ca }),
      ...(from && { notBeforeDate: new Date(from) }),
      ...(to && { notAfterDate: new Date(to) }),
      extensions: [
        { name: "basicConstraints", cA: false },
        { name: "keyUsage", digitalSignature: true, keyEncipherment: true },
        { name: "extKeyUsage", serverAuth: isServer, clientAuth: !isServer },
        { name: "subjectAltName", altNames: names },
      ],
    } as Parameters<typeof generate>[1]);
    return { cert, key };
  };
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
  });
  return {
    ca: authority,
    server: await sign("localhost"),
    client: await sign("ada", { isServer: false }),
    wrong: {
      expired: await sign("localhost", { from: "2024-01-01", to: "2024-02-01" }),
      early: await sign("localhost", { from: "2090-01-01", to: "2091-01-01" }),
      foreign: await sign("other.test", { names: [{ type: 2, value: "*.other.test" }] }),
      unsigned: { cert, key },
    },
  };
}
