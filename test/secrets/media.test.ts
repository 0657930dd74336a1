import { describe, expect, test } from "vitest";
import { createClient, type Exchange, renderBundle } from "../../lib/mod.ts";

const SECRET = "Kept-pässw0rd.31";

/** A body of each kind that is shown as its bytes, with a text among them. */
const MEDIA: readonly (readonly [mediaType: string, write: (text: string) => string])[] = [
  ["application/pdf", (text) => `%PDF-1.7\n1 0 obj\n<< /Title (${text}) >>\nendobj\n`],
  ["image/png", (text) => `\x89PNG\r\n\x1a\n\0\0\0\x10tEXtComment\0${text}`],
  ["image/svg+xml", (text) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`],
  ["audio/mpeg", (text) => `ID3\x04\0\0TIT2\0${text}`],
  ["video/mp4", (text) => `\0\0\0\x18ftypmp42${text}`],
];

async function shown(mediaType: string, body: Uint8Array): Promise<[string, Exchange]> {
  const headers = { "Content-Type": mediaType };
  const client = createClient({ fetch: async () => new Response(body.slice(), { headers }) });
  client.setVar("mine", SECRET, { secret: true });
  const exchange = await client.send("GET http://h.test/");
  const views = [exchange, client.show(exchange, "body")];
  return [views.flatMap((it) => Object.values(renderBundle(it)).map(String)).join("\n"), exchange];
}

/** A drawing is text: where the secret is found in it, its source is shown without. */
const WHY: Readonly<Record<string, RegExp>> = {
  "image/svg+xml": / contains a secret: its source is shown| that contains a secret is not shown: /,
};

/** What the data links of a text hold. */
function linked(text: string): string {
  return [...text.matchAll(/;base64,([\w+/=]+)/g)]
    .map(([, data = ""]) => Buffer.from(data, "base64").toString("latin1"))
    .join("\n");
}

describe.each(MEDIA)("%s", (mediaType, write) => {
  test.each([
    ["in UTF-8", Buffer.from(write(SECRET), "utf8"), Buffer.from(SECRET).toString("latin1")],
    ["in Latin-1", Buffer.from(write(SECRET), "latin1"), SECRET],
    ["in base64", Buffer.from(write(btoa(SECRET)), "latin1"), btoa(SECRET)],
  ])("that holds a secret %s is not shown, and says why", async (_, body, written) => {
    const [text, { bytes }] = await shown(mediaType, body);
    expect(linked(text)).not.toContain(written);
    expect(text).toMatch(WHY[mediaType] ?? / that contains a secret is not shown: /);
    expect([...bytes]).toEqual([...body]);
  });

  test("that holds none is shown whole", async () => {
    const body = Buffer.from(write("nothing that anybody hides"), "latin1");
    const [text] = await shown(mediaType, body);
    expect(linked(text)).toContain("nothing that anybody hides");
  });
});
