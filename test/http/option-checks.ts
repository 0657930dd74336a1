import assert from "node:assert/strict";
import { explore } from "../support/explore.ts";
import { type Check, checks } from "./check.ts";

/** Options of an extended client, and annotations that stand for options. */
export const optionChecks: readonly Check[] = checks({
  async "extend shares everything but defaults"({ lib, base, site }) {
    const lab = lib.createClient({ headers: { "X-A": "1", "X-B": "1" } });
    const api = lab.extend({ headers: { "x-b": "2" }, redirect: "manual" });
    lab.setVar("base", base);
    const { json } = await api.send("GET {{base}}/echo");
    assert.equal(explore(json).headers["x-a"], "1");
    assert.equal(explore(json).headers["x-b"], "2");
    assert.equal((await api.send("GET {{base}}/hops/1")).status, 302);
    assert.equal((await lab.send("GET {{base}}/hops/1")).status, 200);
    assert.equal(lab.history.length, 3);
    assert.equal(lab.last, api.last);
    await api.send(`GET ${site}/login`, { redirect: "follow" });
    assert.equal((await lab.send(`GET ${site}/show`)).text, "sid=abc");
    const pending = api.send(`GET ${base}/stall`);
    const end = pending.catch((error) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(lab.abort(), 1);
    assert.equal(await end, "aborted");
    assert.throws(() => lab.extend({ concurrency: 0 }), /Cannot use 0 as concurrency/);
  },
  async "the annotations # @no-redirect and # @timeout are supported"({ lib, base }) {
    const lab = lib.createClient();
    assert.equal((await lab.send(`# @no-redirect\nGET ${base}/hops/1`)).status, 302);
    await assert.rejects(lab.send(`# @timeout 30 ms\nGET ${base}/stall`), { code: "timed-out" });
    await assert.rejects(lab.send(`# @timeout soon\nGET ${base}/stall`), {
      name: "TypeError",
      message: 'Cannot use "soon" as "# @timeout": it is not a time such as 5, 500 ms, 5 s or 1 m',
    });
  },
});
