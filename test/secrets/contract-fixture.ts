import { createClient, renderBundle } from "../../lib/mod.ts";

// What masking promises must hold where base64, URLs and patterns are another engine's.
const client = createClient();
const SECRET = 'Fix+5ecret/"key" é';
client.setVar("auth", { apiKey: SECRET });
const { secrets } = client;
const bytes = new TextEncoder().encode(`ada:${SECRET}`);
const texts = [
  SECRET,
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET).slice(1, -1),
  new URLSearchParams([["", SECRET]]).toString().slice(1),
  new URL(`http://h/?${SECRET}`).search.slice(1),
];
const stream = secrets.openStream();
const pieces = Array.from(`begin ${SECRET} end`, (character) => stream.write(character)).join("");
const results = {
  forms: texts.map((text) => secrets.mask(text)),
  base64: secrets.mask(btoa(String.fromCharCode(...bytes))),
  stream: pieces + stream.end(),
  bundle: Object.keys(renderBundle({ a: SECRET }, { secrets: [secrets] })).length,
  leaks: JSON.stringify(renderBundle({ a: SECRET }, { secrets: [secrets] })).includes("5ecret"),
};
console.log(JSON.stringify(results));
