import assert from "node:assert/strict";
import { explore } from "../support/explore.ts";
import { type Check, type Context, checks } from "./check.ts";

/** The address of a route that answers with this JSON. */
function json(value: unknown): string {
  const hex = Buffer.from(JSON.stringify(value)).toString("hex");
  return `{{base}}/body?hex=${hex}&type=application/json`;
}

function newClient(
  { lib, base }: Context,
  options: Parameters<Context["lib"]["createClient"]>[0] = {},
) {
  const lab = lib.createClient(options);
  lab.setVar("base", base);
  return lab;
}

/** Files in memory, absent ones as Node, or else Deno, tells them. */
function files(texts: Readonly<Record<string, string>>, deno = false) {
  return async (path: string): Promise<Uint8Array> => {
    const text = texts[path];
    if (text !== undefined) return new TextEncoder().encode(text);
    const error = new Error("No such file or directory");
    throw Object.assign(error, deno ? { name: "NotFound" } : { code: "ENOENT" });
  };
}

/** Names of answers, environments, questions. */
export const scopeChecks: readonly Check[] = checks({
  async "a named answer is reached by body, headers without case, status and request"(context) {
    const lab = newClient(context);
    const answer = { token: "t-1", list: [{ "odd key": 7 }], big: 12345678901234567890n };
    await lab.send(`# @name login\nGET ${json({ ...answer, big: 0 })}`);
    const { url } = lab.render(
      `GET http://x/{{login.response.body.token}}/{{login.response.body.list[0]["odd key"]}}` +
        "/{{login.response.status}}/{{login.response.headers.CONTENT-type}}" +
        "/{{login.request.method}}/{{login.token}}/{{login.response.body.$.token}}",
    );
    assert.equal(url, "http://x/t-1/7/200/application/json/GET/t-1/t-1");
    assert.equal(explore(lab.responses["login"]?.json).token, "t-1");
  },
  async "a request as data has a name as well"(context) {
    const lab = newClient(context);
    const exchange = await lab.send({ name: "sent", url: `${context.base}/echo` });
    const { responses } = lab;
    assert.equal(responses["sent"], exchange);
    // It is the same object at any time: to copy it for each request would cost more with each name.
    const later = await lab.send({ name: "__proto__", url: `${context.base}/echo` });
    assert.equal(Object.getOwnPropertyDescriptor(responses, "__proto__")?.value, later);
    assert.deepEqual(Object.keys(responses), ["sent", "__proto__"]);
    for (const name of ["sent", "other"]) {
      assert.throws(() => Object.assign(responses, { [name]: exchange }), TypeError);
    }
    assert.throws(() => Object.freeze(responses), TypeError);
    assert.equal(lab.render("GET http://x{{sent.url}}").url, "http://x/echo");
  },
  async "an answer keeps its types: numbers, lists and long integers"(context) {
    const lab = newClient(context);
    const hex = Buffer.from('{"id": 12345678901234567890, "tags": ["a"]}').toString("hex");
    await lab.send(`# @name one\nGET {{base}}/body?hex=${hex}&type=application/json`);
    const { body } = lab.render(
      'POST http://x\n\n{"id": {{one.response.body.id}}, "tags": {{one.response.body.tags}}}',
    );
    assert.match(String(body), /"id": 12345678901234567890, "tags": \[\n {2}"a"\n\]/);
  },
  async "a name that an answer does not have is told with those near it, or else all"(context) {
    const lab = newClient(context);
    await lab.send(`# @name ada\nGET ${json({ name: "Ada", response: "its own" })}`);
    assert.throws(() => lab.render("GET http://x/{{ada.nmae}}"), /Did you mean "name"\?/);
    const all = /Known here: "response", "request", "name"$/m;
    assert.throws(() => lab.render("GET http://x/{{ada.zzzz}}"), all);
    await lab.send(`# @name ada\nGET ${json([1])}`);
    assert.throws(
      () => lab.render("GET http://x/{{ada.zzzz}}"),
      /Known here: "response", "request"$/m,
    );
  },
  async "the newest answer of a name counts"(context) {
    const lab = newClient(context);
    await lab.sendAll(
      `# @name a\nGET ${json(1)}\n\n###\n# @name a\nGET ${json({ n: 2 })}\n\n###\n@n = {{a.response.body.n}}`,
    );
    assert.equal(lab.getVar("n"), 2);
  },
  async "a large answer is not parsed before a path goes into it"(context) {
    const lab = newClient(context);
    const exchange = await lab.send(`# @name a\nGET {{base}}/body?hex=7b&type=application/json`);
    assert.equal(lab.render("GET http://x/{{a.response.status}}").url, "http://x/200");
    assert.throws(() => exchange.json, SyntaxError);
    assert.equal(lab.render("GET http://x/{{a.response.body}}").url, "http://x/{");
  },
  async "a request that was not sent is an error that says to run it"(context) {
    const lab = newClient(context);
    lab.define("# @name login\nGET {{base}}/echo");
    for (const text of ["GET http://x/{{login.response.body.a}}", "GET http://x/{{login.a}}"]) {
      assert.throws(
        () => lab.render(text),
        /the request "login" has not been sent yet.*@ref login/s,
      );
    }
    assert.equal(lab.history.length, 0);
  },
  async "@ref sends a request first, once, and @forceRef each time"(context) {
    const lab = newClient(context);
    lab.define(`@where = {{base}}/body\n# @name login\nGET {{where}}?hex=2231&hex=22`);
    lab.define(`# @name list\n# @ref login\nGET ${json({ id: 5 })}`);
    const text = "# @ref list\n@id = {{list.id}}\nGET {{base}}/echo?{{id}}";
    assert.equal(explore((await lab.send(text)).json).url, "/echo?5");
    const paths = () => lab.history.map(({ request }) => request.name ?? "-").join();
    assert.equal(paths(), "login,list,-");
    await lab.send(text);
    assert.equal(paths(), "login,list,-,-");
    await lab.send("# @forceRef list\nGET {{base}}/echo");
    assert.equal(paths(), "login,list,-,-,list,-");
  },
  async "@ref sends a request again whose answer was an error"(context) {
    const lab = newClient(context);
    await lab.send(`# @name login\nGET {{base}}/flaky/${crypto.randomUUID()}`);
    assert.equal(lab.responses["login"]?.status, 503);
    await lab.send("# @ref login\nGET {{base}}/echo");
    assert.equal(lab.responses["login"]?.status, 200);
  },
  async "references in a cycle or to unknown requests are refused, and nothing is sent"(context) {
    const lab = newClient(context);
    const text =
      "# @name a\n# @ref b\nGET {{base}}/echo\n\n###\n# @name b\n# @ref a\nGET {{base}}/echo";
    await assert.rejects(lab.sendAll(text), /in a cycle, b → a → b/);
    await assert.rejects(
      lab.send("# @ref nope\nGET {{base}}/echo"),
      /Cannot refer to "nope": no request has this name/,
    );
    assert.equal(lab.history.length, 0);
  },
  async "an environment's variables come from its files, private before public, set before both"(
    context,
  ) {
    for (const deno of [false, true]) {
      const readFile = files(
        {
          ".env": "A=env\nB='from env'\nAPI_TOKEN=env-token",
          "http-client.env.json":
            '{"$shared": {"C": "shared", "A": "s"}, "dev": {"A": "dev", "n": 3}}',
          "http-client.private.env.json": '{"dev": {"password": "hunter2"}}',
          "restlab.env.json": '{"dev": {"at": {"$date": "2024-01-02T03:04:05.678Z"}}}',
        },
        deno,
      );
      const lab = newClient(context, { readFile });
      lab.setVar("n", 4);
      await lab.useEnv("dev");
      const { url } = lab.render(
        "GET http://x/{{A}}/{{B}}/{{C}}/{{n}}/{{password}}/{{at}}/{{$dotenv A}}",
      );
      assert.equal(url, "http://x/dev/from env/shared/4/hunter2/2024-01-02T03:04:05.678Z/env");
      assert.ok(lab.getVar("at") instanceof Date);
      const kinds = ["A", "n", "password", "API_TOKEN", "B"].map((name) => lab.origin(name));
      assert.deepEqual(
        kinds.map((origin) => [origin?.kind, origin?.file, origin?.environment, origin?.secret]),
        [
          ["environment", "http-client.env.json", "dev", false],
          ["set", undefined, undefined, false],
          ["environment", "http-client.private.env.json", "dev", true],
          ["environment", ".env", undefined, true],
          ["environment", ".env", undefined, false],
        ],
      );
      lab.deleteVar("n");
      assert.equal(lab.getVar("n"), 3);
      await lab.useEnv();
      assert.deepEqual([...lab.vars.keys()].sort(), ["A", "API_TOKEN", "B", "C", "base"]);
    }
  },
  async "an environment that no file has is told with those that there are"(context) {
    const readFile = files({ "http-client.env.json": '{"dev": {}, "staging": {}}' });
    const lab = newClient(context, { readFile });
    await assert.rejects(
      lab.useEnv("stagin"),
      /the files define dev, staging\. Did you mean "staging"\?/,
    );
    await assert.rejects(newClient(context, { readFile: files({}) }).useEnv("dev"), {
      name: "EnvironmentError",
    });
  },
  async "a name that leads elsewhere, or is no name, is refused and leads to no other file"(
    context,
  ) {
    const read: string[] = [];
    const readFile = async (path: string): Promise<Uint8Array> => {
      read.push(path);
      return new TextEncoder().encode("{}");
    };
    const lab = newClient(context, { readFile });
    const names = [
      "../a",
      "a/../../b",
      "a\\b",
      "..",
      ".hidden",
      "a..b",
      "a\0b",
      "a\u001b[2J",
      "a\u202eb",
    ];
    for (const name of [...names, "", "a".repeat(101), "C:a", "$shared"]) {
      await assert.rejects(lab.useEnv(name), {
        name: "EnvironmentError",
        message: /^Cannot use the environment ".*": a name has up to 100 letters/,
      });
    }
    const fixed =
      /^(?:(?:env\/)?\.env|\.vscode\/settings\.json|\.httpyac\.json|httpyac\.config\.json|(?:http-client|rest-client|restlab)(?:\.private)?\.env\.json)$/;
    assert.deepEqual(
      read.filter((path) => !fixed.test(path)),
      [],
    );
    for (const name of ["dev", "eu-west.1", "Größe (lokal)", "me@home_2"]) {
      assert.equal((await lab.useEnv(name)).name, name);
    }
  },
  async "an environment file has a limit"(context) {
    const readFile = async (): Promise<Uint8Array> => new Uint8Array(16 * 1024 * 1024 + 1);
    await assert.rejects(newClient(context, { readFile }).useEnv(), /larger than 16777216 bytes/);
  },
  async "a question is asked for each request, and its answer kept from displays"(context) {
    const asked: unknown[] = [];
    const lab = newClient(context, {
      ask: async ({ name, description, secret }) => {
        asked.push([name, description, secret]);
        return name === "password" ? "hunter2" : `${name}-${asked.length}`;
      },
    });
    const text =
      "# @prompt user Your name\n# @prompt password\nGET {{base}}/echo?{{user}}:{{password}}";
    assert.equal(explore((await lab.send(text)).json).url, "/echo?user-1:hunter2");
    assert.equal(explore((await lab.send(text)).json).url, "/echo?user-3:hunter2");
    assert.deepEqual(asked[0], ["user", "Your name", false]);
    assert.deepEqual(asked[1], ["password", "password", true]);
    assert.equal(lab.hasVar("user"), false);
    assert.doesNotMatch(String(lab.last), /hunter2/);
  },
  async "questions that nobody can be asked are told all at once, and variables answer them"(
    context,
  ) {
    const lab = newClient(context);
    const text =
      "# @prompt a\nGET {{base}}/echo?{{a}}\n\n###\n# @prompt b\nGET {{base}}/echo?{{b}}{{$input c}}";
    await assert.rejects(lab.sendAll(text), (error: Error) => {
      assert.equal(error.name, "PromptError");
      assert.deepEqual((error as Error & { names: unknown }).names, ["a", "b", "c"]);
      return true;
    });
    assert.equal(lab.history.length, 0);
    for (const name of ["a", "b", "c"]) lab.setVar(name, name.toUpperCase());
    const answers = await lab.sendAll(text);
    assert.deepEqual(
      answers.map((it) => explore(it.json).url),
      ["/echo?A", "/echo?BC"],
    );
  },
  async "variables are saved with their types, secrets are not, and come back"(context) {
    const written = new Map<string, string>();
    const lab = newClient(context, {
      writeFile: async (path, text) => {
        written.set(path, text);
      },
    });
    const values = { at: new Date(0), big: 5n, list: [1, { $date: "no" }], text: "é", none: null };
    for (const [name, value] of Object.entries(values)) lab.setVar(name, value);
    lab.setVar("deliveryKey", "plain-secret-1", { secret: true });
    const saved = await lab.save();
    assert.deepEqual(saved, {
      path: "restlab.vars.json",
      names: ["base", ...Object.keys(values)],
      leftOut: ["deliveryKey"],
    });
    lab.secrets.learn({ kind: "value", value: saved }, "person");
    assert.equal(lab.secrets.mask("it is deliveryKey"), "it is deliveryKey", "its name is none");
    const file = written.get("restlab.vars.json") ?? "";
    assert.doesNotMatch(file, /plain-secret/);
    const full = newClient(context, {
      writeFile: () => Promise.reject(new Error("no space left")),
    });
    await assert.rejects(full.save("a.json"), {
      name: "EnvironmentError",
      message: 'Cannot save the variables to "a.json": no space left',
    });
    const other = context.lib.createClient({ readFile: files({ "restlab.vars.json": file }) });
    await other.load();
    for (const [name, value] of Object.entries(values)) assert.deepEqual(other.getVar(name), value);
    assert.equal(other.origin("at")?.kind, "saved");
  },
  async "an environment file that is no JSON is told by its place, not by what stands there"({
    lib,
  }) {
    const name = "http-client.private.env.json";
    const readFile = files({ [name]: '{"dev": {\n  "apiKey": Sup3r-S3cret-Key}}' });
    const lab = lib.createClient({ readFile });
    await lab.useEnv("dev");
    const error = await lab.send("GET http://x/{{apiKey}}").catch((it: unknown) => it as Error);
    assert.ok(error instanceof Error);
    assert.match(error.message, new RegExp(`${name}:2 sets it, but its value is not valid JSON`));
    assert.doesNotMatch(error.message, /Sup3r/);
    const broken = lib.createClient({ readFile: files({ [name]: '{"dev": {"a": S3cret' }) });
    await assert.rejects(broken.useEnv("dev"), {
      message: `Cannot use "${name}": a "}" is missing in line 1`,
    });
  },
  async "realistic data comes from the library itself, by the names of the peers, and a seed repeats it"(
    context,
  ) {
    const text =
      `POST ${context.base}/echo\nContent-Type: text/plain\n\n` +
      "{{$randomFullName}}, {{$random.name.firstName}}, {{$faker.location.city}}, {{$randomEmail}}";
    let loads = 0;
    const once = async (): Promise<string> => {
      const loadFaker = (): Promise<unknown> => {
        loads += 1;
        return import("@faker-js/faker");
      };
      const lab = newClient(context, { loadFaker, seed: "people" });
      await lab.send(`GET ${context.base}/echo?id={{$uuid}}`);
      assert.equal(loads % 2, 0, "what asks for none loads nothing");
      await lab.send(text);
      const [first, second] = [lab.last.request.body, (await lab.send(text)).request.body];
      assert.notEqual(first, second);
      loads += 1;
      return String(first);
    };
    const people = await once();
    assert.match(people, /^\S+ \S.*, \S+, .+, \S+@\S+$/);
    assert.equal(await once(), people);
    assert.equal(loads, 4, "it is loaded once for each client");
  },
});
