import { mkdtempSync, writeFileSync } from "node:fs";
import { createSession } from "../../../kernel/session/mod.ts";

const directory = mkdtempSync("/tmp/far-");
const log = console.log;
const s = await createSession({ platform: { directory } });
let n = 0;
const t0 = performance.now();
await s.warmUp();
log("warm", performance.now() - t0);
async function run(code: string, wait = 0) {
  const t = performance.now();
  const out: string[] = [];
  const o = await s.execute(code, {
    stream: (n, t) => out.push(n[3] + ":" + t),
    display: (x) => out.push("D:" + x.bundle()["text/plain"]),
  });
  if (wait) await new Promise((r) => setTimeout(r, wait));
  log(`--[${++n}] ${JSON.stringify(code).slice(0, 100)} ${(performance.now() - t).toFixed(1)}ms`);
  if (out.length) log("  out", JSON.stringify(out));
  if (o.status === "error")
    log(o.error.name, "|", o.error.message, "|\n" + o.error.traceback.join("\n"));
  else if (o.status === "ok") log("  =", o.result?.bundle()["text/plain"]);
  else log(o.status);
}
await run("1+1");
await run("1+1");
await run("2+1");
await run("typeof Bun !== 'undefined'");
await run("typeof Deno !== 'undefined' && typeof Deno.version.deno");
for (const g of [
  "fetch",
  "URL",
  "Headers",
  "Response",
  "AbortController",
  "Buffer",
  "process",
  "structuredClone",
  "TextEncoder",
  "console",
  "setTimeout",
  "performance",
  "crypto",
  "client",
  "queueMicrotask",
  "Blob",
  "FormData",
  "WebSocket",
  "EventTarget",
  "atob",
])
  await run(`const t_${g}: { nope: 1 } = ${g}`);
await s.close();
