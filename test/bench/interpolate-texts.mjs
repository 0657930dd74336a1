// The texts and values of interpolate.mjs. Only dotted paths: every contender knows those.

/** 333 bytes with eight placeholders. */
export const SMALL = [
  "PUT {{base}}/users/{{user.id}}?limit={{page.limit}}&offset={{page.offset}} HTTP/1.1",
  "Accept: application/json, application/problem+json",
  "Content-Type: application/json",
  "X-API-Key: {{auth.apiKey}}",
  "X-Secret: {{auth.secret}}",
  "",
  '{ "name": "{{user.name}}", "email": "{{user.email}}",',
  '  "note": "a body of the usual kind, with some text around it" }',
].join("\n");

export const VALUES = {
  base: "http://127.0.0.1:8787",
  user: { id: 42, name: "Ada Lovelace", email: "ada@example.test" },
  page: { limit: 10, offset: 20 },
  id: 7,
  u: { n: "Ada" },
  ok: true,
  p: { q: "x" },
  auth: { apiKey: "key-0123456789", secret: "secret-0123456789" },
};

/** One megabyte with 100,000 placeholders, ten bytes each with what follows them. */
export const LARGE = Buffer.from(
  ["{{id}}", "{{u.n}}", "{{ok}}", "{{p.q}}"]
    .map((part) => part.padEnd(10, "/"))
    .join("")
    .repeat(25_000),
).toString();

/** An answer of about one megabyte. */
export const LIST = Array.from({ length: 12_000 }, (_, id) => ({
  id,
  name: `User ${id}`,
  email: `user.${id}@example.com`,
  tags: ["a", "b"],
}));

/** 100,000 placeholders of a thousand names. */
export const MANY = Array.from({ length: 100_000 }, (_, index) => `{{name${index % 1000}}}/`).join(
  "",
);
export const NAMES = Object.fromEntries(
  Array.from({ length: 1000 }, (_, index) => [`name${index}`, `value ${index}`]),
);

export const RENDERED = SMALL.replace(/\{\{(.*?)\}\}/g, (_, path) =>
  path.split(".").reduce((value, key) => value[key], VALUES),
);

/** A thousand variables that no placeholder names, and a large answer that is kept. */
export function withUnused() {
  const unused = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`unused${index}`, { text: `value ${index}` }]),
  );
  const answer = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `User ${id}`,
    tags: ["a", "b"],
  }));
  return { ...unused, answer, ...VALUES };
}

const MEGABYTE = 1_000_000;
const fill = (unit) => Buffer.from(unit.repeat(MEGABYTE / unit.length)).toString();

export const HOSTILE = {
  "1 MB of {": fill("{"),
  "1 MB of {{ and a line break": fill("{{\n"),
  "1 MB of {{a": fill("{{a"),
  "{{ and 1 MB of blanks": Buffer.from(`{{${" ".repeat(MEGABYTE)}`).toString(),
  "1 MB of {{ and a blank": fill("{{ "),
  "1 MB of \\{{": fill("\\{{"),
};
