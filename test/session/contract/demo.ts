import assert from "node:assert/strict";
import { createServer } from "node:net";
import process from "node:process";
import type { CellRun, Contract } from "./lab.ts";

/** The URL that a line `%demo` printed. */
function urlIn({ stdout }: CellRun): string {
  const printed = stdout();
  const [url] = /http:\/\/127\.0\.0\.1:\d+(?=, the URL of the demo API)/.exec(printed) ?? [];
  assert.ok(url, printed);
  return url;
}

/** The line `%demo` starts the embedded users API. */
export const demo: Contract = {
  "%demo starts the API for requests and TypeScript, once, and it ends with the session": async ({
    session,
    ok,
  }) => {
    const url = urlIn(await ok("%demo 0"));
    const { value } = await ok("%demo\nGET {{base}}/users/1");
    assert.equal((value as { json: { name: string } }).json.name, "Ada Lovelace");
    assert.equal(session.client.getVar("base"), url);
    // The cell that started it is over, and an interrupt ends nothing of it.
    session.interrupt();
    assert.equal((await ok("(await fetch(client.getVar('base') + '/users/2')).status")).value, 200);
    await session.reset();
    assert.equal(urlIn(await ok("%demo")), url);
    await session.close();
    await assert.rejects(fetch(`${url}/users/1`));
  },
  "%demo takes a port by the name of the notebook if its own is in use": async ({
    directory,
    ok,
  }) => {
    process.env["JPY_SESSION_NAME"] = directory;
    const other = createServer().listen(8787, "127.0.0.1");
    // If another program listens there, that serves as well.
    await new Promise((resolve) => other.once("listening", resolve).once("error", resolve));
    const url = urlIn(await ok("%demo"));
    const port = Number(new URL(url).port);
    assert.ok(port >= 8_800 && port < 9_804, url);
    delete process.env["JPY_SESSION_NAME"];
    other.close();
  },
  "%demo starts nothing if base is set, and says so": async ({ session, ok }) => {
    session.client.setVar("base", "http://api.test");
    const { stdout } = await ok("%demo");
    assert.match(stdout(), /\{\{base\}\} is set already/);
    assert.equal(session.client.getVar("base"), "http://api.test");
  },
  "%demo refuses a port that is none, or in use": async ({ fail }) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    assert.match((await fail(`%demo ${port}`)).message, /the port is in use/);
    for (const text of ["99999", "here", "-1"]) {
      assert.match((await fail(`%demo ${text}`)).message, /write %demo, or %demo with a port/);
    }
    server.close();
  },
};
