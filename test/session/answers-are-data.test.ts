import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createJournal } from "../../kernel/repl/journal.ts";
import { parseHttp } from "../../kernel/run/read-document.ts";
import { renderEntries } from "../../kernel/run/render-document.ts";
import { createSession, type Session } from "../../kernel/session/mod.ts";
import { startKernel } from "../jupyter/kernel-process.ts";
import { openRestlab } from "../repl/terminal.ts";
import { restlab } from "../support/command.ts";
import { type Answers, isHeaderValue, startAnswers } from "./answers.ts";

let answers: Answers;
let session: Session;

beforeAll(async () => {
  answers = await startAnswers();
  await writeFile(
    join(answers.folder, "http-client.env.json"),
    JSON.stringify({ dev: { filled: "{{v}}" } }),
  );
  session = await open();
});

afterAll(async () => {
  await session.close();
  await answers.close();
});

async function open(): Promise<Session> {
  const { base, environment, folder: directory } = answers;
  const read = (path: string): Promise<Uint8Array> => readFile(resolve(directory, path));
  const opened = await createSession({ platform: { directory, environment, readFile: read } });
  opened.client.setVar("base", base);
  return opened;
}

const sink = { stream: () => undefined, display: () => undefined };

/** Runs a cell; returns whether it succeeded. */
async function run(cell: string, isRequestFile = false): Promise<boolean> {
  return (await session.execute(cell, sink, { isRequestFile })).status === "ok";
}

const POST = "POST {{base}}/sink\nContent-Type: text/plain\n\n{{v}}";
const answered = (n: number, script: string): string =>
  `# @name answer\nGET {{base}}/answer?n=${n}\n\n${script}`;
const set = (n: number): Promise<boolean> =>
  run(answered(n, '> {% client.global.set("v", response.body.text) %}'));

/** Fetches an answer, and sends what it says in the body of a request: its text, and nothing else. */
const BODIES: Readonly<Record<string, (n: number, text: string) => Promise<unknown>>> = {
  "client.global.set": async (n) => (await set(n)) && (await run(POST)),
  "request.variables.set": async (n) => {
    await run(answered(n, '> {% client.global.set("other", response.body.text) %}'));
    await run(`< {% request.variables.set("v", client.global.get("other")) %}\n${POST}`);
  },
  exports: async (n) => {
    await run(answered(n, "{{\nexports.v = response.parsedBody.text;\n}}"));
    await run(POST);
  },
  "a line of a variable": async (n) => {
    await run(answered(n, ""));
    await run(`@v = {{answer.response.body.text}}\n${POST}`);
  },
  "a lazy line of a variable": async (n) => {
    await run(answered(n, ""));
    await run(`@v := {{answer.response.body.text}}\n${POST}`);
  },
  "a loop": async (n) => {
    await run(answered(n, '> {% client.global.set("list", response.body.list) %}'));
    await run(`# @loop for v of list\n${POST}`);
  },
  "a value of an environment": async (n) => {
    await set(n);
    await session.client.useEnv("dev");
    await run(POST.replace("{{v}}", "{{filled}}"));
  },
  "client.setVar": async (_n, text) => {
    session.client.setVar("v", text);
    await session.client.send(POST);
  },
  "a request as data": async (_n, body) => {
    await session.client.send({ url: `${answers.base}/sink`, body });
  },
  "a script that changes the body": async (n) => {
    await set(n);
    await run(`{{\nrequest.body = v;\n}}\n${POST.replace("{{v}}", "x")}`, true);
  },
};

/** Sends the text of an answer in a header, so often. */
const HEADERS: Readonly<
  Record<string, readonly [times: number, door: (n: number, text: string) => Promise<unknown>]>
> = {
  "a global header": [
    4,
    async (n) => {
      await run(answered(n, '> {% client.global.headers.set("X-Value", response.body.text) %}'));
      await run("GET {{base}}/sink\n\n###\nGET {{base}}/sink");
      const url = `${answers.base}/sink`;
      await session.client.send(`GET ${url}`).catch(refused);
      await session.client.send({ url }).catch(refused);
    },
  ],
  "a global header of the same text": [
    1,
    (n) =>
      run(
        `${answered(n, '> {% client.global.headers.set("X-Value", response.body.text) %}')}\n\n###\nGET {{base}}/sink`,
      ),
  ],
  "a placeholder": [
    1,
    async (n) => {
      await set(n);
      await run("GET {{base}}/sink\nX-Value: {{v}}");
    },
  ],
  "a header as data": [
    1,
    (_n, text) =>
      session.client
        .send({ url: `${answers.base}/sink`, headers: { "X-Value": text } })
        .catch(refused),
  ],
};

const refused = (error: Error): void =>
  expect(error.name).toMatch(/^(?:InvalidHeaderError|UnsendableRequestError)$/);

let ways = 0;

/** Applies a function to the texts, and checks after each that the answer did nothing. */
async function each(check: (n: number, text: string) => Promise<void>): Promise<void> {
  for (const n of answers.numbersFor(ways++)) {
    const text = answers.texts[n] ?? "";
    try {
      await check(n, text);
      expect(answers.take()).toEqual([]);
    } catch (error) {
      throw new Error(`${JSON.stringify(text)}: ${(error as Error).message}`);
    } finally {
      session.settings.headers.clear();
      session.client.clearVars();
      session.client.setVar("base", answers.base);
    }
  }
}

