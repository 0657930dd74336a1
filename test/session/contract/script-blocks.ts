import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Exchange } from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import type { Contract, Lab } from "./lab.ts";

/** Runs a text as a cell of a request file, in which a cell may begin with a script block. */
function runInFile({ run }: Pick<Lab, "run">, text: string, file = "api.http") {
  return run(text, { isRequestFile: true, file, firstLine: 1 });
}

async function sentIn(lab: Lab, text: string, file?: string): Promise<Exchange> {
  const { outcome } = await runInFile(lab, text, file);
  assert.ok(outcome.status === "ok", JSON.stringify(outcome));
  return outcome.result?.value as Exchange;
}

export const scriptBlocks: Contract = {
  "a script block below a request tests its response": async (lab) => {
    const text = `GET ${lab.base}/one

{{
  const { equal } = require('assert');
  test('status', () => {
    equal(response.statusCode, 200);
  });
  test('path', () => equal(response.parsedBody.path, '/two'));
  test.status(200);
  test.header('content-type', 'application/json');
  test.headerContains('content-type', 'xml');
  test.hasResponseBody();
}}
?? status == 200`;
    const { outcome } = await runInFile(lab, text);
    assert.ok(outcome.status === "error");
    assert.deepEqual(
      outcome.assertions?.map(({ passed, location }) => [passed, location.line]),
      [
        [true, 5],
        [false, 8],
        [true, 9],
        [true, 10],
        [false, 11],
        [true, 12],
        [true, 14],
      ],
    );
  },
  "what a script exports is a variable, also one without a request": async (lab) => {
    await lab.ok("client.setVar('user', 'ada')");
    const block = "{{\n  exports.id = 7;\n  exports.late = Promise.resolve(user);\n}}";
    const { outcome } = await runInFile(lab, block);
    assert.equal(outcome.status, "ok");
    const text = `# @name first\n{{\n  const user = 'shadow';\n  exports.who = user + id;\n}}\nGET ${lab.base}/{{id}}/{{late}}/{{who}}`;
    assert.equal(explore((await sentIn(lab, text)).json).path, "/7/ada/shadow7");
    const next = `{{\n  exports.path = first.path.slice(1);\n}}\nGET ${lab.base}/{{path}}`;
    assert.equal(explore((await sentIn(lab, next)).json).path, "/7/ada/shadow7");
  },
  "$global keeps its members, which placeholders can name": async (lab) => {
    const text = `GET ${lab.base}/x\n\n{{\n  $global.list ??= [];\n  $global.list.push(response.parsedBody.path);\n}}`;
    await sentIn(lab, text);
    await sentIn(lab, text);
    const { json } = await sentIn(lab, `GET ${lab.base}/y{{$global.list[1]}}`);
    assert.equal(explore(json).path, "/y/x");
    const { outcome } = await runInFile(lab, `GET ${lab.base}/{{$global.nobody}}`);
    assert.ok(outcome.status === "error");
    assert.match(outcome.error.message, /no script has set it/);
  },
  "a script changes the request, but adds no line to it": async (lab) => {
    const request = `POST ${lab.base}/a\nX-B: 1\nContent-Type: text/plain\n\n{{$uuid}}`;
    const changes = `{{@request
  request.headers['x-a'] = '{{nothing}}';
  delete request.headers['X-B'];
  request.url = request.url.replace('/a', '/b');
  request.method = 'PUT';
  request.body = 'new';
}}\n`;
    const { json } = await sentIn(lab, changes + request);
    assert.deepEqual(
      [explore(json).method, explore(json).path, explore(json).headers["content-length"]],
      ["PUT", "/b", "3"],
    );
    assert.deepEqual(
      [explore(json).headers["x-a"], explore(json).headers["x-b"]],
      ["{{nothing}}", undefined],
    );
    const { length } = lab.session.client.history;
    for (const [code, message] of [
      ["request.headers['X'] = 'a\\r\\nY: b'", /line break/],
      ["request.headers['X Y'] = 'a'", /header name "X Y" is not valid/],
      ["request.method = 'A B'", /method "A B" is not valid/],
      ["exports['a b'] = 1", /Cannot set the variable "a b"/],
      ["nothing.x", /nothing.*\(line 2, column \d+\)$/],
      ["$random.uuid", /^"\$random" of httpYac is not supported: write .*\(line 2, column \d+\)$/],
      [
        "httpFile.fileName",
        /^"httpFile" of httpYac is not supported: use __filename \(line 2, column \d+\)$/,
      ],
      ["throw { code: 7 }", /^The script threw \{ code: 7 \}/],
    ] as const) {
      for (const text of [`{{\n  ${code};\n}}\n${request}`, `{{\n  ${code};\n}}`]) {
        const { outcome } = await runInFile(lab, text);
        if (text.endsWith("}}") && code.startsWith("request.")) continue;
        assert.ok(outcome.status === "error");
        assert.match(outcome.error.message, message);
      }
    }
    assert.equal(lab.session.client.history.length, length);
  },
  "a request that a script cancels is not sent": async (lab) => {
    const text = `{{\n  exports.$cancel = true;\n}}\nGET ${lab.base}/x\n\n###\nGET ${lab.base}/y`;
    const { length } = lab.session.client.history;
    assert.equal(explore((await sentIn(lab, text)).json).path, "/y");
    assert.equal(lab.session.client.history.length, length + 1);
  },
  "a script for each request runs with those of its file": async (lab) => {
    const text = `{{+\n  exports.count = (typeof count === 'number' ? count : 0) + 1;\n  request.headers['X-Count'] = String(exports.count);\n}}\n{{+after\n  exports.seen = response.parsedBody.path;\n}}`;
    await runInFile(lab, text);
    // A cell that is run again replaces its scripts.
    await runInFile(lab, text);
    const one = await sentIn(lab, `\n\nGET ${lab.base}/one`);
    assert.equal(explore(one.json).headers["x-count"], "1");
    const two = await sentIn(lab, `GET ${lab.base}/two{{seen}}`);
    assert.deepEqual(
      [explore(two.json).path, explore(two.json).headers["x-count"]],
      ["/two/one", "2"],
    );
    const other = await sentIn(lab, `GET ${lab.base}/three`, "other.http");
    assert.equal(explore(other.json).headers["x-count"], undefined);
  },
  "a script loads files beside its own": async (lab) => {
    writeFileSync(join(lab.directory, "sign.js"), "exports.sign = (text) => text + '!';");
    const text = `{{\n  const { sign } = require('./sign');\n  exports.signed = sign('a');\n  exports.folder = __dirname;\n}}\nGET ${lab.base}/{{signed}}`;
    assert.equal(explore((await sentIn(lab, text)).json).path, "/a!");
    assert.equal((await lab.ok("client.getVar('folder')")).value, lab.directory);
  },
  "a script without a request fails its cell": async (lab) => {
    for (const [code, message] of [
      ["throw new Error('no')", /no/],
      ["test('one', () => { throw new Error('two'); })", /one failed: two/],
    ] as const) {
      const { outcome } = await runInFile(lab, `{{\n  ${code}\n}}\n\n###\nGET ${lab.base}/x`);
      assert.ok(outcome.status === "error");
      assert.equal(outcome.error.name, "ScriptError");
      assert.match(outcome.error.message, message);
    }
  },
  "a limit ends a script block, and what it prints is masked": async (lab) => {
    const limit = { milliseconds: 1_500, reason: new RangeError("over") };
    const given = { limit, isRequestFile: true, file: "api.http" };
    for (const script of ["await sleep(1e9)", "while (true) {}"]) {
      const { outcome } = await lab.run(`{{\n  ${script}\n}}`, given);
      assert.ok(outcome.status === "error");
      assert.equal(outcome.error.message, "over");
    }
    lab.session.client.setVar("apiKey", "hush-hush-42", { secret: true });
    const { stdout } = await runInFile(lab, "{{\n  console.log('key', apiKey);\n}}");
    assert.equal(stdout(), "key {{apiKey}}\n");
  },
  "a text that code sends runs no script block": async ({ base, ok }) => {
    for (const place of ["{{\n exports.a = 1;\n}}\n\n###\n", "{{\n exports.a = 1;\n}}\n"]) {
      const text = JSON.stringify(`${place}GET ${base}/x`);
      assert.equal((await ok(`await client.send(${text}); client.hasVar("a")`)).value, false);
    }
  },
};
