import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { startServers, type TestServers } from "../support/http-server.ts";
import { RUNTIME } from "../support/runtime.ts";
import { spellingsOf } from "./spellings.ts";

/** One secret of every kind, each like no other text of the run. */
const SECRETS = {
  told: 'Told+5ecret/"é" value',
  named: "Named-5ecret-Key.01",
  nested: "Nested_5ecret~Pass",
  command: "Command5ecretToken=",
  literal: "Literal5ecretBearer",
  credentials: "Credentials5ecretKey",
  userInfo: "UserInfo5ecretPw",
  query: "Query5ecretParam",
  cookie: "Cookie5ecretValue",
  answer: "Answer5ecretToken",
  body: "Body5ecretPassword",
  printed: "Printed5ecretPass",
} as const;

const code = (text: string): string => JSON.stringify(text);
const CELLS = [
  `client.setVar("mine", ${code(SECRETS.told)}, { secret: true });
client.setVar("auth", { apiKey: ${code(SECRETS.named)}, db: { password: ${code(SECRETS.nested)} }, user: "ada" });`,
  // Echoed in the URL, a header, the body; named so that its token has a placeholder.
  `# @name login
POST {{base}}/echo?text={{mine}}&token=${SECRETS.query}&key={{auth.apiKey}}
Authorization: Bearer ${SECRETS.literal}
Cookie: sid=${SECRETS.cookie}
X-Api-Key: {{apiToken}}
X-Echo: {{auth.db.password}}
Content-Type: application/json

{"access_token": "${SECRETS.answer}", "password": "${SECRETS.body}", "text": "{{mine}}"}`,
  `GET ${"{{base}}"}/basic/ada/x`,
  `const port = new URL(client.getVar("base")).host;
await client.send("GET http://ada:${SECRETS.userInfo}@" + port + "/echo");`,
  `for (const part of client.getVar("mine")) { process.stdout.write(part); await null; }
process.stderr.write(client.getVar("auth").apiKey.slice(0, 9)); process.stderr.write(client.getVar("auth").apiKey.slice(9) + "\\n");
console.log(client.last.json.headers, btoa("ada:" + client.getVar("apiToken")), encodeURIComponent(client.getVar("mine")));
console.log(JSON.stringify({ text: client.getVar("mine") }), client.history.map((it) => it.url), { password: ${code(SECRETS.printed)} });`,
  `const auth = { type: "apiKey" as const, name: "X-Other", value: ${code(SECRETS.credentials)} };
await client.send("GET {{base}}/echo", { auth });`,
  `client.getVar("auth")`,
  `client.render("GET {{base}}/a?k={{mine}}\\nAuthorization: Bearer {{apiToken}}")`,
  `client.vars`,
  `client.history`,
  `GET {{other}}/redirect/302?to=/echo?token={{apiToken}}`,
  `throw new Error("at " + client.getVar("mine"), { cause: new RangeError(client.getVar("apiToken")) });`,
  `GET {{base}}/x?token=${SECRETS.query}&y={{nobody}}`,
  `GET http://127.0.0.1:1/?token={{apiToken}}&y={{mine}}`,
  `client.reveal({ shown: "for once" })`,
  `({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "own", "text/html": '<p title="own">own: ' + client.getVar("auth").apiKey + "</p>" }) })`,
  `({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "own", "text/html": "<script>f('" + client.getVar("auth").apiKey + "')</script>" }) })`,
  `({ "text-align:left": "border", token: '"text-align:left">' })`,
  `setTimeout(() => console.log("late", client.getVar("mine")), 5); await new Promise((done) => setTimeout(done, 40)); "done"`,
];

function notebook(): string {
  const cells = CELLS.map((source, index) => ({
    cell_type: "code",
    id: `c${index}`,
    metadata: { tags: ["raises-exception"] },
    execution_count: null,
    outputs: [],
    source,
  }));
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
}

/** What `restlab run --output` promises of secrets, on one runtime. */
function describeSecretsOfRun(runtime: RuntimeName): void {
  describe(`secrets in a run on ${runtime}`, () => {
    let folder = "";
    let ended: Ended;
    let saved = "";
    let servers: TestServers;
    beforeAll(async () => {
      servers = await startServers();
      folder = mkdtempSync(join(tmpdir(), "restlab-secrets-"));
      const path = join(folder, "all.ipynb");
      const output = join(folder, "out.ipynb");
      writeFileSync(path, notebook());
      const variables = [`apiToken=${SECRETS.command}`, `other=${servers.base}`];
      const words = ["run", "--demo", "--keep-going", "--output", output, path];
      for (const variable of variables) words.push("--var", variable);
      ended = await restlab(runtime, words);
      saved = readFileSync(output, "utf8");
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true });
      await servers.close();
    });

    test("all cells have run, and what is no secret is there", () => {
      expect(ended.status).toBe(0);
      expect(saved).toContain("for once");
      expect(saved).toContain("holds_secrets");
      expect(ended.stdout).toContain("late");
      expect(ended.stderr).toContain("contained secrets");
      expect(ended.stderr).toMatch(/the output of cell \d+ contains secrets that were revealed/);
    });

    test("a notebook that is written to its own file keeps its sources", async () => {
      const path = join(folder, "own.ipynb");
      const source = `client.setVar("apiKey", "${SECRETS.command}", { secret: true });\nclient.getVar("apiKey")`;
      const cell = { cell_type: "code", id: "a", metadata: {}, execution_count: null };
      const cells = [{ ...cell, outputs: [], source }];
      writeFileSync(path, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
      const { stderr } = await restlab(runtime, ["run", path, "--output", path]);
      expect(stderr).toContain("The source of 1 cell contains secrets, and stays unchanged");
      const [written] = JSON.parse(readFileSync(path, "utf8")).cells;
      expect(written.source.join("")).toBe(source);
      expect(JSON.stringify(written.outputs)).toContain("{{apiKey}}");
      expect(JSON.stringify(written.outputs)).not.toContain(SECRETS.command);
    });

    test("a check tells of faults and of no secret", async () => {
      const path = join(folder, "all.ipynb");
      const { stdout, stderr } = await restlab(runtime, ["check", path]);
      expect(stdout + stderr).toContain("nobody");
      for (const spelling of Object.values(SECRETS).flatMap(spellingsOf)) {
        expect(stdout + stderr).not.toContain(spelling);
      }
    });

    test.each(Object.entries(SECRETS))("%s: no form of it is in what was written", (_, secret) => {
      for (const text of [saved, ended.stdout, ended.stderr]) {
        for (const spelling of spellingsOf(secret)) expect(text).not.toContain(spelling);
      }
    });

    test("markup of a program's own with a secret is not shown, and ours is whole", () => {
      const { cells } = JSON.parse(saved) as {
        cells: { outputs: { data?: { "text/html"?: string | string[] } }[] }[];
      };
      const htmlOf = (cell: (typeof cells)[number]): string =>
        cell.outputs.flatMap(({ data }) => data?.["text/html"] ?? []).join("");
      const [own, script, ours] = cells.slice(-4, -1).map(htmlOf);
      for (const html of [own, script]) {
        expect(html).toContain("This output is not shown: its markup contains a secret");
      }
      expect(ours).toMatch(/<td style="[^"]*">•••<\/td>/);
    });

    test("in their place stand the placeholders that they came from", () => {
      for (const name of ["mine", "auth.apiKey", "apiToken", "auth.db.password"]) {
        expect(saved).toContain(`{{${name}}}`);
        expect(ended.stdout).toContain(`{{${name}}}`);
      }
      expect(saved).toContain("•••");
    });
  });
}

describeSecretsOfRun(RUNTIME);
