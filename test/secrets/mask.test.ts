import { describe, expect, test } from "vitest";
import { createSecretStore, type SecretStore } from "../../lib/secrets/mod.ts";
import { BASE64_AROUND, base64Cores, PACKED, SPELLINGS } from "./spellings.ts";

/** How a secret becomes known, and what stands in its place. */
const KINDS: Readonly<
  Record<string, readonly [learn: (store: SecretStore, text: string) => void, shown: string]>
> = {
  "a variable that was said to be secret": [
    (store, text) => store.setVariable("mine", text, true),
    "{{mine}}",
  ],
  "a variable by its name": [
    (store, text) => store.setVariable("githubToken", text, undefined),
    "{{githubToken}}",
  ],
  "a property by its name": [
    (store, text) => store.setVariable("auth", { list: [{ apiKey: text }] }, undefined),
    "{{auth.list[0].apiKey}}",
  ],
  "a leaf of a secret object": [
    (store, text) => store.setVariable("login", { "user name": text }, true),
    '{{login["user name"]}}',
  ],
  "a header": [
    (store, text) =>
      store.learn({ kind: "headers", headers: [["Authorization", `Bearer ${text}`]] }, "person"),
    "•••",
  ],
  "Basic credentials": [
    (store, text) =>
      store.learn(
        {
          kind: "headers",
          headers: [["Authorization", `Basic ${Buffer.from(`ada:${text}`).toString("base64")}`]],
        },
        "person",
      ),
    "•••",
  ],
  "a cookie": [
    (store, text) =>
      store.learn({ kind: "headers", headers: [["Cookie", `a=b; sid=${text}`]] }, "person"),
    "•••",
  ],
  "a cookie that was set": [
    (store, text) =>
      store.learn({ kind: "headers", headers: [["set-cookie", `sid=${text}; Path=/`]] }, "person"),
    "•••",
  ],
  "user information": [
    (store, text) =>
      store.learn({ kind: "url", url: `http://ada:${encodeURIComponent(text)}@h/` }, "person"),
    "•••",
  ],
  "a parameter": [
    (store, text) =>
      store.learn(
        { kind: "url", url: `http://h/?a=1&access_token=${encodeURIComponent(text)}` },
        "person",
      ),
    "•••",
  ],
  "a token in an answer": [
    (store, text) =>
      store.learn(
        { kind: "body", text: JSON.stringify({ id_token: text }), mediaType: "application/json" },
        "person",
      ),
    "•••",
  ],
  "a token in the answer to a named request": [
    (store, text) =>
      store.learn(
        {
          kind: "body",
          text: JSON.stringify({ a: { refresh_token: text } }),
          mediaType: "application/json",
          path: "login.response.body",
        },
        "person",
      ),
    "{{login.response.body.a.refresh_token}}",
  ],
  "a field of a form": [
    (store, text) =>
      store.learn(
        {
          kind: "body",
          text: `password=${encodeURIComponent(text)}`,
          mediaType: "application/x-www-form-urlencoded",
        },
        "person",
      ),
    "•••",
  ],
  "a property of a value": [
    (store, text) => store.learn({ kind: "value", value: [{ pwd: text }] }, "person"),
    "•••",
  ],
  "a literal in a cell": [
    (store, text) =>
      store.learn(
        { kind: "source", text: `client.setVar("k", ${JSON.stringify(text)}, { secret: true })` },
        "person",
      ),
    "{{k}}",
  ],
  "credentials in a cell": [
    (store, text) =>
      store.learn(
        {
          kind: "source",
          text: `send({ url: "{{base}}/a", auth: { type: "apiKey", name: "{{n}}", value: ${JSON.stringify(text)} } })`,
        },
        "person",
      ),
    "•••",
  ],
};

const TEXTS = ["hunter-2_Secret.x", "p+w/ä=\"'<&>\\ é %41z", "日本語のパスワード"];

describe.each(Object.entries(KINDS))("%s", (_, [learn, shown]) => {
  const storeOf = (text: string): SecretStore => {
    const store = createSecretStore();
    learn(store, text);
    return store;
  };

  // A cookie cannot hold every character, and a header no character beyond Latin-1.
  const texts = /header|cookie/.test(_) ? TEXTS.slice(0, 1) : TEXTS;

  test.each(texts.flatMap((text) => Object.keys(SPELLINGS).map((form) => [text, form] as const)))(
    "of %j masks %s, and nothing else",
    (text, form) => {
      const spelling = SPELLINGS[form]?.(text) ?? "";
      const masked = storeOf(text).mask(`before ${spelling} behind`);
      expect(masked).not.toContain(spelling);
      expect(masked).toBe(`before ${shown} behind`);
    },
  );

  test.each(
    texts.flatMap((text) => Object.keys(BASE64_AROUND).map((form) => [text, form] as const)),
  )("of %j masks %s", (text, form) => {
    const masked = storeOf(text).mask(BASE64_AROUND[form]?.(text) ?? "");
    expect(masked).toContain(shown);
    for (const core of base64Cores(text)) expect(masked).not.toContain(core);
  });
});

