import { mkdtempSync, writeFileSync } from "node:fs";
import { createSession } from "../../../kernel/session/mod.ts";

const directory = mkdtempSync("/tmp/far-");
const t0 = performance.now();
const log = console.log;
const s = await createSession({ platform: { directory } });
let n = 0;
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
await run("client.setVar('a', 5); client.getVar('a')");
await run("import { client as c, statusClass } from 'restlab'; [c === client, statusClass(404)]");
await run("const r: number = client.version");
await run("client.last.json.foo");
await run(
  "console.log('hi', {a:1}); console.error('err'); console.table([{a:1,b:2}]); console.group('g'); console.log('in'); console.groupEnd(); console.dir({x:{y:{z:{}}}}); console.time('t'); process.stdout.write('raw'); process.stdout.write(Buffer.from([0xc3])); process.stdout.write(Buffer.from([0xa4])); process.stderr.write('e')",
);
await run("console.timeEnd('t')");
await run(
  "setTimeout(() => console.log('late'), 30); Promise.resolve().then(() => console.log('soon')); 1",
  60,
);
await run("function f(n: number) {\n  type X = 1\n  throw new TypeError('bad ' + n)\n}");
await run("\nf(3)");
await run("await Promise.resolve(); f(4)");
await run("try { f(5) } catch (e) { console.log(e) }");
await run("throw 'x'");
await run("throw undefined");
await run("throw {a:1}");
await run("Promise.reject(new Error('rej'))");
await run("throw new Error('outer', { cause: new RangeError('inner') })");
await run("let x = 1;\nlet y: string = x;\nfooo()");
await run("GET http://127.0.0.1:1/x");
await run("GET http://127.0.0.1:1/{{nope}}/{{b.c}}");
await run("%%foo\n1");
await run("");
await run("# only\n// c");
await run("# title\nconst aa = 3\naa");
await run("%%ts\n1+1");
await run(
  "setTimeout(() => { throw new Error('in timer') }, 5); Promise.reject(new Error('unhandled')); 1",
  60,
);
await run("typeof Deno + typeof Bun");
await run("null");
await run("[1,2,{a:3}]");
await run("import ky from 'ky'");
const p = run("await new Promise(() => {})");
setTimeout(() => s.interrupt(), 50);
await p;
const q1 = run("await new Promise(r => setTimeout(r, 300))"),
  q2 = run("1");
setTimeout(() => s.interrupt(), 50);
await q1;
await q2;
await run("2");
await s.close();
log("end", performance.now() - t0);
