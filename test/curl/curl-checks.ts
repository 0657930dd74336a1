import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { createClient as createPlainClient, type Exchange } from "../../lib/mod.ts";
import { type Check, type Context, checks } from "../http/check.ts";
import { explore } from "../support/explore.ts";

const run = promisify(execFile);

interface Seen {
  readonly status: number;
  readonly via: string;
  readonly body: unknown;
}

/** What curl itself gets: its status, who it came through, and the body. */
async function byCurl(command: string): Promise<Seen> {
  const { HTTP_PROXY: _upper, http_proxy: _lower, ...env } = process.env;
  const { stdout } = await run("bash", ["-c", command.replace("curl ", "curl -sSi ")], { env });
  let rest = stdout;
  let head = "";
  // Every hop, every challenge and the proxy have a head of their own; the last one counts.
  for (let found = HEAD.exec(rest); found !== null; found = HEAD.exec(rest)) {
    head = found[0];
    rest = rest.slice(head.length);
  }
  return {
    status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]),
    via: /^via: (.*?)\r?$/im.exec(head)?.[1] ?? "",
    body: bare(rest),
  };
}

const HEAD = /^HTTP\/[\s\S]*?\r\n\r\n/;

function seen({ status, headers, text }: Exchange): Seen {
  return { status, via: headers.get("via") ?? "", body: bare(text) };
}

/** What both ask for alike: each program has headers of its own beside it. */
function bare(text: string): unknown {
  try {
    const { method, url, body, name, user } = JSON.parse(text);
    return { method, url, body, name, user };
  } catch {
    return text;
  }
}

async function sameAsCurl({ lib, outside }: Context, command: string): Promise<Exchange> {
  const exchange = await lib.createClient({ ...outside }).send(command);
  assert.deepEqual(seen(exchange), await byCurl(command), command);
  return exchange;
}

function filesOf({ folder, ca, client }: Context): Readonly<Record<string, string>> {
  const texts = { ca, cert: client.cert, key: client.key, both: `${client.cert}\n${client.key}` };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const path = join(folder, `curl-${name}.pem`);
      writeFileSync(path, text);
      return [name, path];
    }),
  );
}

