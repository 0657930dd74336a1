// Masking against passes over the same text: 10 MB of output, from no secret to 1,000.
//
//   node test/bench/secrets.mjs [--quick]

import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

// The store is no export of the package: Node 20 needs it built, which rolldown does in a moment.

const build = await rolldown({
  input: fileURLToPath(new URL("../../lib/secrets/mod.ts", import.meta.url)),
});
const { output } = await build.generate({ format: "esm" });
const source = `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`;
const { createSecretStore } = await import(source);

const MEGABYTES = process.argv.includes("--quick") ? 2 : 10;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
let seed = 42;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const word = (length) => Array.from({ length }, () => LETTERS[random(64)]).join("");
const best = (action, rounds = 5) => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    action();
    least = Math.min(least, performance.now() - start);
  }
  return least;
};

function textOf(secrets, share) {
  const lines = [];
  for (let size = 0; size < MEGABYTES * 1e6; size += 100) {
    const isHit = secrets.length > 0 && random(1000) < share;
    const middle = isHit ? secrets[random(secrets.length)] : word(24);
    lines.push(`{"id": ${random(1e6)}, "name": "Ada Lovelace", "token": "${middle}"}`.padEnd(99));
  }
  return lines.join("\n");
}

const rows = [];
const pass = textOf([], 0);
const row = (name, milliseconds, note = "") =>
  rows.push([
    name,
    `${milliseconds.toFixed(1)} ms`,
    `${((MEGABYTES / milliseconds) * 1000).toFixed(0)} MB/s`,
    note,
  ]);

row(
  "one pass: replace(/[&<>]/g)",
  best(() => pass.replace(/[&<>]/g, "x")),
);
row(
  "one pass: JSON.stringify",
  best(() => JSON.stringify(pass)),
);
row(
  "one pass: charCodeAt",
  best(() => {
    let sum = 0;
    for (let i = 0; i < pass.length; i++) sum += pass.charCodeAt(i);
    return sum;
  }),
);

for (const count of [0, 1, 10, 100, 1000]) {
  const secrets = Array.from({ length: count }, () => word(16 + random(32)));
  const store = createSecretStore();
  for (const [index, secret] of secrets.entries()) store.setVariable(`v${index}`, secret, true);
  const build = best(() => store.mask("x"), 1);
  for (const share of count === 0 ? [0] : [0, 10]) {
    const text = textOf(secrets, share);
    const time = best(() => store.mask(text));
    row(
      `mask, ${count} secrets, ${share / 10} % of lines hold one`,
      time,
      `built in ${build.toFixed(0)} ms`,
    );
  }
  if (count !== 1000) continue;
  const text = textOf(secrets, 10);
  const quoted = JSON.stringify(text).slice(0, text.length);
  row(
    "mask, 1000 secrets, each quote escaped",
    best(() => store.mask(quoted)),
  );
  const encoded = encodeURIComponent(text).slice(0, text.length);
  row(
    "mask, 1000 secrets, percent-encoded",
    best(() => store.mask(encoded)),
  );
  const stream = best(() => {
    const masker = store.openStream();
    for (let at = 0; at < text.length; at += 4096) masker.write(text.slice(at, at + 4096));
    masker.end();
  }, 2);
  row("stream in pieces of 4 KB, 1000 secrets", stream);
  const naive = best(
    () => secrets.reduce((rest, secret) => rest.replaceAll(secret, "•••"), text),
    1,
  );
  row("replaceAll one by one, plain form alone", naive);
}

// A long session: each request has a credential of its own, and each is masked before the next one comes.
const session = createSecretStore();
const credential = () => {
  const bearer = ["Authorization", `Bearer ${word(330)}`];
  session.learn({ kind: "headers", headers: [bearer] }, "person");
  session.mask(bearer[1]);
};
for (const count of [1000, 2000, 4000, 8000]) {
  const start = performance.now();
  for (let n = 0; n < count / 2; n++) credential();
  const each = (performance.now() - start) / (count / 2);
  rows.push([
    `learn and mask one more credential, up to ${count}`,
    `${each.toFixed(2)} ms`,
    "",
    "",
  ]);
}

/** Bodies that hand out a token in each record, and one that closes none of its parts. */
const RECORDS = {
  "application/json": (token) => `{"id": 1, "name": "Ada Lovelace", "token": "${token}"},\n`,
  "application/xml": (token) => `<user id="1"><name>Ada</name><token>${token}</token></user>\n`,
  "text/html": (token) => `<p>Ada <input type=hidden name=token value=${token}></p>\n`,
  "application/yaml": (token) => `- name: Ada Lovelace\n  token: ${token}\n`,
  "text/plain": (token) => `name=Ada Lovelace\ntoken=${token}\n`,
};
const MEGABYTE = 1e6;
for (const [type, record] of Object.entries(RECORDS)) {
  const tokens = Array.from({ length: 50 }, () => word(24));
  let body = "";
  while (body.length < MEGABYTE) body += record(tokens[random(50)]);
  const learn = best(() => {
    const store = createSecretStore();
    store.learn({ kind: "body", text: () => body, mediaType: type }, "server");
    store.mask("x");
  });
  rows.push([
    `look through 1 MB of ${type}`,
    `${learn.toFixed(1)} ms`,
    `${(1000 / learn).toFixed(0)} MB/s`,
    "",
  ]);
}
const hostile = createSecretStore();
for (let n = 0; n < 1000; n++) hostile.setVariable(`v${n}`, `${"abc".repeat(100)}${n}xyz`, true);
hostile.mask("x");
row(
  "hostile: 1000 secrets with one beginning",
  best(() => hostile.mask("abc".repeat((MEGABYTES * 1e6) / 3)), 1),
);

console.log(`${MEGABYTES} MB of output on Node ${process.versions.node}\n`);
const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
for (const cells of rows) {
  console.log(
    cells
      .map((cell, column) =>
        column === 1 || column === 2 ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join("  ")
      .trimEnd(),
  );
}
