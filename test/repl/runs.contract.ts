import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUNTIME } from "../support/runtime.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder, openRestlab } from "./terminal.ts";

describe(`runs of documents at a terminal of ${RUNTIME}`, () => {
  const { url } = useDemoTerminals(RUNTIME);

  test.each([
    ["test", "0 done, 0 failed: slow.http [1/2]", /PASS slow\.http: 2 passed/],
    ["run", "slow.http [1/2] GET", /slow\.http: 2 cells run/],
  ])("%s shows how far it is, and ends", async (command, progress, result) => {
    const cwd = makeFolder();
    const requests = [`GET ${url()}/slow?ms=1000`, `GET ${url()}/users`];
    writeFileSync(join(cwd, "slow.http"), requests.join("\n\n###\n"));
    const lab = openRestlab(RUNTIME, [command, "slow.http"], { cwd });
    await lab.shows(progress);
    expect(await lab.ended).toBe(0);
    expect(lab.screen.text()).toMatch(result);
    expect(lab.screen.text()).not.toContain(progress);
  });

  test.each([
    ["-e", `# @prompt id\nGET ${"{{base}}"}/users/{{id}}`],
    ["run", "asks.http"],
  ])("%s asks, and no line of progress is drawn over the question", async (...words) => {
    const cwd = makeFolder();
    writeFileSync(
      join(cwd, "asks.http"),
      `# @prompt id\nGET ${"{{base}}"}/users/{{id}}\n?? body name startsWith Alan\n`,
    );
    const lab = openRestlab(RUNTIME, [...words, "--var", `base=${url()}`], { cwd });
    await lab.shows(/id:$/);
    const before = lab.screen.raw().length;
    // Longer than it takes until progress is shown.
    await new Promise((done) => setTimeout(done, 600));
    expect(lab.screen.raw().slice(before)).toBe("");
    lab.type("2\r");
    expect(await lab.ended).toBe(0);
    expect(lab.screen.text()).toContain("Alan Turing");
  });

  test.each([
    [["-e", "1 + 1"], "2"],
    [["-e", "setTimeout(() => console.log('late'), 300)"], "late"],
    [["GET", "/users/1"], "Ada Lovelace"],
    [["http", "{{base}}/users/1"], "Ada Lovelace"],
  ])("%j ends", async (words, shown) => {
    const lab = openRestlab(RUNTIME, [...words, "--var", `base=${url()}`]);
    expect(await lab.ended).toBe(0);
    expect(lab.screen.text()).toContain(shown);
  });
});
