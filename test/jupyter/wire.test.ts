import { createHmac } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createSigner,
  MessageWriter,
  parseMessage,
  renderJson,
  type Signer,
} from "../../kernel/jupyter/wire.ts";

const utf8 = new TextEncoder();
const text = new TextDecoder();
let signer: Signer;
beforeEach(() => {
  signer = createSigner("a key");
});
const identity = Uint8Array.from([0, 1, 2, 255]);

/** The frames of a request with this content. */
const request = (of: Signer, content: unknown = { code: "1" }): readonly Uint8Array[] =>
  new MessageWriter("session", "someone", of).write(
    "execute_request",
    renderJson(content),
    undefined,
    [identity],
  );

/** Signed frames with dicts as given. */
function signed(...dicts: readonly (string | Uint8Array)[]): Uint8Array[] {
  const parts = dicts.map((dict) => (typeof dict === "string" ? utf8.encode(dict) : dict));
  return [identity, utf8.encode("<IDS|MSG>"), signer.sign(parts), ...parts];
}

const HEADER = '{"msg_id":"1","msg_type":"x_request"}';

describe("MessageWriter", () => {
  test("writes prefix, delimiter, signature and the four dicts, and the signature is HMAC-SHA256 over them", () => {
    const [prefix, delimiter, signature, ...parts] = request(signer);
    expect(prefix).toEqual(identity);
    expect(text.decode(delimiter)).toBe("<IDS|MSG>");
    const hmac = createHmac("sha256", "a key");
    for (const part of parts) hmac.update(part);
    expect(text.decode(signature)).toBe(hmac.digest("hex"));
    expect(parts).toHaveLength(4);
    expect(JSON.parse(text.decode(parts[3]))).toEqual({ code: "1" });
  });

  test("leaves the signature empty without a key", () => {
    const frames = request(createSigner(""));
    expect(frames[2]).toHaveLength(0);
  });

  test.each([
    ["half a surrogate pair", { text: "a\ud83d", "\udc00": 1 }, { text: "a\ufffd", "\ufffd": 1 }],
    ["a bigint", { small: 5n, large: 2n ** 64n }, { small: 5, large: "18446744073709551616" }],
    ["an escaped surrogate in text", { text: "\\ud83d" }, { text: "\\ud83d" }],
    ["NaN", { value: Number.NaN }, { value: null }],
  ])("renders %s as text that every front end can read", (_name, content, seen) => {
    const parsed = parseMessage(request(signer, content), signer);
    expect(parsed).toMatchObject({ ok: true, message: { content: seen } });
  });
});

