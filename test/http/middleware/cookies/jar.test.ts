import { describe, expect, test } from "vitest";
import { createCookieJar } from "../../../../lib/http/mod.ts";

/** What a request to a URL gets after the lines were received one by one. */
async function receiveAll(
  lines: readonly (readonly [url: string, line: string])[],
  url: string,
): Promise<{ sent: string; warnings: string }> {
  const jar = createCookieJar();
  const warnings: string[] = [];
  for (const [from, line] of lines) warnings.push(...(await jar.receive(new URL(from), [line])));
  return { sent: jar.header(new URL(url)) ?? "", warnings: warnings.join("\n") };
}

describe("name prefixes in any letter case", () => {
  const kept = [
    "__Secure-a=1; Secure",
    "__SECURE-a=1; Secure; Path=/deep",
    "__Host-a=1; Secure; Path=/",
    "__host-a=1; Secure; Path=/",
    "__Hosts-a=1",
    "x__Host-a=1",
  ];
  test.each(kept)("%s is stored", async (line) => {
    const { warnings, sent } = await receiveAll(
      [["https://a.test/deep/x", line]],
      "https://a.test/deep/x",
    );
    expect(warnings).toBe("");
    expect(sent).toBe(line.split(";")[0]);
  });

  const refused = [
    ["a=1", "requires Secure"],
    ["a=1; Secure", "requires Path=/", "Host"],
    ["a=1; Path=/", "requires Secure"],
    ["a=1; Secure; Path=/deep", "requires Path=/", "Host"],
    ["a=1; Secure; Path=/; Domain=a.test", "does not allow Domain", "Host"],
    ["a=1; Secure; Path=/; Domain=.A.test", "does not allow Domain", "Host"],
  ] as const;
  const spellings = (name: string): string[] => [
    `__${name}-`,
    `__${name.toLowerCase()}-`,
    `__${name.toUpperCase()}-`,
    `__${[...name].map((letter, index) => (index % 2 ? letter.toUpperCase() : letter.toLowerCase())).join("")}-`,
  ];
  const table = refused.flatMap(([rest, reason, only]) =>
    (only === undefined ? ["Secure", "Host"] : [only])
      .flatMap(spellings)
      .map((prefix) => [prefix + rest, prefix, reason] as const),
  );
  test.each(table)("%s is rejected", async (line, prefix, reason) => {
    const { warnings, sent } = await receiveAll(
      [["https://a.test/deep/x", line]],
      "https://a.test/deep/x",
    );
    expect(sent).toBe("");
    expect(warnings).toBe(
      `The cookie "${prefix}a" was rejected: a name that begins with "${prefix}" ${reason}`,
    );
  });
});

describe("a Secure cookie set over https", () => {
  const own = "sid=good; Secure; Path=/";
  const table: readonly (readonly [set: string, from: string, line: string, isKept: boolean])[] = [
    ["https://a.test/", "http://a.test/", "sid=evil; Path=/", false],
    ["https://a.test/", "http://a.test/", "sid=evil; Path=/deep", false],
    ["https://a.test/", "http://a.test/", "sid=; Max-Age=0; Path=/", false],
    ["https://a.test/", "http://a.test/", "sid=evil; Domain=a.test", false],
    ["https://a.test/", "http://b.a.test/", "sid=evil; Domain=a.test; Path=/", false],
    ["https://localhost/", "http://localhost:8080/", "sid=evil; Path=/", false],
    ["https://localhost/", "http://localhost:8080/", "sid=evil; Secure; Path=/", false],
    ["https://127.0.0.1/", "http://127.0.0.1:8080/", "sid=evil; Secure; Path=/", false],
    ["https://a.test/", "https://a.test/", "sid=next; Path=/", true],
    ["https://a.test/", "http://a.test/", "other=1; Path=/", true],
    ["https://a.test/", "http://b.test/", "sid=1; Path=/", true],
    // What http set on this machine, where Secure is taken from it, http may set again.
    ["http://localhost/", "http://localhost/", "sid=next; Path=/", true],
  ];
  test.each(table)("of %s meets from %s %s", async (set, from, line, isKept) => {
    const { warnings, sent } = await receiveAll(
      [
        [set, own],
        [from, line],
      ],
      set,
    );
    if (isKept) expect(warnings).toBe("");
    else {
      expect(warnings).toMatch(
        /"sid" was rejected: a Secure cookie of that name was set over https/,
      );
      expect(sent).toBe("sid=good");
    }
  });

  test("does not protect the paths above its own", async () => {
    const deep = "sid=good; Secure; Path=/login";
    const { warnings } = await receiveAll(
      [
        ["https://a.test/", deep],
        ["http://a.test/", "sid=1; Path=/"],
      ],
      "https://a.test/",
    );
    expect(warnings).toBe("");
  });

  test("does not protect anything after it has expired or was cleared", async () => {
    const jar = createCookieJar();
    await jar.set("https://a.test/", own);
    expect(jar.clear()).toBe(1);
    expect(await jar.receive(new URL("http://a.test/"), ["sid=1; Path=/"])).toEqual([]);
    const ended = [
      ["https://a.test/", own],
      ["https://a.test/", "sid=; Secure; Path=/; Max-Age=0"],
    ] as const;
    const { warnings } = await receiveAll(
      [...ended, ["http://a.test/", "sid=1; Path=/"]],
      "http://a.test/",
    );
    expect(warnings).toBe("");
  });

  test("is not replaced by cookies.set for http either", async () => {
    const jar = createCookieJar();
    await jar.set("https://a.test/", own);
    await expect(jar.set("http://a.test/", "sid=evil; Path=/")).rejects.toThrow(
      'Cannot set the cookie "sid" for "http://a.test/": a Secure cookie of that name was set over https',
    );
  });
});

describe("Domain", () => {
  const ALONE = "alone";
  const table: readonly (readonly [url: string, domain: string, outcome: string])[] = [
    ["http://localhost/", "localhost", ALONE],
    ["http://localhost/", "LocalHost", ALONE],
    ["http://localhost/", ".localhost", ALONE],
    ["http://app.localhost/", "localhost", "refused"],
    ["http://app.localhost/", "app.localhost", "below"],
    ["http://127.0.0.1/", "127.0.0.1", ALONE],
    ["http://127.0.0.1/", ".127.0.0.1", ALONE],
    ["http://127.0.0.1/", "0.0.1", "refused"],
    ["http://127.0.0.1/", "1", "refused"],
    ["http://127.0.0.1/", "127.0.0.2", "refused"],
    ["http://[::1]/", "::1", ALONE],
    ["http://[::1]/", "[::1]", ALONE],
    ["http://[::1]/", "[::2]", "refused"],
    ["http://intranet/", "intranet", ALONE],
    ["https://github.io/", "github.io", ALONE],
    ["https://me.github.io/", "github.io", "refused"],
    ["https://a.example.com/", "com", "refused"],
    ["https://a.example.com/", "example.com", "below"],
    ["https://a.example.com/", "b.example.com", "refused"],
    ["https://a.example.com/", "localhost", "refused"],
  ];
  test.each(table)("of %s as %s: %s", async (url, domain, outcome) => {
    const jar = createCookieJar();
    const warnings = await jar.receive(new URL(url), [`a=1; Path=/; Domain=${domain}`]);
    const [cookie] = jar.all();
    expect(cookie?.subdomains).toBe({ [ALONE]: false, below: true }[outcome]);
    expect(warnings.length).toBe(outcome === "refused" ? 1 : 0);
    expect(jar.header(new URL(url))).toBe(outcome === "refused" ? undefined : "a=1");
  });
});
