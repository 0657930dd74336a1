import { gzipSync } from "node:zlib";
import { readAsset } from "../platform/mod.ts";
import { type Route, respond } from "./http.ts";

const TEXT = "Ada wrote the first program.\nGrace wrote the first compiler.\n";

const HTML = `<!doctype html>
<title>Users</title>
<h1>Users</h1>
<p>There are <em>15</em> of them, &amp; the first is <a href="/users/1">Ada</a>.</p>
`;

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<users>
  <user id="1"><name>Ada Lovelace</name></user>
  <user id="2"><name>Alan Turing</name></user>
</users>
`;

const CSV = 'id,name,motto\n1,Ada Lovelace,"Poetical, science"\n2,Alan Turing,"Say ""yes"""\n';

const TSV = "id\tname\tborn\n1\tAda Lovelace\t1815\n2\tAlan Turing\t1912\n";

const JSON_LINES = [
  { at: "2026-01-05T08:00:00Z", level: "info", text: "started", port: 8787 },
  { at: "2026-01-05T08:00:02Z", level: "info", text: "GET /users", status: 200 },
  { at: "2026-01-05T08:00:07Z", level: "warning", text: "GET /nowhere", status: 404 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const MARKDOWN = "# Users\n\nThere are **15** of them; the first is [Ada](/users/1).\n";

const PROFILE = JSON.stringify({
  id: 1,
  name: "Ada Lovelace",
  address: { city: "London", location: { latitude: 51.5074, longitude: -0.1278 } },
  languages: ["en", "fr"],
  papers: [
    { year: 1842, title: "Sketch of the Analytical Engine" },
    { year: 1843, title: "Notes by the Translator" },
  ],
  retired: null,
});

const FORM = "name=Ada+Lovelace&tag=math&tag=engine&motto=Poetical%2C%20science";

const BYTES = Uint8Array.from({ length: 256 }, (_, index) => index);

const LATIN1 = Uint8Array.from("Crème brûlée, déjà vu\n", (letter) => letter.charCodeAt(0));

type Body = string | Uint8Array<ArrayBuffer>;

/** One small answer of each media type. */
export const sampleRoutes: readonly Route[] = [
  sample("/profile", "A JSON object with nested objects and lists", "application/json", PROFILE),
  sample(
    "/number",
    "A JSON number with more digits than a double has",
    "application/json",
    "12345678901234567890",
  ),
  sample("/text", "Plain text", "text/plain; charset=utf-8", TEXT),
  sample("/html", "An HTML page", "text/html; charset=utf-8", HTML),
  sample("/xml", "An XML document", "application/xml", XML),
  sample("/csv", "A CSV table", "text/csv; charset=utf-8", CSV),
  sample("/tsv", "A TSV table", "text/tab-separated-values; charset=utf-8", TSV),
  sample("/jsonl", "JSON Lines", "application/x-ndjson", JSON_LINES),
  sample("/markdown", "Markdown", "text/markdown", MARKDOWN),
  sample("/form", "The fields of a form", "application/x-www-form-urlencoded", FORM),
  sample("/tone.wav", "A short tone", "audio/wav", () =>
    readAsset(new URL("./samples/tone.wav", import.meta.url)),
  ),
  sample("/note.pdf", "A PDF of one line", "application/pdf", () =>
    readAsset(new URL("./samples/note.pdf", import.meta.url)),
  ),
  sample("/image.png", "A PNG image", "image/png", () =>
    readAsset(new URL("./samples/image.png", import.meta.url)),
  ),
  sample("/image.svg", "The same image as SVG", "image/svg+xml", () =>
    readAsset(new URL("./samples/image.svg", import.meta.url)),
  ),
  sample("/binary", "Every byte from 0 to 255, once", "application/octet-stream", BYTES),
  sample("/latin1", "Text in ISO 8859-1", "text/plain; charset=iso-8859-1", LATIN1),
  sample(
    "/gzip",
    "Text, compressed with gzip",
    "text/plain; charset=utf-8",
    () => Uint8Array.from(gzipSync(TEXT.repeat(100))),
    { "Content-Encoding": "gzip" },
  ),
  sample(
    "/malformed",
    "JSON that breaks off in the middle",
    "application/json",
    '{ "name": "Ada", "tags": ["math",',
  ),
  sample("/empty", "200 with an empty body", undefined, ""),
];

function sample(
  path: string,
  summary: string,
  type: string | undefined,
  body: Body | (() => Body | Promise<Body>),
  headers: Readonly<Record<string, string>> = {},
): Route {
  return {
    method: "GET",
    path,
    summary,
    async handle() {
      const content = typeof body === "function" ? await body() : body;
      return respond(200, { ...(type && { "Content-Type": type }), ...headers }, content);
    },
  };
}
