import { createSession } from "../../../kernel/session/mod.ts";
import { mkdtempSync } from "node:fs";
const log = console.log;
const s = await createSession({ platform: { directory: mkdtempSync("/tmp/far-") } });
for (const c of process.argv.slice(2)) { log(c); const o = await s.execute(c, {stream(){},display(){}}) as any; log(o.status, o.error?.traceback.slice(0,3).join("|").slice(0,200)); }
await s.close();
