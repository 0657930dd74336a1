import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";
import { notebook } from "../notebook/notebook.ts";
import { restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";

/** Each answer has as many secrets as are learned of one, and none twice. */
const TOKENS = 4_400;
const ANSWERS = 3;

const WRITTEN = {
  header: "written-header-17a",
  parameter: "written-parameter-28b",
  body: "written-body-39c",
  variable: "variable-value-40d",
  former: "former-value-51e",
  source: "source-literal-62f",
  told: "told-value-73g",
};

describe("a flood of tokens", () => {
  let server: Server;
  let base = "";
  beforeAll(async () => {
    let answers = 0;
    server = createServer((_request, response) => {
      const answer = answers++;
      const list = Array.from({ length: TOKENS }, (_, n) => ({ token: `sent-${answer}-${n}-xyz` }));
      response.writeHead(200, {
        "Content-Type": "application/json",
        "Set-Cookie": Array.from({ length: 20 }, (_, n) => `c${n}=cookie-${answer}-${n}-xyz`),
        "X-Auth-Token": `header-${answer}-xyz`,
      });
      response.end(JSON.stringify(list));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  test("pushes nothing out that a person has written or set", async () => {
    const client = createClient();
    const { secrets } = client;
    client.setVar("token", WRITTEN.former);
    client.setVar("token", WRITTEN.variable);
    client.setVar("other", WRITTEN.told, { secret: true });
    client.deleteVar("other");
    secrets.learn({ kind: "source", text: `const password = "${WRITTEN.source}";` }, "person");
    await client.send(
      `POST ${base}/?access_token=${WRITTEN.parameter}\nX-API-Key: ${WRITTEN.header}\n` +
        `Content-Type: application/json\n\n{"password": "${WRITTEN.body}"}`,
    );
    for (let answer = 1; answer < ANSWERS; answer++) await client.send(`GET ${base}/`);
    for (const [name, text] of Object.entries(WRITTEN)) {
      expect(secrets.mask(text), name).not.toContain(text);
    }
    expect(secrets.mask("sent-0-0-xyz sent-2-0-xyz")).toBe("sent-0-0-xyz •••");
    expect(secrets.takeRemarks()).toEqual([
      expect.stringContaining("Servers have sent more than 5000 secrets"),
    ]);
  });

  test("does not fill what is kept for good with cookies that go back, and with what is computed", async () => {
    const client = createClient();
    const sign = (request: Request): void => request.headers.set("DPoP", "computed-proof-85h");
    const ky = { hooks: { beforeRequest: [sign] } };
    for (let answer = 0; answer < ANSWERS; answer++) {
      await client.send(`GET ${base}/`, { auth: { type: "bearer", token: WRITTEN.header }, ky });
    }
    expect(client.secrets.mask("computed-proof-85h")).toBe("•••");
    const [cookie = ""] = client.last.request.headers.flatMap(([name, value]) =>
      name === "Cookie" ? [value] : [],
    );
    const [, first = ""] = /^c0=([^;]*)/.exec(cookie) ?? [];
    expect(first).toMatch(/^cookie-\d+-0-xyz$/);
    // Two answers on, the cookies that went back with this request are forgotten like all else.
    for (let answer = 0; answer < 2; answer++) await client.send(`GET ${base}/`);
    expect(client.secrets.mask(first)).toBe(first);
    expect(client.secrets.mask("computed-proof-85h")).toBe("computed-proof-85h");
    expect(client.secrets.mask(WRITTEN.header)).toBe("•••");
  });

  test("leaves the source of cells masked in a notebook that is written", async () => {
    const folder = makeFolder("flood");
    const source = notebook(
      `client.setVar("token", "${WRITTEN.variable}");`,
      `GET ${base}/a\nX-API-Key: ${WRITTEN.header}`,
      ...Array.from({ length: ANSWERS }, () => `GET ${base}/`),
      `console.log("${WRITTEN.header}")`,
    );
    writeFileSync(join(folder, "flood.ipynb"), source);
    const { status } = await restlab("node", ["run", "-o", "out.ipynb", "flood.ipynb"], {
      cwd: folder,
    });
    const text = readFileSync(join(folder, "out.ipynb"), "utf8");
    expect(text).not.toContain(WRITTEN.header);
    expect(text).not.toContain(WRITTEN.variable);
    expect(status).toBe(0);
  });
});
