import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import { endTerminals, makeFolder, openRestlab, removeFolders } from "./terminal.ts";

afterEach(endTerminals);
afterAll(removeFolders);

test("no command and no file of the prompt shows a secret", async () => {
  const demo = await startDemo({ port: 0 });
  try {
    const cwd = makeFolder();
    const values = [`base=${demo.url}`, "githubToken=gh-5e1f-9a7c-secret"];
    const args = values.flatMap((value) => ["--var", value]);
    const lab = openRestlab("node", args, { cwd });
    const typed = [
      'client.setVar("box", { note: "a".repeat(50), apiKey: "k-77aa-91bc-secret" })',
      ".header X-Token: {{githubToken}}",
      "GET {{base}}/echo?key={{box.apiKey}}",
      ".vars",
      ".vars box",
      ".vars githubToken",
      ".header",
      ".preview GET {{base}}/echo?key={{box.apiKey}}",
      ".history",
      ".last full",
      ".last json",
      ".last body",
      ".show 1",
      ".send 1",
      ".write --force out.http",
      ".write --force out.ipynb",
    ];
    await lab.prompts();
    for (const text of typed) {
      lab.type(`${text}\r`);
      await lab.shows(`restlab> ${text.slice(0, 60)}`);
      await lab.prompts();
    }
    lab.type("GET {{git\t");
    await lab.shows("{{githubToken");
    lab.type("\u0003\u0004");
    await lab.ended;
    const [typedIn = "", ...others] = lab.screen.text().split("k-77aa-91bc-secret");
    // What a person types is seen where it is typed, and nowhere else.
    expect(typedIn).toMatch(/apiKey: "$/);
    expect(others).toHaveLength(1);
    for (const text of [
      lab.screen.text(),
      ...["history", "out.http", "out.ipynb"].map((name) => readFileSync(join(cwd, name), "utf8")),
    ]) {
      expect(text).not.toContain("gh-5e1f");
    }
    for (const name of ["history", "out.http", "out.ipynb"]) {
      expect(readFileSync(join(cwd, name), "utf8")).not.toContain("k-77aa");
    }
  } finally {
    await demo.close();
  }
});