/** Options of curl that are about the connection, each beside curl itself. */
const besideCurl = {
  async "curl --cacert, --cert, --key and --pass reach the same servers as curl"(context) {
    const { tls, mutual } = context;
    const { ca, cert, key, both } = filesOf(context);
    assert.equal((await sameAsCurl(context, `curl --cacert ${ca} ${tls}/echo`)).status, 200);
    const shown = await sameAsCurl(
      context,
      `curl --cacert ${ca} -E ${cert} --key ${key} ${mutual}`,
    );
    assert.equal(explore(shown.json).name, "ada");
    const one = await sameAsCurl(context, `curl ${mutual} --cacert ${ca} --cert ${both}`);
    assert.equal(explore(one.json).name, "ada");
    assert.equal((await sameAsCurl(context, `curl ${mutual} --cacert ${ca}`)).status, 403);
  },
  async "curl -d @file, --data-urlencode name@file and -F text beside a file send the same as curl"(
    context,
  ) {
    const { folder, base } = context;
    const [text, plus, file] = ["lines.txt", "plus.txt", "up.json"].map((it) => join(folder, it));
    writeFileSync(text ?? "", "a=1&b=two\r\n&c={{not}}\n");
    writeFileSync(plus ?? "", "ä & b~c\n");
    writeFileSync(file ?? "", '{\n  "a": [1]\n}\n');
    for (const options of [
      `-d @${text}`,
      `-d x=1 -d @${text} --data-urlencode n@${plus} --data-urlencode @${plus}`,
      `--json @${file}`,
      `-H 'Content-Type: application/json' -d @${file}`,
      `--data-binary @${file} -d y=2`,
    ]) {
      await sameAsCurl(context, `curl ${base}/echo ${options}`);
    }
    const fields = `--form-string 'a=\n< no file' -F f=@${file}`;
    const { json } = await context.lib
      .createClient({ ...context.outside })
      .send(`curl ${base}/echo ${fields}`);
    assert.match(explore(json).body, /\r\n\r\n\n< no file\r\n--/);
  },
  async "curl -k accepts every certificate"(context) {
    const { lib, outside, tls } = context;
    const command = `curl -k ${tls}/echo`;
    const exchange = await sameAsCurl(context, command);
    assert.match(exchange.warnings[0] ?? "", /^The certificate was not checked \(insecure\)/);
    await assert.rejects(lib.createClient({ ...outside }).send(`curl ${tls}/echo`), {
      code: "certificate",
    });
    await assert.rejects(createPlainClient().send(command), {
      message: /^Cannot use the connection options insecure: this client has only fetch/,
    });
  },
  async "curl -x, -U and --noproxy use the same proxy as curl"(context) {
    const { base, tls, proxy, guarded } = context;
    const { ca } = filesOf(context);
    const host = new URL(guarded).host;
    const plain = await sameAsCurl(context, `curl -x ${proxy} ${base}/echo`);
    assert.equal(plain.headers.get("via"), "1.1 test");
    await sameAsCurl(context, `curl --proxy ${new URL(proxy).host} --cacert ${ca} ${tls}/echo`);
    const known = await sameAsCurl(context, `curl -x ${host} -U 'ada:pa:ss' ${base}/echo`);
    assert.equal(known.headers.get("via"), "1.1 test");
    const left = await sameAsCurl(context, `curl -x ${proxy} --noproxy 127.0.0.1 ${base}/echo`);
    assert.equal(left.headers.get("via"), null);
  },
  async "curl --unix-socket reaches the same server as curl"(context) {
    if (process.platform === "win32") return;
    const path = join(context.folder, "curl.sock");
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ url: request.url, name: request.headers.host }));
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      const exchange = await sameAsCurl(
        context,
        `curl --unix-socket ${path} http://local.test/x?a=1`,
      );
      assert.deepEqual(exchange.json, { url: "/x?a=1", name: "local.test" });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
  async "curl -f fails on a status of 400 and above, with its response"({ lib, base }) {
    const lab = lib.createClient();
    assert.equal((await lab.send(`curl -sSf ${base}/status/204`)).status, 204);
    for (const option of ["-f", "--fail-with-body"]) {
      await assert.rejects(lab.send(`\ncurl ${option} ${base}/status/404`), {
        name: "AssertionError",
        message: /status < 400 failed: .*found 404/,
      });
      assert.equal(lab.last.status, 404);
      assert.equal(lab.last.assertions[0]?.location.line, 2);
    }
  },
  async "curl --digest answers the challenge"(context) {
    const url = `${context.digest}/digest`;
    assert.equal((await sameAsCurl(context, `curl --digest -u ada:secret ${url}`)).status, 200);
    const blanks = `${url}?user=ada&password=a%20b%3Ac`;
    await sameAsCurl(context, `curl --digest -u 'ada:a b:c' '${blanks}' -d x=1`);
    assert.equal((await sameAsCurl(context, `curl --digest -u ada:wrong ${url}`)).status, 401);
  },
  async "a Basic password is written as its placeholder, which all three forms accept"({
    lib,
    base,
  }) {
    for (const password of ["hush-hush-42", "pä ss:word{{x", "  two  blanks"]) {
      const lab = lib.createClient();
      lab.setVar("password", password, { secret: true });
      const credentials = "ada {{password}}";
      const auth = { type: "basic", username: "ada", password } as const;
      const sent = await lab.send({ url: `${base}/echo`, auth });
      const { authorization } = explore(sent.json).headers;
      assert.equal(sent.toCurl(), `curl ${base}/echo \\\n  -u 'ada:{{password}}'`);
      assert.equal(sent.toHttp(), `GET ${base}/echo\nAuthorization: Basic ${credentials}`);
      assert.match(sent.toFetch(), /"Authorization": "Basic " \+ btoa\("ada:\{\{password\}\}"\)/);
      // Blanks that a text begins with are those before it.
      const again = password.startsWith(" ") ? [] : [sent.toCurl(), sent.toHttp()];
      for (const text of again) {
        assert.equal(
          explore((await lab.send(text)).json).headers.authorization,
          authorization,
          text,
        );
      }
      const command = sent.toCurl().replace("{{password}}", password);
      const { stdout } = await run("bash", ["-c", command.replace("curl ", "curl -sS ")]);
      assert.equal(JSON.parse(stdout).headers.authorization, authorization);
    }
    // What came from no placeholder, and a name that would not be read again, stay hidden.
    const lab = lib.createClient();
    const hidden = { type: "basic", username: "ada", password: "hush-hush-42" } as const;
    const sent = await lab.send({ url: `${base}/echo`, auth: hidden });
    assert.match(sent.toCurl(), /-H 'Authorization: Basic •••'/);
    lab.setVar("password", "hush-hush-42", { secret: true });
    const blank = { ...hidden, username: "Ada L" };
    assert.match(
      (await lab.send({ url: `${base}/echo`, auth: blank })).toHttp(),
      /^Authorization: Basic •••$/m,
    );
  },
  async "curl --max-redirs, -L, -m and --retry have the same limits as curl"(context) {
    const { lib, base } = context;
    const url = `${base}/hops/2`;
    const lab = lib.createClient();
    const first = await lab.send(`curl ${url}`);
    assert.equal(first.status, Number((await byCurl(`curl ${url}`)).status));
    assert.ok(first.status >= 300 && first.status < 400);
    assert.equal((await sameAsCurl(context, `curl -L ${url}`)).redirects.length, 2);
    await assert.rejects(lab.send(`curl -L --max-redirs 1 ${url}`), { code: "too-many-redirects" });
    await assert.rejects(byCurl(`curl -L --max-redirs 1 ${url}`), { code: 47 });
  },
} satisfies Parameters<typeof checks>[0];

