import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { RUNTIME } from "../support/runtime.ts";
import { type AnsweringServer, startAnsweringServer, USER } from "./answering-server.ts";

const DESCRIPTION = `openapi: 3.1.0
paths:
  /user:
    get:
      responses:
        "200":
          content:
            application/json: { schema: { properties: { id: { type: string }, name: { pattern: ^(a*)(a*)(a*)(a*)(a*)(a*)(a*)b$ } } } }
        "404": { description: none }
    delete: { responses: { "204": { description: deleted } } }
`;

/** What `restlab verify` promises, on one runtime. */
function describeVerify(runtime: RuntimeName): void {
  describe(`restlab verify on ${runtime}`, () => {
    const folder = makeFolder("verify");
    const at = (name: string): string => join(folder, name);
    let server: AnsweringServer;
    const run = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, [...args, "--var", `base=${server.base}`], { cwd: folder });

    /** A notebook with the outputs of these cells. */
    const save = async (name: string, ...sources: readonly string[]): Promise<void> => {
      writeFileSync(at(name), notebook(...sources));
      const { status, stderr } = await run("run", "-k", "-b", "--stable", "-o", name, name);
      expect({ status, stderr }).toMatchObject({ status: 0 });
      server.seen.length = 0;
    };

    beforeAll(async () => {
      server = await startAnsweringServer();
    });
    afterAll(() => server.close());
    beforeEach(() => server.reset());

    test("saved outputs contain what verify needs, without secrets, and the same each time", async () => {
      await save(
        "stable.ipynb",
        "GET {{base}}/user\nAuthorization: Bearer hush-hush-secret-42",
        "const found = await client.send(`GET {{base}}/users`);\nfound",
      );
      const first = readFileSync(at("stable.ipynb"), "utf8");
      const saved: readonly { outputs: readonly { metadata: unknown }[] }[] =
        JSON.parse(first).cells;
      expect(JSON.stringify(saved.map(({ outputs }) => outputs))).not.toContain("hush-hush");
      const metadata = saved.map(({ outputs }) => outputs[0]?.metadata);
      expect(metadata).toMatchObject([
        {
          restlab: {
            response: {
              method: "GET",
              url: `${server.base}/user`,
              status: 200,
              type: "application/json",
              shape: { properties: { createdAt: { type: "string", format: "date-time" } } },
            },
          },
        },
        { restlab: { response: { shape: { properties: { items: { type: "array" } } } } } },
      ]);
      await run("run", "-b", "--stable", "-o", "stable.ipynb", "stable.ipynb");
      expect(readFileSync(at("stable.ipynb"), "utf8")).toBe(first);
    });

    test("the verdict is the worst of all responses", async () => {
      await save("verdicts.ipynb", "GET {{base}}/user", "GET {{base}}/users", "GET {{base}}/text");
      server.answer("/user", { ...USER, id: 7, name: "Bob" });
      const same = await run("verify", "verdicts.ipynb");
      expect(same.stdout).toMatch(/^same +cell 1 +GET http.*\/user$/m);
      expect(same).toMatchObject({ status: 0, stderr: "verdicts.ipynb: 3 responses: 3 same\n" });

      server.answer("/user", { ...USER, email: "ada@example.com" });
      const compatible = await run("verify", "verdicts.ipynb");
      expect(compatible.stdout).toMatch(
        /^compatible +cell 1 +GET .*\/user +\$\.email +new +string \(email\)$/m,
      );
      expect(compatible.status).toBe(0);
      const strict = await run("verify", "--strict", "verdicts.ipynb");
      expect(strict).toMatchObject({
        status: 1,
        stderr: "verdicts.ipynb: 3 responses: 2 same, 1 compatible, refused by --strict\n",
      });

      server.answer("/users", { items: [{ ...USER, id: "1" }], total: 1 }, { status: 201 });
      server.answer("/text", undefined, { type: "text/html", body: "<p>" });
      const drifted = await run("verify", "verdicts.ipynb");
      expect(drifted.stdout).toMatch(/^drifted +cell 2 +.*\/users +status +value +200 +201$/m);
      expect(drifted.stdout).toMatch(/^ +\$\.items\[\*\]\.id +type +number +string$/m);
      expect(drifted.stdout).toMatch(/^drifted +cell 3 .* type +value +text\/plain +text\/html$/m);
      expect(drifted.status).toBe(1);
    });

    test("a request without a response is broken, and the others are compared", async () => {
      const names = ["--var", `other=${server.base}`];
      writeFileSync(at("broken.ipynb"), notebook("GET {{other}}/user", "GET {{base}}/user"));
      await run("run", "-b", "-o", "broken.ipynb", "broken.ipynb", ...names);
      const saved = readFileSync(at("broken.ipynb"), "utf8");
      const closed = await startAnsweringServer();
      await closed.close();
      const broken = ["broken.ipynb", "--var", `other=${closed.base}`];
      const { status, stdout, stderr } = await run("verify", "--update", ...broken);
      expect(stdout).toMatch(
        /^broken +cell 1 +GET .*\/user +response +missing +200 +no response: the connection was refused$/m,
      );
      expect(stdout).not.toContain("rows");
      // The advice is in the error of the cell.
      expect(stderr).toContain("refused. Check that the server is running");
      expect(stdout).toMatch(/^same +cell 2/m);
      expect(status).toBe(1);
      expect(stderr).toContain("broken.ipynb: 2 responses: 1 same, 1 broken, 1 cell failed\n");
      expect(stderr).toContain("broken.ipynb is not updated: a request got no response");
      expect(readFileSync(at("broken.ipynb"), "utf8")).toBe(saved);
    });

    test("annotations, metadata and tags say what is compared", async () => {
      await save(
        "rules.ipynb",
        "# @verify exact\n# @ignore $.createdAt\nGET {{base}}/user",
        "# @verify status\nGET {{base}}/users",
        "# @verify off\nGET {{base}}/text",
      );
      server.answer("/user", { ...USER, createdAt: null });
      server.answer("/users", undefined, { type: "text/html", body: "<p>" });
      server.answer("/text", undefined, { status: 500 });
      const same = await run("verify", "rules.ipynb");
      expect(same.stderr).toBe("rules.ipynb: 3 responses: 2 same, 1 skipped\n");
      expect(same.status).toBe(0);
      server.answer("/user", { ...USER, name: "Bob" });
      const drifted = await run("verify", "rules.ipynb");
      expect(drifted.stdout).toMatch(/ \$\.name +value +"Ada" +"Bob"$/m);
      expect(drifted.status).toBe(1);
    });

    test("metadata and tags of a cell do the same", async () => {
      const sources = ["GET {{base}}/user", "GET {{base}}/users", "GET {{base}}/text"];
      const document = JSON.parse(notebook(...sources));
      const [first, second, third] = document.cells;
      first.metadata = { restlab: { verify: "exact", ignore: ["$.createdAt"] } };
      second.metadata = { tags: ["smoke", "verify:status"] };
      third.metadata = { tags: ["verify:off"] };
      writeFileSync(at("cells.ipynb"), JSON.stringify(document));
      await run("run", "-b", "-o", "cells.ipynb", "cells.ipynb");
      server.answer("/user", { ...USER, createdAt: null, name: "Bob" });
      server.answer("/users", undefined, { type: "text/html", body: "<p>" });
      const { stdout, stderr } = await run("verify", "cells.ipynb");
      expect(stdout).toMatch(/^drifted +cell 1 .* \$\.name +value +"Ada" +"Bob"$/m);
      expect(stderr).toBe("cells.ipynb: 3 responses: 1 same, 1 drifted, 1 skipped\n");
    });

    test("--update writes the new outputs, which are then promised", async () => {
      await save("update.ipynb", "GET {{base}}/user");
      server.answer("/user", { id: "1" });
      const update = await run("verify", "--update", "--stable", "update.ipynb");
      expect(update.stdout).toMatch(/^drifted +cell 1/m);
      expect(update.stdout).toMatch(/ \$\.id +type +number +string$/m);
      expect(update.stderr).toBe("update.ipynb: 1 response: 1 drifted\nupdate.ipynb is updated\n");
      expect(update.status).toBe(0);
      expect((await run("verify", "update.ipynb")).status).toBe(0);
    });

    test("the reports contain the same results", async () => {
      await save("reports.ipynb", "# @name user\nGET {{base}}/user", "GET {{base}}/users");
      server.answer("/user", { ...USER, id: "<1>" });
      const options = ["--report", "json", "--report", "junit=report.xml"];
      const { stdout, stderr, status } = await run("verify", ...options, "reports.ipynb");
      expect(status).toBe(1);
      expect(stderr).toContain("drifted");
      const difference = { path: "$.id", kind: "type", promised: "number", found: "string" };
      expect(JSON.parse(stdout)).toMatchObject({
        counts: { same: 1, compatible: 0, drifted: 1, broken: 0, skipped: 0 },
        documents: [
          {
            path: "reports.ipynb",
            responses: [
              { cell: 1, name: "user", verdict: "drifted", differences: [difference] },
              { cell: 2, verdict: "same", differences: [] },
            ],
          },
        ],
      });
      const xml = readFileSync(at("report.xml"), "utf8");
      expect(xml).toContain('tests="2" failures="1" errors="0" skipped="0"');
      expect(xml).toContain(
        '<failure type="drifted" message="drifted: $.id: type: number → string">',
      );
    });

    test("exchanges are compared with an OpenAPI description, and its coverage is listed", async () => {
      writeFileSync(at("api.yaml"), DESCRIPTION);
      writeFileSync(at("openapi.http"), "GET {{base}}/user\n\n###\nGET {{base}}/text\n");
      const options = ["--openapi", "api.yaml", "--report", "json=openapi.json"];
      const { status, stdout, stderr } = await run("verify", "openapi.http", ...options);
      expect(stdout).toMatch(
        /^drifted +line 1 .* \$\.id +openapi +Expected a string, found an integer/m,
      );
      expect(stdout).toMatch(/^drifted +line 3 .* request +openapi +no such path +GET \/text$/m);
      expect(stderr).toContain("Not covered: GET /user 404\nNot covered: DELETE /user\n");
      expect(status).toBe(1);
      const { uncovered } = JSON.parse(readFileSync(at("openapi.json"), "utf8"));
      expect(uncovered).toEqual(["GET /user 404", "DELETE /user"]);
      server.answer("/user", { ...USER, name: "a".repeat(2_000) });
      const endless = await run("verify", "openapi.http", ...options);
      expect(endless.stdout).toMatch(
        /^drifted +line 1 .* The schema cannot be used: Matching was ended/m,
      );
      expect(endless.stdout).toMatch(/^drifted +line 3 /m);

      server.answer("/user", { id: "1" });
      server.answer("/api.yaml", undefined, { type: "application/yaml", body: DESCRIPTION });
      writeFileSync(at("openapi.http"), "GET {{base}}/user\n");
      const same = await run("verify", "openapi.http", "--openapi", `${server.base}/api.yaml`);
      expect(same.stderr).toContain("openapi.http: 1 response: 1 same\n");
      expect(same.status).toBe(0);
    });

    test("a recording is a baseline for a file of requests", async () => {
      const text = [
        "GET {{base}}/old\n",
        "GET {{base}}/users\nX-Token: {{token}}\n",
        "# @verify exact\nGET {{base}}/text\n",
      ].join("\n###\n");
      writeFileSync(at("api.http"), text);
      const token = ["--var", "token=hush-hush-secret"];
      await run("run", "api.http", "--record", "api.har", ...token);
      const options = ["--baseline", "api.har", ...token];
      const same = await run("verify", "api.http", ...options);
      expect(same.stderr).toBe("api.http: 3 responses: 3 same\n");
      expect(same.status).toBe(0);
      server.answer("/user", { id: 1 });
      server.answer("/text", undefined, { type: "text/plain", body: "other" });
      const { stdout, status } = await run("verify", "api.http", ...options);
      expect(stdout).toMatch(/^drifted +line 1 +.*\/old +\$\.name +gone +string$/m);
      expect(stdout).toMatch(/^drifted +line 7 +.*\/text +\$ +value +"plain" +"other"$/m);
      expect(status).toBe(1);
      const replayed = await run("verify", "api.http", ...options, "--replay", "api.har");
      expect(replayed.status).toBe(0);
    });
  });
}

describeVerify(RUNTIME);