const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, "");

describe("what comes from an answer is data", () => {
  for (const [name, door] of Object.entries(BODIES)) {
    test(`in a body, by ${name}`, () =>
      each(async (n, text) => {
        await door(n, text);
        expect(answers.take().map(({ body }) => body)).toEqual([text]);
      }));
  }

  for (const [name, [times, door]] of Object.entries(HEADERS)) {
    test(`in a header, by ${name}`, () =>
      each(async (n, text) => {
        await door(n, text);
        const expected = isHeaderValue(text) ? Array(times).fill(trimmed(text)) : [];
        expect(answers.take().map(({ header }) => header)).toEqual(expected);
      }));
  }

  test("in JSON, in a part of a form, and in a URL", () =>
    each(async (n, text) => {
      await set(n);
      await run('POST {{base}}/sink?v={{%v}}\n\n{"v": "{{v}}"}');
      await run(
        'POST {{base}}/sink\nContent-Type: multipart/form-data; boundary=x\n\n--x\nContent-Disposition: form-data; name="a"\n\n{{v}}\n--x--',
      );
      const [json, form] = answers.take();
      expect(JSON.parse(json?.body ?? "")).toEqual({ v: text });
      expect(new URL(json?.path ?? "", answers.base).searchParams.get("v")).toBe(text);
      expect(form?.body).toContain(`\r\n\r\n${text}\r\n--x--`);
    }));

  test("as an argument of a generator", () =>
    each(async (n) => {
      for (const call of ["alphabetic(text)", "integer(text, 9)", "hexadecimal(text)"]) {
        const script = `> {% const { text } = response.body; client.global.set("v", $random.${call}) %}`;
        expect(await run(answered(n, script))).toBe(false);
      }
    }));

  test("in a redirect and in the links of a listing", () =>
    each(async (n, text) => {
      const { client } = session;
      if (isHeaderValue(text)) {
        await client.send(`GET {{base}}/redirect?n=${n}`);
        expect(answers.take()).toHaveLength(1);
      }
      await client.paginate(`GET {{base}}/next?n=${n}`, { by: "cursor", path: "next" }).all();
      expect(answers.take()).toHaveLength(1);
      const byCursor = { by: "cursor", path: "text", parameter: "c" } as const;
      const pages = client.paginate(`GET {{base}}/answer?n=${n}`, byCursor)[Symbol.asyncIterator]();
      await pages.next();
      const { url } = (await pages.next()).value.request;
      expect(new URL(url).searchParams.get("c")).toBe(text);
    }));

  test("in a request that is written as request text, or for curl, and sent again", () =>
    each(async (_n, text) => {
      const { client } = session;
      const exchange = await client.send({
        method: "POST",
        url: `${answers.base}/sink?v=${text.replace(/#/g, "")}`,
        headers: { "Content-Type": "text/plain", ...(isHeaderValue(text) && { "X-Value": text }) },
        body: text,
      });
      const [sent] = answers.take();
      for (const written of [exchange.toHttp(), exchange.toCurl()]) {
        await client.send(written);
        for (const { source } of parseHttp(written, "a.http").cells) await run(source, true);
        expect(answers.take()).toEqual([sent, sent]);
      }
    }));

  test("in a request that .write has written", () =>
    each(async (_n, text) => {
      const { client, settings } = session;
      const headers = new Map(isHeaderValue(text) ? [["X-Value", text]] : []);
      const journal = createJournal();
      client.setVar("v", text);
      for (const [name, value] of headers) settings.headers.set(name, value);
      for (const source of [POST, "curl {{base}}/sink -H 'Content-Type: text/plain' -d '{{v}}'"]) {
        await run(source);
        journal.add(source, headers);
      }
      const sent = answers.take();
      expect(sent).toHaveLength(2);
      const files = [
        ["a.http", journal.toHttp(client, () => false).entries],
        ["a.ipynb", journal.toNotebook(client).entries],
      ] as const;
      settings.headers.clear();
      const [file, notebook] = files.map(([path, entries]) => renderEntries(path, entries));
      for (const { source } of JSON.parse(notebook ?? "").cells) await run(source.join(""));
      expect(answers.take()).toEqual(sent);
      client.clearVars();
      for (const { source } of parseHttp(file ?? "", "a.http").cells) await run(source, true);
      expect(answers.take()).toEqual(sent);
    }));

  test("in a login that is a variable", () =>
    each(async (_n, text) => {
      const login = {
        Type: "OAuth2",
        "Grant Type": "Client Credentials",
        "Token URL": `${answers.base}/sink`,
        "Client ID": text,
      };
      session.client.setVar("Security", { Auth: { mine: login } });
      await run('GET {{base}}/answer?v={{$auth.token("mine")}}');
      const [asked, ...more] = answers.take();
      expect(new URLSearchParams(asked?.body).get("client_id")).toBe(text);
      expect(more).toEqual([]);
    }));

  // The last one, since the texts are secrets from here on.
  test("in credentials", () =>
    each(async (n, text) => {
      const { client } = session;
      client.setVar("login", { tokenEndpoint: `${answers.base}/evil`, clientId: "a" });
      const script = '> {% client.global.headers.set("Authorization", response.body.text) %}';
      await run(answered(n, script));
      await run("GET {{base}}/sink");
      session.settings.headers.clear();
      client.setVar("v", text);
      await run("GET {{base}}/sink\nAuthorization: {{v}}");
      await run("{{\nrequest.headers.Authorization = v;\n}}\nGET {{base}}/sink", true);
      const headers = { Authorization: text };
      await client.send({ url: `${answers.base}/sink`, headers }).catch(refused);
      const expected = isHeaderValue(text) ? Array(4).fill(trimmed(text)) : [];
      expect(answers.take().map(({ header }) => header)).toEqual(expected);
    }));
});

