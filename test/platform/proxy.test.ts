import { expect, test } from "vitest";
import { proxyOf } from "../../kernel/platform/proxy.ts";

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
  ["http://a.test/", { noProxy: "" }, { ...BOTH, NO_PROXY: "*" }, "http://p:1"],
])("proxyOf %s with %j in %j is %s", (url, options, environment, proxy) => {
  expect(proxyOf(new URL(url), options, environment as Record<string, string>)).toBe(proxy);
});
