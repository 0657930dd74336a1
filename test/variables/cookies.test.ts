import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";

const COOKIES = [
  "session=abc-session-1; Path=/; HttpOnly",
  "lang=de; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
  "pair=a=b; Secure",
  'quoted="x y"',
  " spaced = value ;Path=/",
  "empty=",
  "2=two",
  "1=one",
  "twice=first",
  "twice=second",
  "flag",
];

test("{{login.response.cookies.name}} is one of several cookies of a response", async () => {
  const received: string[] = [];
  const server = http.createServer((request, response) => {
    received.push(request.headers["x-cookie"]?.toString() ?? "");
    response.setHeader("Set-Cookie", COOKIES);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lab = createClient();
  await lab.send(`# @name login\nGET ${base}/`);
  const paths: readonly (readonly [path: string, value: string])[] = [
    [".session", "abc-session-1"],
    [".lang", "de"],
    [".pair", "a=b"],
    [".quoted", '"x y"'],
    [".spaced", "value"],
    [".empty", ""],
    ['["2"]', "two"],
    [".twice", "second"],
    [".flag", ""],
  ];
  for (const [path] of paths) {
    await lab.sendAll(`GET ${base}/\nX-Cookie: {{login.response.cookies${path}}}`);
  }
  expect(received.slice(1)).toEqual(paths.map(([, value]) => value));
  expect(() => lab.render("GET http://h/{{login.response.cookies.sesion}}")).toThrow(
    '"login.response.cookies" has no property "sesion"',
  );
  server.close();
});
