import assert from "node:assert/strict";
import { explore } from "../support/explore.ts";
import { type Check, checks } from "./check.ts";

function hex(content: string | readonly number[]): string {
  return Buffer.from(content as string).toString("hex");
}

/** What becomes of the bodies that come back. */
export const bodyChecks: readonly Check[] = checks({
  async "text follows the charset of the Content-Type"({ lib, base }) {
    const table = [
      ["text/plain", hex("Zürich €"), "Zürich €"],
      ["text/plain; charset=utf-8", hex("Zürich €"), "Zürich €"],
      ["text/plain; charset=ISO-8859-1", "5afc72696368", "Zürich"],
      ['text/plain; charset="windows-1252"', "8020938494", "€ “„”"],
      ["text/plain; charset=utf-16le", "5a00fc00", "Zü"],
      ["text/plain; charset=shift_jis", "93fa967b", "日本"],
      ["text/plain;charset=utf-8", "efbbbf6869", "hi"],
      ["text/plain;charset=iso-8859-1", "fffe5a00fc00", "Zü"],
      ["text/plain", "feff005a00fc", "Zü"],
    ] as const;
    for (const [type, bytes, text] of table) {
      const exchange = await lib
        .createClient()
        .send(`GET ${base}/body?hex=${bytes}&type=${encodeURIComponent(type)}`);
      assert.equal(exchange.text, text, type);
      assert.deepEqual(exchange.warnings, []);
      assert.equal(exchange.mediaType, "text/plain");
    }
  },
  async "text follows what a document declares, or is read as browsers do"({ lib, base }) {
    const russian = "cff0e8e2e5f2";
    const utf8 = "is read as utf-8";
    const guess = (what: string): string => `names no charset and is not utf-8 (${what})`;
    const table: readonly (readonly [
      type: string,
      bytes: string,
      end: string,
      warning?: string,
    ])[] = [
      [
        "application/xml",
        `${hex("<?xml version='1.0' encoding='windows-1251'?>")}${russian}`,
        "Привет",
      ],
      ["image/svg+xml", `${hex('<?xml version="1.0" encoding="KOI8-R"?>')}f0d2`, "Пр"],
      ["application/xml", hex('<?xml version="1.0" encoding="utf-16"?>ü'), "ü"],
      ["text/xml", `${hex([0x3c, 0, 0x3f, 0, 0x78, 0])}fc00`, "ü"],
      ["application/json", "005b00220439", '["й'],
      ["text/html", `${hex("<html><meta charset=shift_jis>")}93fa967b`, "日本"],
      [
        "text/html",
        `${hex("<!-- <meta charset=big5> --><META http-equiv='content-type' content='text/html; charset=windows-1251'>")}${russian}`,
        "Привет",
      ],
      ["text/html", `${hex('<meta name="a>b" charset="nope"><meta charset="utf-16">')}c3bc`, "ü"],
      ["text/css", `${hex('@charset "windows-1251";')}${russian}`, "Привет"],
      ["", `${hex('<?xml version="1.0" encoding="windows-1251"?>')}${russian}`, "Привет"],
      // Only a document of such a type declares anything.
      ["text/plain", `${hex("<meta charset=shift_jis> ")}c3bc`, "ü"],
      [
        "text/xml; charset=utf-8",
        `${hex('<?xml version="1.0" encoding="windows-1251"?>')}c3bc`,
        "ü",
      ],
      ["text/plain", "636166e920802031", "café € 1", guess("0xE9 at byte 3")],
      ["application/json", "2263e922", '"cé"', guess("0xE9 at byte 2")],
      ["", "636166e9", "café", guess("0xE9 at byte 3")],
      ["text/plain;charset=klingon", "c3bc", "ü", utf8],
      ["text/plain;charset=klingon", "fc", "ü", "is read as windows-1252"],
      [
        "text/plain;charset=utf-8",
        "efbfbde9",
        "\ufffd\ufffd",
        "is not valid utf-8 (0xE9 at byte 3)",
      ],
      ["text/plain;charset=utf-8", "efbfbd", "\ufffd"],
      ["text/plain;charset=shift_jis", "93", "\ufffd", "is not valid shift_jis (1 character)"],
      // Binary data is nobody's text.
      ["application/octet-stream", "00e9", "\ufffd"],
    ];
    for (const [type, bytes, end, warning] of table) {
      const address = `${base}/body?hex=${bytes}&type=${encodeURIComponent(type)}`;
      const { text, warnings } = await lib.createClient().send(`GET ${address}`);
      assert.equal(text.slice(-end.length), end, `${type}: ${text}`);
      assert.equal(warnings.length, warning === undefined ? 0 : 1, `${type}: ${warnings}`);
      assert.ok(warning === undefined || warnings[0]?.includes(warning), `${type}: ${warnings}`);
    }
  },
  async "a charset that is chosen takes precedence, for text and for streams"({ lib, base }) {
    const text = `GET ${base}/body?hex=cff0&type=text/plain;charset=utf-8`;
    const lab = lib.createClient();
    const annotated = await lab.send(`# @charset windows-1251\n${text}`);
    assert.equal(annotated.text, "Пр");
    assert.deepEqual(annotated.warnings, []);
    assert.equal((await lab.send(text, { charset: "koi8-r" })).text, "оП");
    assert.equal((await lib.createClient({ charset: "koi8-r" }).send(text)).text, "оП");
    const chunks: unknown[] = [];
    for await (const item of lab.stream(`# @charset windows-1251\n${text}`)) chunks.push(item);
    assert.deepEqual(chunks, [{ kind: "text", text: "Пр" }]);
    const sent = lab.history.length;
    await assert.rejects(async () => lab.send(text, { charset: "klingon" }), {
      name: "TypeError",
      message: /Cannot use "klingon" as charset: it is unknown/,
    });
    assert.equal(lab.history.length, sent);
  },
  async "bytes are the body as it is, whatever it claims"({ lib, base }) {
    const exchange = await lib
      .createClient()
      .send(`GET ${base}/body?hex=00ff10&type=application/octet-stream`);
    assert.deepEqual([...exchange.bytes], [0, 255, 16]);
    assert.equal(exchange.sizes.response.body, 3);
  },
  async "empty bodies, 204, 205 and 304 have no JSON and are no error"({ lib, base }) {
    const lab = lib.createClient();
    const empty = await lab.send(`GET ${base}/body?hex=&type=application/json`);
    for (const exchange of [
      empty,
      await lab.send(`GET ${base}/status/204`),
      await lab.send(`GET ${base}/status/205`),
      await lab.send(`GET ${base}/status/304`),
    ]) {
      assert.equal(exchange.bytes.byteLength, 0);
      assert.equal(exchange.text, "");
      assert.equal(exchange.json, undefined);
      assert.equal(exchange.cut, false);
    }
  },
  async "no status is an error, and each has its class"({ lib, base }) {
    const lab = lib.createClient();
    const table = [
      [201, "Successful", true],
      [404, "Client error", false],
      [500, "Server error", false],
      [599, "Server error", false],
      [600, "Unassigned", false],
    ] as const;
    for (const [status, statusClass, ok] of table) {
      const exchange = await lab.send(`GET ${base}/status/${status}`);
      assert.equal(exchange.status, status);
      assert.equal(exchange.statusClass, statusClass);
      assert.equal(exchange.ok, ok);
    }
  },
  async "json keeps the digits of numbers, also when stored and sent again"({ lib, base }) {
    const text = '{"id":9007199254740993,"price":0.12345678901234567890,"n":1.50}';
    const lab = lib.createClient();
    const { json } = await lab.send(`GET ${base}/body?hex=${hex(text)}&type=application/json`);
    assert.equal(explore(json).id, 9007199254740993n);
    assert.equal(String(explore(json).price), "0.12345678901234567890");
    assert.equal(explore(json).n, 1.5);
    lab.setVar("answer", json);
    const { body } = (
      await lab.send<{ body: string }>(
        `POST ${base}/echo\n\n{"id": {{answer.id}}, "price": {{answer.price}}}`,
      )
    ).json;
    assert.equal(body, '{"id": 9007199254740993, "price": 0.12345678901234567890}');
  },
  async "json that is malformed throws a SyntaxError that says where"({ lib, base }) {
    const text = '{\n  "name": "Ada",\n  "age": }';
    const exchange = await lib
      .createClient()
      .send(`GET ${base}/body?hex=${hex(text)}&type=application/json`);
    assert.equal(exchange.text, text);
    assert.throws(() => exchange.json, {
      name: "SyntaxError",
      message: 'Cannot parse the body as JSON at line 3, column 10: near "  \\"age\\": }"',
    });
  },
  async "a compressed body is decompressed, and both sizes are told"({ lib, base }) {
    const text = "hello ".repeat(100);
    for (const encoding of ["gzip", "br", "deflate"]) {
      const exchange = await lib
        .createClient()
        .send(`GET ${base}/body?hex=${hex(text)}&type=text/plain&encoding=${encoding}`);
      assert.equal(exchange.text, text, encoding);
      assert.equal(exchange.sizes.response.body, 600);
      assert.ok((exchange.sizes.response.encoded ?? 600) < 100);
      assert.deepEqual(exchange.warnings, []);
    }
  },
  async "a body that is still compressed, or of an unknown coding, is said to be"({ lib, base }) {
    for (const [coding, warning] of [
      ["compress", /still compressed: this runtime does not support "compress"/],
      ["UTF-8", /^The Content-Encoding "UTF-8" is unknown: the body is shown as it came$/],
      ["none", /"none" is unknown/],
      ["aws-chunked", /"aws-chunked" is unknown/],
    ] as const) {
      const { text, warnings } = await lib
        .createClient()
        .send(`GET ${base}/body?hex=${hex("hello")}&type=text/plain&encoding=${coding}`);
      assert.equal(text, "hello");
      assert.match(warnings[0] ?? "", warning);
    }
  },
  async "a body that is not compressed as it claims is an error that says so"({ lib, raw }) {
    await assert.rejects(lib.createClient().send(`GET ${raw}/not-gzip`), {
      name: "NoResponseError",
      code: "decompression",
    });
  },
  async "data that are no text are decoded, and what is not of its type is not"({ lib, base }) {
    const table: readonly (readonly [type: string, bytes: string, json: unknown, shown: RegExp])[] =
      [
        ["application/cbor", "a26161016162820203", { a: 1, b: [2, 3] }, /^a +1$/m],
        ["application/problem+cbor", "a1657469746c656178", { title: "x" }, /^title +x$/m],
        // A date, a large number, bytes, a tag, keys that are numbers (RFC 8949, appendix A).
        [
          "application/cbor",
          "c074323031332d30332d32315432303a30343a30305a",
          "2013-03-21T20:04:00.000Z",
          /2013-03/,
        ],
        ["application/cbor", "4401020304", "AQIDBA==", /AQIDBA==/],
        [
          "application/cbor",
          "d81c81d81d00",
          { tag: 28, contents: [{ tag: 29, contents: 0 }] },
          /28/,
        ],
        ["application/cbor", "a201020304", { 1: 2, 3: 4 }, /^1 +2$/m],
        ["application/cbor-seq", "a1616e01a1616e02", [{ n: 1 }, { n: 2 }], /^2 rows$/m],
        ["application/msgpack", "82a16101a162920203", { a: 1, b: [2, 3] }, /^a +1$/m],
        ["application/x-msgpack", "cf0000000000000007", 7, /^7$/m],
        [
          "application/vnd.msgpack",
          "81a5746f6b656ea9687573682d68757368",
          { token: "hush-hush" },
          /^token +•••$/m,
        ],
        ["application/msgpack", hex('{"error":"x"}'), { error: "x" }, /^error +x$/m],
        ["application/cbor", hex("<p>no</p>"), undefined, /^<p>no<\/p>$/m],
        ["application/msgpack", hex("Not found"), undefined, /^Not found$/m],
      ];
    for (const [type, bytes, json, shown] of table) {
      const exchange = await lib
        .createClient()
        .send(`GET ${base}/body?hex=${bytes}&type=${encodeURIComponent(type)}`);
      if (json === undefined) assert.throws(() => exchange.json, SyntaxError);
      else assert.deepEqual(exchange.json, json);
      assert.match(String(exchange), shown);
      assert.deepEqual(exchange.warnings, []);
    }
    const large = await lib
      .createClient()
      .send(`GET ${base}/body?hex=1bffffffffffffffff&type=application/cbor`);
    assert.equal(String(large.json), "18446744073709551615");
    for (const [type, bytes] of [
      ["application/cbor", "9affffffff01"],
      ["application/cbor", "81".repeat(20_000)],
      ["application/msgpack", "ddffffffff01"],
      ["application/msgpack", "91".repeat(2_000)],
    ] as const) {
      const broken = await lib.createClient().send({
        url: `${base}/body?hex=${bytes.slice(0, 6_000)}&type=${type}`,
      });
      assert.throws(() => broken.json, /Cannot decode the body as (?:CBOR|MessagePack): /);
      assert.match(String(broken), /Warning: Cannot decode .*[\s\S]*^Binary body: application/m);
    }
  },
  async "a body without length ends with its connection"({ lib, raw }) {
    const exchange = await lib.createClient().send(`GET ${raw}/until-close`);
    assert.equal(exchange.text, "until the end");
    assert.equal(exchange.cut, false);
  },
  async "a body is read up to the cap, and what is cut is said"({ lib, base }) {
    const lab = lib.createClient({ maxBodyBytes: 100_000 });
    const endless = await lab.send(`GET ${base}/endless`);
    assert.equal(endless.cut, true);
    assert.equal(endless.bytes.byteLength, 100_000);
    assert.equal(endless.text, "x".repeat(100_000));
    assert.match(endless.warnings[0] ?? "", /^The body was cut after 100000 bytes/);
    const short = await lab.send(`GET ${base}/body?hex=${hex("hello")}`, { maxBodyBytes: 3 });
    assert.equal(short.text, "hel");
    assert.match(short.warnings[0] ?? "", /^The body was cut after 3 of 5 bytes/);
    const whole = await lab.send(`GET ${base}/body?hex=${hex("hello")}`, { maxBodyBytes: 5 });
    assert.equal(whole.cut, false);
    assert.deepEqual(whole.warnings, []);
  },
  async "headers that come twice are both kept"({ lib, base }) {
    const { headers } = await lib.createClient().send(`GET ${base}/cookies`);
    assert.deepEqual(headers.getSetCookie(), ["a=1", "b=2"]);
  },
  async "timing and sizes are told"({ lib, base }) {
    const exchange = await lib.createClient().send(`POST ${base}/echo\nX-A: ü\n\nhello`);
    const { timing, sizes, request } = exchange;
    assert.ok(timing.startedAt instanceof Date);
    assert.ok(timing.headers > 0 && timing.total >= timing.headers);
    const lines = [...request.headers, ...(request.defaults ?? [])].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const head = `POST /echo HTTP/1.1\r\n${lines.join("")}\r\n`;
    assert.match(head, /X-A: ü\r\n[\s\S]*User-Agent: restlab/);
    assert.deepEqual(sizes.request, { headers: Buffer.byteLength(head), body: 5 });
    assert.ok(sizes.response.headers > 50 && sizes.response.body > 50);
  },
});