/** Fetches an answer and sets what it says as a variable and as a global header; then sends both. */
const cells = (base: string, n: number): readonly [string, string] => [
  `GET ${base}/answer?n=${n}

> {%
  client.global.set("v", response.body.text);
  client.global.headers.set("X-Value", response.body.text);
%}`,
  `POST ${base}/sink\nContent-Type: text/plain\n\n{{v}}`,
];

describe("what comes from an answer is data in each command", () => {
  let numbers: readonly number[] = [];
  beforeEach(() => {
    numbers = answers.numbersFor(ways++);
  });
  const all = (): readonly number[] => numbers;
  const valid = (): readonly number[] => all().filter((n) => isHeaderValue(answers.texts[n] ?? ""));
  /** What the server receives of these texts; a header that cannot be sent prevents the request. */
  const sentOf = (numbers: readonly number[]): readonly object[] =>
    numbers.flatMap((n) => {
      const text = answers.texts[n] ?? "";
      if (!isHeaderValue(text)) return [];
      return [{ path: "/sink", header: trimmed(text), body: text }];
    });
  const write = async (name: string, numbers: readonly number[]): Promise<string> => {
    const path = join(answers.folder, name);
    // A header that cannot be sent prevents all further requests.
    const clear = '< {% client.global.headers.clear("X-Value") %}';
    const sources = numbers.flatMap((n) => {
      const [first, second] = cells(answers.base, n);
      return [`${clear}\n${first}`, second];
    });
    await writeFile(path, renderEntries(name, sources));
    return path;
  };
  const start = (...args: readonly string[]): ReturnType<typeof restlab> =>
    restlab("node", args, { cwd: answers.folder, env: answers.environment });

  test("run, test, and run with a recording", async () => {
    const file = await write("all.http", all());
    expect((await start("test", file)).status).toBe(1);
    expect(answers.take()).toEqual(sentOf(all()));
    expect((await start("run", "--keep-going", "--record", "all.har", file)).status).toBe(1);
    expect(answers.take()).toEqual(sentOf(all()));
    expect((await start("run", "--keep-going", "--replay", "all.har", file)).status).toBe(1);
    expect(answers.take()).toEqual([]);
  });

  test("verify --update, and run what it has written", async () => {
    const file = await write("all.ipynb", valid());
    for (const args of [
      ["run", "-o", file, file],
      ["verify", "--update", file],
      ["run", file],
    ]) {
      expect(await start(...args)).toMatchObject({ status: 0 });
      expect(answers.take()).toEqual(sentOf(valid()));
    }
  });

  test("-e, with requests of texts and of code", async () => {
    const code = (cell: string): string =>
      `await client.send(${JSON.stringify(cell)}).catch(({ name }) => console.error(name))`;
    const invalid = all().filter((n) => !valid().includes(n));
    const entries = [...valid(), ...invalid.slice(0, 1)].flatMap((n) => {
      const [first, second] = cells(answers.base, n);
      return ["-e", first, "-e", code(second)];
    });
    expect(await start("-q", ...entries)).toMatchObject({
      status: 0,
      stderr: "InvalidHeaderError\n",
    });
    expect(answers.take()).toEqual(sentOf(valid()));
  });

  test("a kernel", async () => {
    const kernel = await startKernel("node");
    try {
      for (const cell of valid().flatMap((n) => cells(answers.base, n))) {
        await kernel.client.execute(cell);
      }
      expect(answers.take()).toEqual(sentOf(valid()));
    } finally {
      await kernel.dispose();
    }
  });

  test("the prompt, and run with what .write has written there", async () => {
    const some = valid().filter((_, at) => at % 3 === 0);
    const lab = openRestlab("node", [], { cwd: answers.folder, env: answers.environment });
    await lab.prompts();
    for (const entry of [...some.flatMap((n) => cells(answers.base, n)), ".write w.http"]) {
      lab.paste(entry);
      lab.type("\r");
      await lab.prompts();
    }
    lab.type("\u0004");
    expect(await lab.ended).toBe(0);
    expect(answers.take()).toEqual(sentOf(some));
    expect(await start("run", "w.http")).toMatchObject({ status: 0 });
    expect(answers.take()).toEqual(sentOf(some));
  });
});