/** The same, and what is asked for in other words; some need no curl to be compared with. */
export const curlChecks: readonly Check[] = [
  ...checks(besideCurl, "curl"),
  ...checks({
    async "curl -u with placeholders accepts a password with spaces and colons"({ lib, base }) {
      const lab = lib.createClient();
      lab.setVar("password", "pa ss:word");
      lab.setVar("pair", "ada:secret");
      const sent = async (user: string): Promise<string> => {
        const { json } = await lab.send(`curl ${base}/echo -u '${user}'`);
        return Buffer.from(explore(json).headers.authorization.slice(6), "base64").toString();
      };
      assert.equal(await sent("ada:{{password}}"), "ada:pa ss:word");
      assert.equal(await sent("{{pair}}"), "ada:secret");
    },
    async "an annotation sets the connection of one request"(context) {
      const { lib, outside, base, proxy, tls } = context;
      const lab = lib.createClient({ ...outside });
      const past = await lab.send(`# @proxy ${proxy}\n# @no-proxy\nGET ${base}/echo`);
      assert.equal(past.headers.get("via"), null);
      const through = await lab.send(`# @proxy ${proxy}\nGET ${base}/echo`);
      assert.equal(through.headers.get("via"), "1.1 test");
      assert.equal((await lab.send(`GET ${base}/echo`)).headers.get("via"), null);
      const { ca } = filesOf(context);
      const connection = JSON.stringify({ ca });
      assert.equal((await lab.send(`# @connection ${connection}\nGET ${tls}/echo`)).status, 200);
      const options = { connection: { ca: context.ca } };
      assert.equal((await lab.send(`GET ${tls}/echo`, options)).status, 200);
      await assert.rejects(lab.send(`# @connection http2\nGET ${base}/echo`), {
        name: "TypeError",
        message: /^Cannot use "http2" as "# @connection": it is not a JSON object/,
      });
    },
  }),
];