describe("parseMessage", () => {
  test("parses what was rendered, with any content", () => {
    const bytes = fc.uint8Array({ maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(bytes.filter((frame) => text.decode(frame) !== "<IDS|MSG>")),
        fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ noUnicodeString: false })),
        fc.array(bytes),
        (identities, content, buffers) => {
          signer = createSigner("a key");
          const plain = JSON.parse(JSON.stringify(content));
          const writer = new MessageWriter("session", "someone", signer);
          const frames = writer.write("x_request", renderJson(plain), undefined, identities);
          expect(parseMessage([...frames, ...buffers], signer)).toEqual({
            ok: true,
            message: {
              identities,
              content: plain,
              header: {
                msg_id: "session_0",
                msg_type: "x_request",
                session: "session",
                username: "someone",
                date: expect.stringMatching(/^\d{4}-.*Z$/),
                version: "5.5",
              },
            },
          });
        },
      ),
    );
  });

  test.each<[string, () => Uint8Array[], string]>([
    ["no frame", () => [], "the delimiter <IDS|MSG> is missing"],
    ["no delimiter", () => [identity], "the delimiter <IDS|MSG> is missing"],
    [
      "too few frames",
      () => signed(HEADER, "{}", "{}"),
      "4 of at least 5 frames follow the delimiter",
    ],
    ["a header that is no JSON", () => signed("{", "{}", "{}", "{}"), "the header is not JSON"],
    ["a list as content", () => signed(HEADER, "{}", "{}", "[]"), "the content is not an object"],
    ["null as metadata", () => signed(HEADER, "{}", "null", "{}"), "the metadata is not an object"],
    [
      "bytes that are no UTF-8",
      () => signed(HEADER, "{}", "{}", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      "the content is not JSON",
    ],
    [
      "a header without a type",
      () => signed('{"msg_id":"1"}', "{}", "{}", "{}"),
      "the header has no msg_id or msg_type",
    ],
    [
      "a number as identifier",
      () => signed('{"msg_id":1,"msg_type":"x"}', "{}", "{}", "{}"),
      "the header has no msg_id or msg_type",
    ],
  ])("says why %s is not a message", (_name, frames, reason) => {
    expect(parseMessage(frames(), signer)).toEqual({ ok: false, reason });
  });

  test.each([
    ["of another key", (frames: Uint8Array[]) => createSigner("other").sign(frames.slice(3))],
    ["that is cut off", (frames: Uint8Array[]) => (frames[2] ?? frames[0])?.subarray(0, 63)],
    ["that is empty", () => new Uint8Array()],
    ["in upper case", (frames: Uint8Array[]) => utf8.encode(text.decode(frames[2]).toUpperCase())],
  ])("refuses a signature %s", (_name, forge) => {
    const frames = [...request(signer)];
    frames[2] = forge(frames) ?? new Uint8Array();
    expect(parseMessage(frames, signer)).toEqual({ ok: false, reason: "the signature is wrong" });
  });

  test("accepts a signature once, even if prefix and buffers differ", () => {
    const [, ...frames] = request(signer);
    expect(parseMessage([identity, ...frames], signer)).toMatchObject({ ok: true });
    for (const again of [frames, [Uint8Array.of(9), ...frames], [...frames, identity]]) {
      const reason = "its signature was accepted before";
      expect(parseMessage(again, signer)).toEqual({ ok: false, reason });
    }
    const next = new MessageWriter("next", "someone", signer).write("x_reply", "{}", undefined);
    expect(parseMessage(next, signer)).toMatchObject({ ok: true });
  });

  test("accepts the real message after a forged copy of it", () => {
    const frames = [...request(signer)];
    const forged = frames.with(6, utf8.encode("{}"));
    expect(parseMessage(forged, signer)).toMatchObject({ ok: false });
    expect(parseMessage(frames, signer)).toMatchObject({ ok: true });
  });

  test("remembers the newest 65,536 signatures and no more", () => {
    const parts = (count: number): Uint8Array[] => [utf8.encode(String(count))];
    const refusal = (count: number): string | undefined =>
      signer.refusal(signer.sign(parts(count)), parts(count));
    for (let count = 0; count <= 65_536; count++) expect(refusal(count)).toBeUndefined();
    expect(refusal(1)).toBe("its signature was accepted before");
    expect(refusal(65_536)).toBe("its signature was accepted before");
    expect(refusal(0)).toBeUndefined();
  });

  test("refuses a message if any dict was changed after signing", () => {
    for (const index of [3, 4, 5, 6]) {
      const frames = [...request(signer)];
      frames[index] = utf8.encode('{"changed":true}');
      expect(parseMessage(frames, signer)).toMatchObject({ ok: false });
    }
  });

  test("accepts any signature if the key is empty", () => {
    const open = createSigner("");
    expect(parseMessage(request(signer), open)).toMatchObject({ ok: true });
  });

  test("never throws, for any frames", () => {
    const frame = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.constant(utf8.encode("<IDS|MSG>")),
      fc.json().map((json) => utf8.encode(json)),
    );
    for (const of of [signer, createSigner("")]) {
      fc.assert(
        fc.property(fc.array(frame), (frames) => {
          const parsed = parseMessage(frames, of);
          expect(parsed.ok || parsed.reason !== "").toBe(true);
        }),
      );
    }
  });
});
