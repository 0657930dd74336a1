import { gunzipSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressBody, isStreamed, joinPieces } from "../../../lib/http/body-out.ts";
import { encodeFields, withQuery } from "../../../lib/http/fields.ts";
import type { Fields, MultipartInput } from "../../../lib/http/mod.ts";
import { encodeMultipart } from "../../../lib/http/multipart.ts";

describe("encodeFields and withQuery", () => {
  const CASES: [fields: Fields, form: string, query: string][] = [
    [{ a: 1, b: true }, "a=1&b=true", "a=1&b=true"],
    [
      { q: "two words + ü&=" },
      "q=two+words+%2B+%C3%BC%26%3D",
      "q=two%20words%20%2B%20%C3%BC%26%3D",
    ],
    [{ t: ["x", "y"] }, "t=x&t=y", "t=x&t=y"],
    [{ a: undefined, b: null, c: "" }, "c=", "c="],
    [{ n: 9007199254740993n }, "n=9007199254740993", "n=9007199254740993"],
    [{ d: new Date(0) }, "d=1970-01-01T00%3A00%3A00.000Z", "d=1970-01-01T00%3A00%3A00.000Z"],
    [new URLSearchParams("a=1&a=2"), "a=1&a=2", "a=1&a=2"],
    [[["a", "1"]], "a=1", "a=1"],
    [{}, "", ""],
  ];
  test.each(CASES)("fields of case %#", (fields, form, query) => {
    expect(encodeFields(fields, "form")).toBe(form);
    expect(withQuery("http://a.test/x", fields)).toBe(`http://a.test/x${query && `?${query}`}`);
  });

  test("a query is appended to an existing one, before the fragment", () => {
    expect(withQuery("http://a.test/?x=1#top", { y: 2 })).toBe("http://a.test/?x=1&y=2#top");
    expect(withQuery("http://a.test/?", { y: 2 })).toBe("http://a.test/?y=2");
    expect(withQuery("http://a.test/?x&", { y: 2 })).toBe("http://a.test/?x&y=2");
  });

  test("an object is refused with the name of the field", () => {
    const fields = { user: { id: 1 } } as unknown as Fields;
    expect(() => encodeFields(fields, "form")).toThrow(
      'Cannot encode the field "user" of form: it is an object',
    );
  });
});

describe("encodeMultipart", () => {
  const BOUNDARY = "restlab-0123456789abcdef0123";
  const open = async (path: string) => new Blob([`content of ${path}`]);

  async function read(input: MultipartInput): Promise<[string, string, string?, string?][]> {
    const body = await joinPieces(await encodeMultipart(input, BOUNDARY, open));
    const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
    // The parser of the runtime, which knows nothing of the encoder.
    const form = await new Response(body as BodyInit, { headers }).formData();
    return await Promise.all(
      Array.from(
        form,
        async ([name, value]): Promise<[string, string, string?, string?]> =>
          typeof value === "string"
            ? [name, value]
            : [name, await value.text(), value.name, value.type],
      ),
    );
  }

  test("text, numbers and lists are fields", async () => {
    expect(await read({ a: "ü", n: 1, list: ["x", "y"], none: undefined })).toEqual([
      ["a", "ü"],
      ["n", "1"],
      ["list", "x"],
      ["list", "y"],
    ]);
  });

  test("files keep their names and types, bytes have those of a Blob", async () => {
    expect(
      await read({
        path: { file: "./some/a.json", type: "application/json" },
        named: { value: "x", filename: "n.txt", type: "text/plain" },
        file: new File(["f"], "f.bin", { type: "image/png" }),
        bytes: new TextEncoder().encode("b"),
      }),
    ).toEqual([
      ["path", "content of ./some/a.json", "a.json", "application/json"],
      ["named", "x", "n.txt", "text/plain"],
      ["file", "f", "f.bin", "image/png"],
      ["bytes", "b", "blob", "application/octet-stream"],
    ]);
  });

  test("names with quotes and line breaks cannot end their header", async () => {
    const [first] = await encodeMultipart({ 'a"\r\nX: 1': "v" }, "b", open);
    expect(new TextDecoder().decode(first as Uint8Array)).toBe(
      '--b\r\nContent-Disposition: form-data; name="a%22%0D%0AX: 1"\r\n\r\n',
    );
  });

  test("FormData is accepted", async () => {
    const form = new FormData();
    form.append("a", "1");
    form.append("a", "2");
    expect(await read(form as unknown as MultipartInput)).toEqual([
      ["a", "1"],
      ["a", "2"],
    ]);
  });

  test("a part without content is refused with its name", async () => {
    const input = { a: { other: 1 } } as unknown as MultipartInput;
    await expect(encodeMultipart(input, BOUNDARY, open)).rejects.toThrow(
      'the part "a" of multipart',
    );
  });
});

describe("joinPieces and compressBody", () => {
  test("small bodies are kept in memory, large ones can be streamed repeatedly", async () => {
    expect(await joinPieces([new Blob(["ab"]), new TextEncoder().encode("c")])).toEqual(
      new TextEncoder().encode("abc"),
    );
    const large = new Blob([new Uint8Array(1_048_577)]);
    const body = await joinPieces([new Uint8Array(1), large], "x.bin");
    if (!isStreamed(body)) throw new Error("It is not streamed");
    expect([body.size, body.path]).toEqual([1_048_578, "x.bin"]);
    for (let time = 0; time < 2; time++) {
      const stream = body.stream() as ReadableStream<BufferSource>;
      expect((await new Response(stream).arrayBuffer()).byteLength).toBe(1_048_578);
    }
  });

  test("bodies are compressed, streams while they are read", async () => {
    const text = "ü ".repeat(100);
    const source = new TextEncoder().encode(text);
    expect(gunzipSync((await compressBody(source, "gzip")) as Uint8Array).toString()).toBe(text);
    expect(inflateSync((await compressBody(source, "deflate")) as Uint8Array).toString()).toBe(
      text,
    );
    const streamed = {
      kind: "streamed",
      size: 3,
      stream: () => new Blob(["abc"]).stream(),
    } as const;
    const body = await compressBody(streamed, "gzip");
    if (!isStreamed(body)) throw new Error("It is not streamed");
    const bytes = await new Response(body.stream() as ReadableStream<BufferSource>).arrayBuffer();
    expect(gunzipSync(new Uint8Array(bytes)).toString()).toBe("abc");
  });
});
