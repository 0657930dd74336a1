import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { charsetOf, encodeText, parseRequests, renderRequest } from "../../lib/request/mod.ts";

/** Text of a part that looks like neither a header, a comment, a file nor a delimiter. */
const content = fc
  .array(fc.string({ unit: "grapheme-ascii", maxLength: 12 }), { maxLength: 4 })
  .map((lines) => lines.map((line) => `=${line.replaceAll("{{", "{").replaceAll("\\", "/")}`))
  .map((lines) => lines.join("\n"));

const part = fc.record({
  name: fc.stringMatching(/^[a-z]{1,5}$/),
  value: content,
  /** Whether a blank line stands below its headers; a part without content needs none. */
  isApart: fc.boolean(),
  isTyped: fc.boolean(),
});

const form = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
  end: fc.constantFrom("--cut--", "--cut--\n", "--cut", ""),
  isCrlf: fc.boolean(),
});

describe("what is written at random is what another reader gets", () => {
  test("the parts of a multipart body, read by the runtime", async () => {
    await fc.assert(
      fc.asyncProperty(form, async ({ parts, end, isCrlf }) => {
        const lines = parts.flatMap(({ name, value, isApart, isTyped }) => [
          "--cut",
          `Content-Disposition: form-data; name="${name}"`,
          ...(isTyped ? ["Content-Type: text/plain"] : []),
          ...(isApart || value.includes("\n=\n") ? [""] : []),
          value,
        ]);
        const type = "multipart/form-data; boundary=cut";
        const body = [...lines, end].join("\n");
        const text = `POST http://a.test\nContent-Type: ${type}\n\n${body}`;
        const [draft] = parseRequests(isCrlf ? text.replaceAll("\n", "\r\n") : text);
        const rendered = draft && renderRequest(draft, {});
        const response = new Response(String(rendered?.body), {
          headers: { "Content-Type": type },
        });
        const received = [...(await response.formData())];
        expect(received).toEqual(
          parts.map(({ name, value }) => [name, value.replaceAll("\n", "\r\n")]),
        );
        expect(rendered?.body).toMatch(/\r\n--cut--\r\n$/);
      }),
    );
  });

  test.each(["utf-8", "utf-16le", "utf-16be", "windows-1251", "koi8-r", "iso-8859-2"])(
    "a text in %s, decoded by the runtime",
    (charset) => {
      const decoder = new TextDecoder(charset, { ignoreBOM: true });
      const letters = fc.constantFrom(..."aZ0 \n~éßЖжю€ł中\u{1f600}");
      fc.assert(
        fc.property(fc.string({ unit: letters }), (text) => {
          const encoded = encodeText(text, charsetOf(`text/plain; charset=${charset}`));
          if ("bytes" in encoded) expect(decoder.decode(encoded.bytes)).toBe(text);
          else expect(text).toContain(encoded.missing);
        }),
      );
    },
  );
});
