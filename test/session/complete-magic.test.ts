import { describe, expect, test } from "vitest";
import { completeMagic } from "../../kernel/session/cell-help.ts";

const environment = { name: "dev", names: ["dev", "live"] };
const help = (code: string) => completeMagic({ environment } as never, code, code.length);

describe("completeMagic", () => {
  test.each([
    ["%", ["%demo", "%env ", "%import ", "%strict ", "%%http", "%%ts"]],
    ["%d", ["%demo"]],
    ["%%", ["%%http", "%%ts"]],
    ["\n  %st", ["%strict "]],
    ["%env live\n%d", ["%demo"]],
    ["%demo\n%%h", ["%%http"]],
    ["%import a.yaml -o b.http\n%d", ["%demo"]],
    ["%env ", ["dev", "live"]],
    ["%env l", ["live"]],
    ["%strict o", ["on", "off"]],
    ["%x", []],
  ])("completes %j", (code, texts) => {
    const found = help(code);
    expect(found?.candidates.map(({ text }) => text)).toEqual(texts);
    expect(found?.end).toBe(code.length);
    expect(code.slice(found?.start)).toBe(/[%\w]*$/.exec(code)?.[0]);
  });

  test.each(["5 %", "const n = 5\n%d", "GET http://h/\n%d", "%demo 80", "%demo\nGET", ""])(
    "leaves %j to others",
    (code) => expect(help(code)).toBeUndefined(),
  );
});
