import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { proxyOf } from "../../kernel/platform/proxy.ts";
import { hasTools, TOOLS } from "../support/require.ts";

const BOTH = { HTTP_PROXY: "http://p:1", https_proxy: "s:2" };

test.each([
  ["http://a.test/", {}, {}, undefined],
  ["http://a.test/", {}, BOTH, "http://p:1"],
  ["https://a.test/", {}, BOTH, "http://s:2"],
  ["https://a.test/", {}, { ALL_PROXY: "http://all" }, "http://all"],
  ["http://a.test/", {}, { HTTP_PROXY: "" }, undefined],
  ["http://a.test/", { proxy: "http://own" }, BOTH, "http://own"],
  ["http://a.test/", { proxy: false as const }, BOTH, undefined],
  ["http://a.test/", {}, { ...BOTH, NO_PROXY: "b.test, a.test" }, undefined],
  ["http://x.a.test/", {}, { ...BOTH, NO_PROXY: ".a.test" }, undefined],
  ["http://x.a.test/", {}, { ...BOTH, NO_PROXY: "*.a.test" }, undefined],
  ["http://xa.test/", {}, { ...BOTH, NO_PROXY: "a.test" }, "http://p:1"],
  ["http://a.test:81/", {}, { ...BOTH, NO_PROXY: "a.test:80" }, "http://p:1"],
  ["http://a.test/", {}, { ...BOTH, NO_PROXY: "a.test:80" }, undefined],
  ["http://[::1]/", {}, { ...BOTH, NO_PROXY: "::1,x" }, undefined],
  ["http://a.test/", {}, { ...BOTH, NO_PROXY: "*" }, undefined],
  ["http://127.0.0.9/", {}, { ...BOTH, NO_PROXY: "127.*" }, undefined],
  ["http://12.7.0.9/", {}, { ...BOTH, NO_PROXY: "127.*, 12.7.0.*:81" }, "http://p:1"],
  ["http://api.dev.test/", {}, { ...BOTH, NO_PROXY: "api.*.test" }, undefined],
  ["http://a.test/", { noProxy: "" }, { ...BOTH, NO_PROXY: "*" }, "http://p:1"],
])("proxyOf %s with %j in %j is %s", (url, options, environment, proxy) => {
  expect(proxyOf(new URL(url), options, environment as Record<string, string>)).toBe(proxy);
});

/** A host, an entry, and whether the host is without the proxy. */
const NETWORKS: readonly (readonly [host: string, list: string, isDirect: boolean])[] = [
  ["10.1.2.3", "10.0.0.0/8", true],
  ["11.1.2.3", "10.0.0.0/8", false],
  ["10.1.2.3", "10.9.9.9/8", true],
  ["192.168.1.255", "192.168.0.0/23", true],
  ["192.168.2.0", "192.168.0.0/23", false],
  ["172.31.255.255", "172.16.0.0/12", true],
  ["172.32.0.0", "172.16.0.0/12", false],
  ["10.0.0.1", "10.0.0.1/32", true],
  ["10.0.0.2", "10.0.0.1/32", false],
  ["10.1.2.3", "a.test,10.1.0.0/16 b.test", true],
  ["10.1.2.3", "192.168.0.0/16, 10.0.0.0/8", true],
  ["10.1.2.3", "10.0.0.0/33", false],
  ["10.test", "10.0.0.0/8", false],
  ["10.0.0.0.test", "10.0.0.0/8", false],
  ["1.2.3.4", "::/0", false],
];

/** curl 7.88 takes a prefix of 0 for all bits, and knows no brackets, and no IPv4 address in IPv6. */
const OTHER_NETWORKS: typeof NETWORKS = [
  ["1.2.3.4", "0.0.0.0/0", true],
  ["[fd12::1]", "0.0.0.0/0", false],
  ["[fd12::1]", "fd00::/8", true],
  ["[FD12:0:0::1]", "FD00::/8", true],
  ["[fe00::1]", "fd00::/8", false],
  ["[fd00::1]", "[fd00::]/8", true],
  ["[::1]", "::1/128", true],
  ["[::2]", "::1/128", false],
  ["[2001:db8:1::1]", "2001:db8::/32", true],
  ["[2001:db9::1]", "2001:db8::/32", false],
  ["[::1]", "::/0", true],
  ["[fd00::1]", "fd00::/129", false],
  ["[::ffff:10.0.0.1]", "10.0.0.0/8", true],
  ["[::ffff:11.0.0.1]", "10.0.0.0/8", false],
  ["10.1.2.3", "10.0.0.0/", false],
  ["10.1.2.3", "/8", false],
  ["10.1.2.3", "10.0.0.0/8/8", false],
  ["10.1.2.3", "10.0.0/8", false],
  ["a.test", "a.test/8", false],
];

test.each([...NETWORKS, ...OTHER_NETWORKS])("%s with NO_PROXY=%s", (host, list, isDirect) => {
  const proxy = proxyOf(new URL(`http://${host}/`), {}, { HTTP_PROXY: "p:1", NO_PROXY: list });
  expect(proxy).toBe(isDirect ? undefined : "http://p:1");
});

test.skipIf(!hasTools("curl")).each(NETWORKS)("%s with NO_PROXY=%s in curl", async (...row) => {
  const [host, list, isDirect] = row;
  const server = createServer((_, response) => response.end("direct"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // The proxy refuses connections, and every host is that server.
  const proxy = ["--proxy", "http://127.0.0.1:1", "--noproxy", list];
  const args = ["-sS", ...proxy, "--connect-to", `::127.0.0.1:${port}`, `http://${host}/`];
  const output = await promisify(execFile)(TOOLS.curl, args).catch(() => ({ stdout: "" }));
  expect(output.stdout === "direct").toBe(isDirect);
  server.close();
});
