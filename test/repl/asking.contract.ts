import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeName } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder, openRestlab } from "./terminal.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const UP = "\u001b[A";

/** What the prompt promises about values that requests ask for, and about sessions of a run. */
function describeAsking(runtime: RuntimeName): void {
  describe(`questions in a terminal on ${runtime}`, () => {
    const { open, url } = useDemoTerminals(runtime);

    test("an answer stays out of the history, and a secret is not shown", async () => {
      const cwd = makeFolder();
      const lab = open({ cwd });
      await lab.prompts();
      lab.type(`GET {{base}}/echo?who={{$input Your name}}${ENTER}`);
      await lab.shows(/\nYour name:$/);
      lab.type(`Adaa\u007f L${ENTER}`);
      await lab.shows("200 OK");
      expect(lab.screen.text()).toContain("Your name: Ada L\n");
      await lab.prompts();
      lab.type(`GET {{base}}/echo${"\u001b\r"}X-Pass: {{$password Pass word}}${ENTER}${ENTER}`);
      await lab.shows(/\nPass word:$/);
      lab.type(`hunter2-hunter2${ENTER}`);
      await lab.shows(/Pass word:\n[\s\S]*200 OK/);
      await lab.prompts();
      lab.type(`client.last.json.headers["x-pass"].length${ENTER}`);
      await lab.shows("\n15\n");
      await lab.prompts();
      lab.type(UP + UP);
      await lab.shows(/restlab> GET \{\{base\}\}\/echo\n\s+\.\.\. X-Pass/);
      lab.type(CTRL_C);
      await lab.prompts();
      lab.type(CTRL_D);
      await lab.ended;
      expect(lab.screen.text()).not.toContain("hunter2");
      const kept = readFileSync(join(cwd, "history"), "utf8");
      expect(kept).toContain("{{$input Your name}}");
      expect(kept).not.toMatch(/hunter2|Ada L/);
    });

    test("Enter accepts the default; input that was typed ahead is an answer", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/echo?a={{$input One $value: 1}}&b={{$input Two}}${ENTER}`);
      await lab.shows(/\nOne \[1\]:$/);
      lab.type(`${ENTER}two${ENTER}`);
      await lab.shows("200 OK");
      await lab.prompts();
      lab.type(`client.last.request.writtenUrl${ENTER}`);
      await lab.shows("/echo?a=1&b=two");
    });

    test.each([
      ["Ctrl-C", CTRL_C, "InterruptedError"],
      ["Ctrl-D", CTRL_D, "the question was not answered"],
    ])("%s at a question sends nothing and returns to the prompt", async (_name, key, shown) => {
      const lab = open();
      await lab.prompts();
      lab.type(`# @prompt otp Code${"\u001b\r"}GET {{base}}/echo?otp={{otp}}${ENTER}`);
      await lab.shows(/\nCode:$/);
      lab.type(key);
      await lab.shows(shown);
      await lab.prompts();
      lab.type(`.history${ENTER}`);
      await lab.shows("Nothing has been sent yet");
    });

    test("a dumb terminal asks too, and shows no secret", async () => {
      const lab = open({ env: { TERM: "dumb" } });
      await lab.prompts();
      lab.type(`GET {{base}}/echo?p={{$password Pass}}&n={{$input Name}}${ENTER}`);
      await lab.shows(/\nPass:$/);
      lab.type(`hunterr\u007f2-hunter2${ENTER}`);
      await lab.shows(/\nName:$/);
      lab.type(`Ada${ENTER}`);
      await lab.shows("200 OK");
      await lab.prompts();
      lab.type(`client.last.json.query.p.length${ENTER}`);
      await lab.shows("\n15\n");
      expect(lab.screen.text()).not.toContain("hunter");
    });

    test("a run at a terminal asks, also for a confirmation, and Ctrl-C ends it", async () => {
      const cwd = makeFolder();
      const asks = "# @prompt who Your name\nGET {{base}}/echo?who={{who}}&p={{$password Pass}}\n";
      const notes = "###\n# @note Really?\nGET {{base}}/users/2\n";
      writeFileSync(join(cwd, "in.http"), asks + notes);
      const args = ["run", "--brief", "--var", `base=${url()}`, "in.http"];
      const run = openRestlab(runtime, args, { cwd });
      await run.shows(/Your name:$/);
      run.type(`Ada${ENTER}`);
      await run.shows(/\nPass:$/);
      run.type(`hunter2-hunter2${ENTER}`);
      await run.shows(/Really\? \(y\/n\):$/);
      run.type(`y${ENTER}`);
      expect(await run.ended).toBe(0);
      expect(run.screen.text()).toMatch(/echo\?who=Ada[\s\S]*users\/2/);
      expect(run.screen.text()).not.toContain("hunter2");
      const ended = openRestlab(runtime, args, { cwd });
      await ended.shows(/Your name:$/);
      ended.type(CTRL_C);
      expect(await ended.ended).toBe(130);
    });

    test("the prompt after a run sets headers and time limits, and asks", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "in.http"), "GET {{base}}/users/1\n");
      const args = ["run", "--interactive", "--var", `base=${url()}`, "in.http"];
      const lab = openRestlab(runtime, args, { cwd });
      await lab.prompts();
      lab.type(`.header X-One: 1${ENTER}`);
      await lab.prompts();
      lab.type(`.timeout 7${ENTER}`);
      await lab.shows("Time limit: 7 s");
      await lab.prompts();
      lab.type(`GET {{base}}/echo?who={{$input Who}}${ENTER}`);
      await lab.shows(/\nWho:$/);
      lab.type(`me${ENTER}`);
      await lab.shows("200 OK");
      await lab.prompts();
      lab.type(
        `[client.last.json.headers["x-one"], client.last.json.query.who, (await client.all(["GET {{base}}/echo"])).exchanges[0].json.headers["x-one"]].join("-")${ENTER}`,
      );
      await lab.shows("\n1-me-1\n");
      await lab.prompts();
      lab.type(`.timeout 0.2${ENTER}`);
      await lab.shows("Time limit: 0.2 s");
      await lab.prompts();
      lab.type(`GET {{base}}/slow?ms=60000${ENTER}`);
      await lab.shows("timed out after");
      await lab.prompts();
    });
  });
}

describeAsking(RUNTIME);
