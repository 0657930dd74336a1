import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KernelProcess, type RuntimeName, startKernel } from "../jupyter/kernel-process.ts";
import { RUNTIME } from "../support/runtime.ts";
import { spellingsOf } from "./spellings.ts";

const SECRETS = {
  told: 'Kernel+told/"é" <v>&\\x',
  named: "Kernel-named-apiKey.01",
  literal: "Kernel-literal-Bearer.02",
  expression: "Kernel-expression-pw.03",
  thrown: "Kernel-thrown-value.04",
} as const;
const FORBIDDEN = Object.values(SECRETS).flatMap(spellingsOf);

const leaksIn = (text: string): string[] => FORBIDDEN.filter((spelling) => text.includes(spelling));

/** What a kernel promises of secrets on its wires and in its log, on one runtime. */
function describeSecretsOfKernel(runtime: RuntimeName): void {
  describe(`secrets in a kernel on ${runtime}`, () => {
    let kernel: KernelProcess;
    beforeAll(async () => {
      kernel = await startKernel(runtime);
      const { client } = kernel;
      await client.execute(
        `client.setVar("mine", ${JSON.stringify(SECRETS.told)}, { secret: true }); client.setVar("apiKey", "${SECRETS.named}");`,
      );
      await client.execute(
        `GET http://127.0.0.1:1/?a={{mine}}\nAuthorization: Bearer ${SECRETS.literal}`,
      );
      await client.execute('client.getVar("mine")');
      await client.execute('({ a: client.getVar("apiKey") })', {
        user_expressions: {
          shown: 'client.getVar("mine")',
          failed: `(() => { throw new Error(client.getVar("apiKey")); })()`,
          literal: `({ password: "${SECRETS.expression}" })`,
        },
      });
      await client.execute(
        `const password = "${SECRETS.thrown}"; setTimeout(() => { throw new Error(password); }, 1); await new Promise((done) => setTimeout(done, 50));`,
      );
      await client.execute(
        'process.stderr.write(client.getVar("mine")); console.log(process.env.PATH === client.getVar("apiKey"));',
      );
    });
    afterAll(() => kernel?.dispose());

    test("nothing that was published or answered holds one", () => {
      expect(kernel.client.received.length).toBeGreaterThan(20);
      expect(leaksIn(JSON.stringify(kernel.client.received))).toEqual([]);
    });

    test("neither do completions and inspections", async () => {
      const { client } = kernel;
      for (const code of ["GET {{mi", "GET {{", 'client.getVar("']) {
        const content = { code, cursor_pos: code.length };
        const { reply } = await client.request("shell", "complete_request", content);
        expect(leaksIn(JSON.stringify(reply))).toEqual([]);
        const help = await client.request("shell", "inspect_request", {
          ...content,
          detail_level: 1,
        });
        expect(leaksIn(JSON.stringify(help.reply))).toEqual([]);
      }
    });

    test("what was revealed is in its output, which says so, and not in the history", async () => {
      const { published } = await kernel.client.execute('client.reveal(client.getVar("mine"))');
      const shown = JSON.stringify(published);
      expect(shown).toContain("Kernel+told");
      expect(shown).toContain("holds_secrets");
      for (const output of [true, false]) {
        const { reply } = await kernel.client.request("shell", "history_request", {
          output,
          raw: true,
          hist_access_type: "tail",
          n: 100,
        });
        const text = JSON.stringify(reply);
        expect(text).toContain("client.reveal");
        expect(leaksIn(text)).toEqual([]);
      }
    });

    test("the log of the process holds none", () => {
      expect(leaksIn(kernel.log())).toEqual([]);
    });
  });
}

describeSecretsOfKernel(RUNTIME);
