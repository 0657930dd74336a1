import { gzipSync } from "node:zlib";
import { readAsset } from "../platform/mod.ts";
import {
  allowedMethods,
  type Bytes,
  groupByPath,
  type Route,
  respond,
  respondJson,
} from "./http.ts";

interface Sample {
  readonly path: string;
  readonly summary: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: () => string | Bytes | Promise<Bytes>;
}

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

const TSV_TYPE = "text/tab-separated-values; charset=utf-8";

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

const SAMPLES: readonly Sample[] = [
  {
    path: "/profile",
    summary: "A JSON object with nested objects and lists",
    type: "application/json",
    body: () => PROFILE,
  },
  {
    path: "/number",
    summary: "A JSON number with more digits than a double has",
    type: "application/json",
    body: () => "12345678901234567890",
  },
  { path: "/text", summary: "Plain text", type: "text/plain; charset=utf-8", body: () => TEXT },
  { path: "/html", summary: "An HTML page", type: "text/html; charset=utf-8", body: () => HTML },
  { path: "/xml", summary: "An XML document", type: "application/xml", body: () => XML },
  { path: "/csv", summary: "A CSV table", type: "text/csv; charset=utf-8", body: () => CSV },
  { path: "/tsv", summary: "A TSV table", type: TSV_TYPE, body: () => TSV },
  { path: "/jsonl", summary: "JSON Lines", type: "application/x-ndjson", body: () => JSON_LINES },
  { path: "/markdown", summary: "Markdown", type: "text/markdown", body: () => MARKDOWN },
  {
    path: "/form",
    summary: "The fields of a form",
    type: "application/x-www-form-urlencoded",
    body: () => "name=Ada+Lovelace&tag=math&tag=engine&motto=Poetical%2C%20science",
  },
  {
    path: "/tone.wav",
    summary: "A short tone",
    type: "audio/wav",
    body: () => readAsset(new URL("./samples/tone.wav", import.meta.url)),
  },
  {
    path: "/note.pdf",
    summary: "A PDF of one line",
    type: "application/pdf",
    body: () => readAsset(new URL("./samples/note.pdf", import.meta.url)),
  },
  {
    path: "/image.png",
    summary: "A PNG image",
    type: "image/png",
    body: () => readAsset(new URL("./samples/image.png", import.meta.url)),
  },
  {
    path: "/image.svg",
    summary: "The same image as SVG",
    type: "image/svg+xml",
    body: () => readAsset(new URL("./samples/image.svg", import.meta.url)),
  },
  {
    path: "/binary",
    summary: "Every byte from 0 to 255, once",
    type: "application/octet-stream",
    body: () => Uint8Array.from({ length: 256 }, (_, index) => index),
  },
  {
    path: "/latin1",
    summary: "Text in ISO 8859-1",
    type: "text/plain; charset=iso-8859-1",
    body: () => Uint8Array.from("Crème brûlée, déjà vu\n", (letter) => letter.charCodeAt(0)),
  },
  {
    path: "/gzip",
    summary: "Text, compressed with gzip",
    type: "text/plain; charset=utf-8",
    headers: { "Content-Encoding": "gzip" },
    body: () => Uint8Array.from(gzipSync(TEXT.repeat(100))),
  },
  {
    path: "/malformed",
    summary: "JSON that breaks off in the middle",
    type: "application/json",
    body: () => '{ "name": "Ada", "tags": ["math",',
  },
  { path: "/empty", summary: "200 with an empty body", body: () => "" },
];

/** One small answer of each media type. */
export const sampleRoutes: readonly Route[] = SAMPLES.map(
  ({ path, summary, type, headers, body }) => ({
    method: "GET",
    path,
    summary,
    handle: async () =>
      respond(200, { ...(type && { "Content-Type": type }), ...headers }, await body()),
  }),
);

/** The description of all routes at `/`, made from the route table. */
export function descriptionRoutes(routes: readonly Route[]): readonly Route[] {
  const described = [...groupByPath(routes)].map(([path, group]) => ({
    path: path.replace(/:(\w+)/g, "{$1}"),
    methods: allowedMethods(group),
    summary: group.map(({ summary }) => summary).join(". "),
    example: group.find(({ example }) => example)?.example,
  }));
  return [
    {
      method: "GET",
      path: "/",
      summary: "Describes the routes",
      handle: () =>
        respondJson(200, {
          name: "restlab demo",
          description: "A small users API to try requests on; it forgets everything when it ends",
          routes: described,
        }),
    },
  ];
}
