// One contender of display.mjs: prints what it took, in milliseconds and bytes.
const [what, address, library] = process.argv.slice(2);
const { createJsonHead, renderBundle } = what === "peer" ? {} : await import(library);
// Loading fetch is no part of the race.
await fetch(address, { method: "HEAD" });

const before = process.memoryUsage.rss();
const start = performance.now();
const response = await fetch(address);
let first = Number.NaN;
let shown;
let body;
if (what === "peer") {
  body = performance.now();
  const text = await response.text();
  body = performance.now();
  shown = JSON.parse(text);
} else {
  const chunks = [];
  const head = createJsonHead();
  for await (const chunk of response.body) {
    chunks.push(chunk);
    if (what !== "chunks") continue;
    head.feed(chunk);
    if (Number.isNaN(first) && head.value?.length >= 50) {
      renderBundle(head.value);
      first = performance.now() - start;
    }
  }
  const bytes = Buffer.concat(chunks);
  chunks.length = 0;
  body = performance.now();
  if (what === "chunks") {
    head.end();
    shown = [renderBundle(head.value), head.total(head.value)];
  } else {
    shown = renderBundle(exchangeOf(response, bytes));
    first = performance.now() - start;
  }
}
const end = performance.now();
if (!shown) throw new Error("Nothing was shown");
console.log(
  JSON.stringify({
    all: end - start,
    show: end - body,
    first,
    memory: process.resourceUsage().maxRSS * 1024 - before,
  }),
);

/** An Exchange as the client makes it, without its ways. */
function exchangeOf({ headers }, bytes) {
  const request = { method: "GET", url: address, writtenUrl: address, headers: [], added: [] };
  const timing = { startedAt: new Date(), headers: 1, total: 1 };
  const sizes = { request: { headers: 0, body: 0 }, response: { headers: 0, body: bytes.length } };
  const json = () => {
    throw new Error("The whole was parsed");
  };
  return Object.defineProperty(
    {
      request,
      url: address,
      status: 200,
      statusText: "OK",
      statusClass: "Successful",
      ok: true,
      headers,
      mediaType: "application/json",
      bytes,
      timing,
      sizes,
      redirects: [],
      warnings: [],
      cut: false,
      secrets: [],
    },
    "json",
    { get: json },
  );
}
