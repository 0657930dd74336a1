import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConnect } from "../../kernel/platform/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { createCertificates } from "../http/servers/certificates.ts";
import { createProxy } from "../http/servers/proxy-server.ts";

const servers = [http.createServer((_request, response) => response.end("hi")), createProxy()];
const urls: string[] = [];

beforeAll(async () => {
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

test("the proxy of the environment is used without any options", async () => {
  const [target, HTTP_PROXY = ""] = urls;
  const connect = createConnect({ HTTP_PROXY });
  const { text, headers } = await createClient({ connect }).send(`GET ${target}/a`);
  expect([text, headers.get("via")]).toEqual(["hi", "1.1 test"]);
});

test("and none without one", async () => {
  const [target] = urls;
  const connect = createConnect({ NO_PROXY: "x" });
  const { text, headers } = await createClient({ connect }).send(`GET ${target}/a`);
  expect([text, headers.get("via")]).toEqual(["hi", null]);
});

test("a tunnel checks the certificates of an https proxy and of an IP address by their own names", async () => {
  const { ca, server } = await createCertificates();
  const target = https.createServer(server, (_request, response) => response.end("hi"));
  const proxy = createProxy(undefined, "", server);
  const sockets: Socket[] = [];
  const names: unknown[] = [];
  const ports: number[] = [];
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  for (const one of [target, proxy]) {
    one.on("connection", (socket: Socket) => void sockets.push(socket));
    one.on("secureConnection", ({ servername }: TLSSocket) => void names.push(servername));
    await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
    ports.push((one.address() as AddressInfo).port);
  }
  try {
    const connection = { proxy: `https://localhost:${ports[1]}`, ca: ca.cert };
    const lab = createClient({ connect: createConnect({}), connection });
    expect((await lab.send(`GET https://127.0.0.1:${ports[0]}/a`)).text).toBe("hi");
    // An IP address is no server name.
    expect(names).toEqual(["localhost", false]);
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
    const stranger = createClient({
      connect: createConnect({}),
      connection: { proxy: connection.proxy },
    });
    const refused = stranger.send(`GET https://127.0.0.1:${ports[0]}/a`);
    await expect(refused).rejects.toMatchObject({ name: "NoResponseError" });
  } finally {
    process.off("warning", onWarning);
    for (const socket of sockets) socket.destroy();
    target.close();
    proxy.close();
  }
});
