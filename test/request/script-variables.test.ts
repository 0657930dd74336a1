import { describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";
import { checkText, scriptVariables } from "../../lib/request/mod.ts";
import { thrownBy } from "./thrown.ts";

const GET = "GET http://a.test/x";

describe("the variables that a script would set", () => {
  test.each<[script: string, name: string, line: number]>([
    ['> {% client.global.set("a", 1) %}', "a", 3],
    ["> {%\n  client.global.set('a b', x)\n%}", "a b", 4],
    ["> {%\n  client.global.set(`a`, x)\n%}", "a", 4],
    ['< {% request.variables.set("a", 1) %}', "a", 3],
    ['> {% pm.environment.set("a", 1) %}', "a", 3],
    ["{{\n  exports.a = 1;\n}}", "a", 4],
    ["{{\n  $global.a = 1;\n}}", "a", 4],
    ["{{@response\n\n  exports.a = response.parsedBody.a;\n}}", "a", 5],
    ["?? js exports.a = 1", "a", 3],
    ['--{%\ncontext.set_env("a", 1)\n--%}', "a", 4],
  ])("%j sets %s at line %i", (script, name, line) => {
    const { explanations } = scriptVariables({ source: `${GET}\n\n${script}` });
    expect([...explanations.keys()]).toEqual([name]);
    expect(explanations.get(name)?.message).toContain(`at line ${line},`);
  });

  test.each([
    'POST http://a.test\n\nclient.global.set("a", 1)',
    "GET http://a.test\n\n> {% if (exports.a == 1) x() %}",
    '# client.global.set("a", 1)',
  ])("%j sets none", (text) => {
    expect([...scriptVariables({ source: text }).explanations]).toEqual([]);
  });

  test("that comes from the response has a hint that names it", () => {
    const text = `${GET}\n\n> {% client.global.set("a", response.body.user.id); %}`;
    expect(scriptVariables({ source: text }).explanations.get("a")?.hint).toContain(
      "{{answer.response.body.user.id}}",
    );
  });
});

describe("an error about a variable names the script", () => {
  const script = `${GET}\n\n> {% client.global.set("a", 1) %}`;
  const message = "the script at line 3, which would set it, is not run";

  test("in a check", () => {
    const faults = checkText(`${script}\n\n###\n${GET}/{{a}}`, {});
    const [fault] = faults.filter(({ code }) => code === "name");
    expect(fault).toMatchObject({ line: 6, column: 21 });
    expect(fault?.message).toBe(`Cannot resolve "{{a}}": ${message}`);
    expect(fault?.hint).toContain("@a = value");
  });

  test("in a preview", () => {
    const { render } = createClient();
    const error = thrownBy(() => render(`${GET}/{{a}}\n\n###\n${script}`));
    expect(error.message).toContain("the script at line 6, which would set it");
  });

  test("in a text after it", () => {
    const client = createClient();
    client.define(script);
    const error = thrownBy(() => client.render(`${GET}/{{a}}`));
    expect(error.message).toContain(message);
    expect(client.check(`${GET}/{{a}}`)).toMatchObject([{ code: "name" }]);
    expect(client.check(`${GET}/{{a}}`)[0]?.message).toContain(message);
  });

  test("none in a text whose scripts are run, where it has a value when the text is sent", () => {
    const after = `\n\n###\n${GET}/{{a}}`;
    expect(checkText(script + after, {}, { runsScripts: true })).toEqual([]);
    const file = `${GET}\n\n> ./after.js${after}`;
    expect(checkText(file, {}, { runsScripts: true })).toEqual([]);
    const block = "{{\n  exports.a = 1;\n}}";
    expect(checkText(`${GET}\n\n${block}${after}`, {}, { runsScripts: true })).toEqual([]);
    expect(checkText(`${block}${after}`, {}, { runsScripts: true })).toEqual([]);
    const global = `${block.replace("exports", "$global")}${after.replace("{{a}}", "{{$global.a}}")}`;
    expect(checkText(global, {}, { runsScripts: true })).toEqual([]);
    expect(checkText(global, {})).toMatchObject([{ code: "name" }]);
    const others = `${GET}\n\n${block.replace("{{", "{{@streaming")}${after}`;
    expect(checkText(others, {}, { runsScripts: true })).toMatchObject([
      { code: "ignored" },
      { code: "name" },
    ]);
  });

  test("in a file, unless the name is mistyped", () => {
    const text = `@user = 1\n${GET}\n\n> ./after.js\n\n###\n${GET}/{{token}}/{{usr}}`;
    const messages = checkText(text, {}).map((fault) => `${fault.message}. ${fault.hint}`);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toContain(
      'the script "./after.js" at line 4, which may set it, is not run',
    );
    expect(messages[1]).toContain('Did you mean "user"');
  });
});
