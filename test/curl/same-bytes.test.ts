import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platform } from "../../kernel/platform/library.ts";
import { createClient } from "../../lib/mod.ts";
import { hasTools } from "../support/require.ts";
import { type Recorder, type Shown, show, startRecorder } from "./received.ts";

const run = promisify(execFile);

const FILES = {
  "f.txt": "a=1\r\nb=2\n",
  "f.xml": "<a/>",
  "g.bin": "x",
  "h.PNG": "y",
};

describe.skipIf(!hasTools("curl"))("the bytes of a command", () => {
  let recorder: Recorder;
  beforeAll(async () => {
    recorder = await startRecorder(FILES);
  });
  afterAll(() => recorder.close());

  async function receivedFrom(send: () => Promise<unknown>): Promise<Shown> {
    recorder.received.length = 0;
    await send();
    expect(recorder.received).toHaveLength(1);
    return show(recorder.received[0]);
  }

  const fill = (command: string): string =>
    command.replaceAll("URL", recorder.base).replaceAll("DIR", recorder.folder);
  const byCurl = (command: string): Promise<Shown> => {
    const env = { ...process.env, LC_ALL: "C.UTF-8", HOME: recorder.folder };
    return receivedFrom(() => run("bash", ["-c", command], { env }));
  };
  const byClient = (text: string): Promise<Shown> =>
    receivedFrom(() => createClient(platform).send(text));

  const options = `
    -F a=1 -H 'Content-Type: multipart/form-data; boundary=zz'
    -F a=1 -H 'Content-Type: multipart/mixed'
    -F a=1 -H 'content-type: text/plain' -H 'Content-Type: text/x'
    -F a=1 -H 'Content-Type;'
    -F a=1 -H 'Content-Type:'
    -F a=1 -F 'b=2;type=text/x' -F f=@DIR/f.txt -F g=@DIR/g.bin
    -F 'a=<DIR/f.xml' -F 'b=<DIR/f.txt' -F c=@DIR/h.PNG -F 'd=@DIR/g.bin;filename=x.pdf'
    -F 'a=b;filename=x.png' -F 'a=b;filename=x' -F 'a=@DIR/f.xml;filename=x'
    -b b=2 -H 'Cookie: a=1'
    -H 'cookie: a=1' -b b=2
    -b b=2 -H 'Cookie:'
    -b b=2 -H 'Cookie;'
    -e y -H 'Referer: x'
    -e y -H 'Referer:'
    -e a -e b
    -e ''
    -r 5-6 -H 'Range: bytes=1-2'
    -r 5-6 -H 'Range:'
    -r 1-2 -r 5-6
    -A me -H 'User-Agent: you'
    -A me -H 'User-Agent:'
    -A me -H 'User-Agent;'
    -A me -A you
    -A me -A ''
    -A '' -A me
    -H 'User-Agent:'
    -H 'Accept:'
    -H 'Accept;'
    -H 'Accept: a' -H 'Accept: b'
    -u a:b -H 'Authorization: x'
    -u a:b -H 'Authorization:'
    -u a:b -H 'Authorization;'
    -u a:b -u c:d
    --oauth2-bearer t -H 'Authorization: x'
    --oauth2-bearer t -H 'Authorization:'
    --oauth2-bearer t --oauth2-bearer u -u a:b
    --digest -u a:b -H 'Authorization: x'
    --json '{}' -H 'Content-Type: x/y'
    --json '{}' -H 'Content-Type:'
    --json '[1]' -H 'Content-Type;' -H 'Accept: x'
    --json '{}' -H 'Accept:'
    -d '{"a":1}' -H 'Content-Type:' -H 'Accept:'
    -d a=1 -H 'Content-Type: x/y'
    -d a=1 -H 'Content-Type:'
    -d a=1 -H 'Content-Type;'
    -d abc -H 'Content-Length: 3'
    --compressed -H 'Accept-Encoding: x'
    -H 'Host: a' -H 'X: 1' -H 'Host: b'
    -H 'X-A: 1' -H 'X-A: 1'
    -H 'X-A: 1' -H 'X-A:'
    -H 'X-A;' -H 'X-B:;' -H 'X-C:  c  '
    -G -d ''
    -G -d '' -d a
    -G -d a=1 --json '{}' -H 'Content-Type:'
    -G --data-urlencode n@DIR/f.txt -d x=1
    --url-query n@DIR/f.txt
    -G --data-urlencode @DIR/g.bin -d z
    -d z=1 --url-query n@DIR/f.xml --url-query +c%20d
    -T DIR/f.txt -H 'Content-Type: a/b'
    --data-binary @DIR/f.txt -H 'Content-Type:'
    -d $'caf\\xe9'
    -d $'\\xc3\\xa9' -d $'\\xe9' -d $'\\ufeffa'
    --data-binary $'a\\0b'c
    --data-binary $'\\cA\\ca\\c?\\cé\\c\\\\x\\c\\'x\\c'
    --data-binary $'\\101\\0101\\400\\777\\x{41}\\x\\xg\\u\\8\\q'
    --data-binary $'\\u00e9\\U0001F600\\ud800\\U110000\\uff'
    --data-binary $'\\xe2\\x82'$'\\xac'$'\\xe2\\x82'€
    --data-binary $'\\xed\\xa0\\x80\\xc0\\x80\\xf4\\x90\\x80\\x80'
    --json $'{"a": "\\xff"}'
    --data-urlencode $'n\\xe9=\\x19 \\x99'
    -G --data-urlencode $'n=\\x19 \\x99'
    -F $'n\\xe9=caf\\xe9' -F $'b=\\xff\\xfe;type=text/x'
    -H $'X-A: \\xc3\\xa9\\ta' -b $'c=\\u00e9'
    -H $'X-A: \\xe2\\x82'$'\\xac'
  `;
  test.each(options.trim().split(/\n\s*/))("curl URL %s", async (written) => {
    const command = fill(`curl URL/p ${written}`);
    expect(await byClient(command)).toEqual(await byCurl(command));
  });

  test("a file that is in the URL", async () => {
    const client = createClient(platform);
    const command = fill(
      "curl 'URL?a=1#hash' -G --data-urlencode 'n={{n}}' --data-urlencode f@DIR/{{n}}.bin",
    );
    client.setVar("n", "g");
    expect(client.render(command).url).toBe(fill("URL?a=1&n=g&f=<DIR/g.bin>"));
    const sent = await receivedFrom(() => client.send(command));
    expect(sent.line).toBe("GET /?a=1&n=g&f=x HTTP/1.1");
    const missing = fill("curl URL --url-query f@DIR/none");
    await expect(client.send(missing)).rejects.toThrow(/^Cannot read the query from ".*none": /);
    await expect(client.send(fill("curl -G URL -d @DIR/g.bin"))).rejects.toThrow(
      /^The file ".*g\.bin" cannot be in a URL as it is/,
    );
  });

  test("-H 'X:' removes what a client would add", async () => {
    const client = createClient({
      ...platform,
      headers: { "X-Own": "1", Accept: "a/b" },
      auth: { type: "basic", username: "a", password: "b" },
    });
    await client.cookies.set(recorder.base, "c=1");
    const added = await receivedFrom(() => client.send(`curl ${recorder.base}`));
    const names = added.headers.map((header) => header.replace(/:.*/, ""));
    expect(names).toEqual(["Accept", "Authorization", "Cookie", "Host", "User-Agent", "X-Own"]);
    const without = "-H Accept: -H authorization: -H Cookie: -H X-Own:";
    const bare = await receivedFrom(() => client.send(`curl ${recorder.base} ${without}`));
    expect(bare).toEqual(await byCurl(`curl ${recorder.base} ${without}`));
    expect(client.render(`curl ${recorder.base} ${without}`).headers).toEqual([]);
  });

  test.each([
    ["--form URL a=1 Content-Type:text/x", "-d a=1 -H 'Content-Type: text/x'"],
    ["--form URL a=1 Content-Type:", "-d a=1 -H 'Content-Type:'"],
    ["--form URL a=1 'Content-Type;'", "-d a=1 -H 'Content-Type;'"],
    ["--multipart URL a=1 Content-Type:a/b", "-F a=1 -H 'Content-Type: a/b'"],
    ["URL a:=1 Content-Type:a/b Accept:", `--json '{"a": 1}' -H 'Content-Type: a/b' -H Accept:`],
    ["URL a:=1 'Accept;' User-Agent:", `--json '{"a": 1}' -H 'Accept;' -H User-Agent:`],
    ["URL -a a:b Authorization:x", "-u a:b -H 'Authorization: x'"],
    [
      "URL @DIR/g.bin 'Content-Type;' Accept:",
      "--data-binary @DIR/g.bin -H 'Content-Type;' -H Accept:",
    ],
  ])("http %s is curl %s", async (words, wanted) => {
    const sent = await byClient(fill(`http ${words}`));
    expect(sent).toEqual(await byCurl(fill(`curl URL ${wanted} --compressed`)));
  });
});
