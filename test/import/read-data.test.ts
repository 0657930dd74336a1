import { describe, expect, test } from "vitest";
import { parseData } from "../../kernel/import/read-data.ts";

describe("data of a source", () => {
  test.each<readonly [name: string, text: string]>([
    ["a.txt", "openapi: 3.1.0"],
    ["standard input", "# about\n\n---\nswagger: '2.0'\r\ninfo: {}"],
    ["standard input", '%YAML 1.2\n---\n"openapi": "3.0.0"'],
    ["standard input", "  openapi: 3.0.0\n  info: {}"],
    ["standard input", "\uFEFFtype: collection.insomnia.rest/5.0"],
    ["standard input", "info:\n  title: a\nopenapi: 3.0.0"],
    ["a.yml", "- one"],
    ["standard input", ' [{"a": 1}]'],
  ])("%s: %j is read", (name, text) => {
    expect(typeof parseData(text, name)).toBe("object");
  });

  test.each<readonly [name: string, text: string]>([
    ["a.http", "POST http://a.test\nContent-Type: application/yaml\n\ntype: dog\nof: [a"],
    ["a.hurl", "POST http://a.test\n```yaml\ntype: a\nb: [c\n```\nHTTP 200"],
    ["a.sh", "#!/bin/sh\ncurl http://a.test -d '\ntype: a\nb: [c'"],
    ["a.http", "### type\n@type = a\nGET http://a.test\ntype: a\nb: [c"],
    ["standard input", "http://a.test/\ntype: a\nb: [c"],
    ["standard input", "{{base}}/x\ntype: a"],
    ["standard input", "fetch('http://a.test', {\nbody: `\ntype: a\nb: [c`})"],
  ])("%s: %j is none", (name, text) => {
    expect(parseData(text, name)).toBeUndefined();
  });
});