describe.each(TEXTS)("packed with something else, %j", (text) => {
  const store = createSecretStore();
  store.setVariable("mine", text, true);

  test.each(Object.entries(PACKED))("is masked in %s", (_, pack) => {
    const masked = store.mask(pack(text));
    expect(masked).toContain("{{mine}}");
    // What stands around it is left as it is, and still tells no more than that.
    const rest = unpacked(masked.replaceAll("{{mine}}", ""));
    for (const spelling of [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])
      for (const half of [spelling.slice(0, 9), spelling.slice(-9)])
        expect(rest).not.toContain(half);
  });

  test("leaves base64 of other texts alone", () => {
    for (const pack of Object.values(PACKED)) {
      const other = pack("nothing that anybody hides");
      expect(store.mask(other)).toBe(other);
    }
  });
});

/** A text, and what its base64 says, once and twice unpacked. */
function unpacked(text: string): string {
  const once = text
    .replace(/\\n|\s/g, "")
    .split(/[^\w+/-]+/)
    .map((run) => Buffer.from(run, "base64").toString());
  const twice = once.map((run) => Buffer.from(run, "base64").toString());
  return [text, ...once, ...twice].join("\n");
}

describe("mask", () => {
  test("a range that several secrets share is masked as one", () => {
    const store = createSecretStore();
    store.setVariable("one", "abc4ef", true);
    store.setVariable("two", "4efghi", true);
    store.setVariable("three", "c4ef", true);
    expect(store.mask("xabc4efghix abc4ef 4efghi")).toBe("x{{one}}x {{one}} {{two}}");
  });

  test("what is secret by its place in a URL is masked without being known", () => {
    const { mask } = createSecretStore();
    expect(mask("http://ada:pw@h/?token=1&page=2;x=3")).toBe("http://•••@h/?token=•••&page=2;x=3");
    expect(mask("GET {{base}}/?token={{token}}")).toBe("GET {{base}}/?token={{token}}");
    expect(mask("http://{{user}}:{{pass}}@h/")).toBe("http://{{user}}:{{pass}}@h/");
    expect(mask("mail ada@example.com, a=b, tokens?")).toBe("mail ada@example.com, a=b, tokens?");
  });

  test("a long key is masked as a whole and line by line", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${"AbCdEf09+/".repeat(6)}${n}xY`);
    const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
    const store = createSecretStore();
    store.setVariable("key", key, true);
    expect(store.mask(`<${key}>`)).not.toMatch(/AbCdEf/);
    for (const line of lines) expect(store.mask(`x ${line} y`)).toBe("x {{key}} y");
    expect(store.mask(JSON.stringify(key))).not.toMatch(/AbCdEf/);
    const [first = "", ...rest] = base64Cores(key);
    for (const core of [first, ...rest])
      expect(store.mask(core)).not.toContain(core.slice(300, 330));
  });

  test("what is said to be none is not learned afterwards from what was seen before", () => {
    const store = createSecretStore();
    store.setVariable("token", "key-of-the-lab", undefined);
    store.learn({ kind: "headers", headers: [["X-API-Key", "key-of-the-lab"]] }, "person");
    store.learn(
      { kind: "body", text: () => '{"token": "key-of-the-lab"}', mediaType: "application/json" },
      "server",
    );
    store.setVariable("token", "key-of-the-lab", false);
    expect(store.mask("key-of-the-lab")).toBe("key-of-the-lab");
  });

  test("a value that the variable has no more stays a secret, without a name", () => {
    const store = createSecretStore();
    store.setVariable("token", "first-value-1", undefined);
    store.setVariable("token", "second-value-2", undefined);
    expect(store.mask("first-value-1 second-value-2")).toBe("••• {{token}}");
    store.deleteVariable("token");
    expect(store.mask("first-value-1 second-value-2")).toBe("••• •••");
  });

  test("a variable that is said to be no secret is shown, whatever its name", () => {
    const store = createSecretStore();
    store.setVariable("token", "some-value", undefined);
    store.setVariable("token", "some-value", false);
    expect(store.mask("some-value")).toBe("some-value");
  });

  test("what is learned is bounded, what variables hold is not forgotten", () => {
    const store = createSecretStore();
    store.setVariable("token", "kept-for-good", undefined);
    for (let n = 0; n < 5_002; n++)
      store.learn({ kind: "value", value: { token: `learned-${n}-value` } }, "person");
    expect(store.mask("kept-for-good learned-0-value learned-5001-value")).toBe(
      "{{token}} learned-0-value •••",
    );
    expect(store.takeRemarks()).toEqual([expect.stringContaining("more than 5000 secrets")]);
    expect(store.takeRemarks()).toEqual([]);
  });
});

function error(action: () => unknown): unknown {
  try {
    return void action();
  } catch (thrown) {
    return thrown;
  }
}

describe("values that cannot be masked safely", () => {
  test.each([
    ["1", "it has 1 character"],
    ["abc", "it has 3 characters"],
    ["8080", "it is a number of 4 digits"],
    ["true", "it looks like a word"],
    ["Password", "it looks like a word"],
    ["status", "it looks like a word"],
    [" Successful ", "it looks like a word"],
    ["application/json", "it looks like a word"],
    ["keep-alive", "it looks like a word"],
    ["style", "it looks like a word of 5 letters"],
    ["table", "it looks like a word"],
    ["London", "it looks like a word of 6 letters"],
    ["ADMIN", "it looks like a word"],
    ["Authorization", "it looks like a word of 13 letters"],
    ["contentType", "it looks like a word"],
    ["überall", "it looks like a word"],
    ["слово", "it looks like a word"],
    ['", "', "it has 3 symbols"],
    ['":",', "it has 4 symbols"],
    ["</>=&;", "it has 6 symbols"],
    ["        ", "it is blank"],
    ["\n\t\n", "it is blank"],
    ["🔑🗝", "it has 2 characters"],
    ["🔑🔑🔑🔑🔑", "it repeats one or two characters"],
    ["👩‍🔑", "it has 3 characters"],
    ["••••••", "it repeats one or two characters"],
    ["-12.3", "it is a number of 3 digits"],
    ["1-2-3 4", "it is a number of 4 digits"],
    ["99999", "it is a number of 5 digits"],
    ["--------", "it repeats one or two characters"],
    ["x".repeat(40).concat("yz").repeat(2_000), "it has more than 16384 characters"],
  ])("%.10j is refused as a secret with the reason, and not repeated in it", (value, reason) => {
    const store = createSecretStore();
    const set = (): void => store.setVariable("mine", value, true);
    expect(set).toThrow(TypeError);
    expect(set).toThrow(reason);
    expect(set).toThrow(/^Cannot keep the variable "mine" secret: it (has|is|looks|repeats)/);
  });

  test.each([
    "100200",
    "🔑🗝🚪🪟",
    "a1!b",
    "p4ss",
    "Überall7",
    "hunter2",
    "correct horse battery staple",
    "open sesame",
    "kept-for-good",
    "abcdefghijklmnop",
    "XqTzBwPm",
    "pass!word",
    "!$%&/()=?",
    "status-7",
    "true!",
    "  a8cd  ",
    "日本語だ",
  ])("%j is long and rare enough", (value) => {
    const store = createSecretStore();
    store.setVariable("mine", value, true);
    expect(store.mask(`<${value}>`)).not.toContain(value.trim());
  });

  test.each([
    [99_999, "5 digits"],
    [true, "true or false"],
    [null, "common"],
    [[1, 2, 3], "1"],
    [{ a: "ab" }, "2 characters"],
  ])("the value %j is refused, or nothing is masked for it", (value, reason) => {
    const store = createSecretStore();
    const failure = error(() => store.setVariable("mine", value, true));
    if (failure !== undefined) expect(String(failure)).toContain(reason);
    expect(store.mask("1 2 3 99999 true null ab")).toBe("1 2 3 99999 true null ab");
  });

  test("what a recording has masked is taken, without a remark", () => {
    const store = createSecretStore();
    store.setVariable("mine", "•••", true);
    store.hide("•••");
    expect(store.mask("a ••• b")).toBe("a ••• b");
    expect(store.takeRemarks()).toEqual([]);
  });

  test("by its name it is taken, and a remark says that it will be shown", () => {
    const store = createSecretStore();
    store.setVariable("auth", { token: "abc", user: "a" }, undefined);
    expect(store.mask("abc")).toBe("abc");
    expect(store.takeRemarks()).toEqual([
      "The value of {{auth.token}} cannot be masked: it has 3 characters, and masking a text " +
        "that short would hide half of the output; at least 4 are needed",
    ]);
  });

  test.each(["table", "London", "text/html", "8080", '":",'])(
    "%j hides nothing where a server or a request calls it a secret",
    (value) => {
      const store = createSecretStore();
      store.learn(
        {
          kind: "body",
          text: () => JSON.stringify({ token: value }),
          mediaType: "application/json",
        },
        "server",
      );
      store.learn({ kind: "headers", headers: [["X-Auth-Token", value]] }, "person");
      store.learn({ kind: "url", url: `http://ada:${encodeURIComponent(value)}@h/` }, "person");
      store.learn(
        { kind: "source", text: `client.setVar("token", ${JSON.stringify(value)})` },
        "person",
      );
      expect(store.mask(`<a ${value}b`)).toBe(`<a ${value}b`);
    },
  );

  test("an empty text hides nothing and is taken", () => {
    expect(() => createSecretStore().setVariable("mine", "", true)).not.toThrow();
  });
});
