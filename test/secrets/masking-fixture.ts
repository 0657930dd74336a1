import { createClient, renderBundle } from "../../lib/mod.ts";
import { SECRET_BODIES } from "./bodies.ts";
import { SPELLINGS } from "./spellings.ts";

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
/** Which secrets of bodies, of any kind, can be seen in what is displayed. */
async function seenInBodies(): Promise<string[]> {
  const seen: string[] = [];
  for (const { type, body, secret, written = [] } of SECRET_BODIES) {
    const answer = async (): Promise<Response> =>
      new Response(body, { headers: { "Content-Type": type } });
    const exchange = await createClient({ fetch: answer }).send("GET http://h.test/");
    const shown = Object.values(renderBundle(exchange)).map(String).join("\n");
    seen.push(...[...secret, ...written].filter((text) => shown.includes(text)));
  }
  return seen;
}

/** Which forms say that what they show was revealed. */
async function notedForms(): Promise<string[]> {
  const lab = createClient({ fetch: async () => Response.json({ token: "handed-out-1" }) });
  const bundle = renderBundle(await lab.send("GET http://h.test/", { reveal: true }));
  const isNoted = (text: unknown): boolean =>
    /handed-out-1[\s\S]*contains secrets/.test(String(text));
  return Object.keys(bundle).filter((type) => isNoted(bundle[type as keyof typeof bundle]));
}

const results = {
  forms: texts.map((text) => secrets.mask(text)),
  base64: secrets.mask(btoa(String.fromCharCode(...bytes))),
  stream: pieces + stream.end(),
  bundle: Object.keys(renderBundle({ a: SECRET }, { secrets: [secrets] })).length,
  spelled: Object.keys(SPELLINGS).filter(
    (name) => secrets.mask(SPELLINGS[name]?.(SECRET) ?? "") !== "{{auth.apiKey}}",
  ),
  revealed: await notedForms(),
  bodies: await seenInBodies(),
  leaks: JSON.stringify(renderBundle({ a: SECRET }, { secrets: [secrets] })).includes("5ecret"),
};
console.log(JSON.stringify(results));
