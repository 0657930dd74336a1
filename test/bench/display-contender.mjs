// One contender of display.mjs: prints what it took, in milliseconds and bytes.
import process from "node:process";

const [what, address, library] = process.argv.slice(2);
const { createSession, createTerminalPrinter } = what === "peer" ? {} : await import(library);
// Loading fetch and the client is no part of the race; neither is a first small answer.
const warm = await fetch(address, { method: "HEAD" });
const session = await createSession?.({ platform: { directory: process.cwd() } });
await session?.execute(`HEAD ${address}`, { stream: nothing, display: nothing });

const before = process.memoryUsage.rss();
const start = performance.now();
const work = process.cpuUsage();
let first = Number.NaN;
let shown = 0;
if (what === "peer") {
  const response = await fetch(address);
  shown = JSON.parse(await response.text()).length;
} else {
  const cell = frontEnds()[what];
  const outcome = await session.execute(`GET ${address}`, cell.sink);
  if (outcome.status !== "ok") throw outcome.error.cause;
  if (outcome.result !== undefined) cell.show(outcome.result);
  if (what === "json") shown = session.client.last.json.length;
}
const end = performance.now();
const { user, system } = process.cpuUsage(work);
// Before anything else is looked at.
const peak = process.resourceUsage().maxRSS * 1024;
if (!shown) throw new Error("Nothing was shown");
if (session !== undefined) {
  const { bytes, json } = session.client.last;
  if (bytes.length !== Number(warm.headers.get("content-length")))
    throw new Error("Bytes are lost");
  if (json.at(-1).id !== json.length - 1) throw new Error("Rows are lost");
  await session.close();
}
console.log(
  JSON.stringify({
    all: end - start,
    work: (user + system) / 1000,
    first,
    peak,
    added: peak - before,
  }),
);

/** What each front end does with what a session gives it. */
function frontEnds() {
  const seen = (size) => {
    if (Number.isNaN(first)) first = performance.now() - start;
    shown += size;
  };
  const publish = (value) => {
    const bundle = value.bundle();
    if (bundle["text/html"].includes("<td")) seen(JSON.stringify(bundle).length);
  };
  const printer = createTerminalPrinter(
    { write: (text) => seen(text.length), columns: () => 100, color: true },
    { secrets: session.client.secrets },
  );
  const print = ({ value }) => printer.value(value);
  const keep = (value) => {
    publish(value);
    print(value);
  };
  const displayWithId = (value) => {
    publish(value);
    return "id";
  };
  const update = (_id, value) => publish(value);
  const kernel = {
    sink: { stream: nothing, display: publish, displayWithId, update },
    show: publish,
  };
  return {
    kernel,
    unsized: kernel,
    json: kernel,
    run: { sink: { stream: nothing, display: keep }, show: keep },
    prompt: { sink: { stream: nothing, display: print, arrive: nothing }, show: print },
  };
}

function nothing() {
  return undefined;
}
