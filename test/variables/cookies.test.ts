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

test("{{login.response.cookies.name}} and headers.Set-Cookie[0] are one of several cookies of a response", async () => {
  const received: string[] = [];
  const server = http.createServer((request, response) => {
    received.push(request.headers["x-cookie"]?.toString() ?? "");
    response.setHeader("Set-Cookie", COOKIES);
    response.setHeader("X-One", "1, 2");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lab = createClient();
  await lab.send(`# @name login\nGET ${base}/`);
  const paths: readonly (readonly [path: string, value: string])[] = [
    [".cookies.session", "abc-session-1"],
    [".cookies.lang", "de"],
    [".cookies.pair", "a=b"],
    [".cookies.quoted", '"x y"'],
    [".cookies.spaced", "value"],
    [".cookies.empty", ""],
    ['.cookies["2"]', "two"],
    [".cookies.twice", "second"],
    [".cookies.twice[0]", "first"],
    [".cookies.twice[1]", "second"],
    [".cookies.lang[0]", "de"],
    [".cookies.flag", ""],
    // A header is the text of all its lines, and an index finds one of them.
    [".headers.set-cookie[1]", "lang=de; Expires=Wed, 21 Oct 2099 07:28:00 GMT"],
    [".headers.Set-Cookie[0]", "session=abc-session-1; Path=/; HttpOnly"],
    [".headers.X-One[0]", "1, 2"],
    [".headers.x-one", "1, 2"],
  ];
  for (const [path] of paths) {
    await lab.sendAll(`GET ${base}/\nX-Cookie: {{login.response${path}}}`);
  }
  expect(received.slice(1)).toEqual(paths.map(([, value]) => value));
  expect(() => lab.render("GET http://h/{{login.response.cookies.sesion}}")).toThrow(
    '"login.response.cookies" has no property "sesion"',
  );
  expect(() => lab.render("GET http://h/{{login.response.headers.Set-Cookie[20]}}")).toThrow(
    `"login.response.headers.Set-Cookie" has ${COOKIES.length} elements`,
  );
  server.close();
});
