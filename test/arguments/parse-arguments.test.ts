import { describe, expect, test } from "vitest";
import { parseArguments } from "../../kernel/cli/mod.ts";

describe("parseArguments", () => {
  test.each([
    ["run", { kind: "run" }],
    ["test", { kind: "test" }],
    ["verify", { kind: "verify" }],
    ["check", { kind: "check" }],
  ])("reads `%s FILE`", (name, expected) => {
    const command = parseArguments([name, "api.http"]);
    expect(command).toMatchObject({ ...expected, options: { files: ["api.http"] } });
  });

  test.each([
    [["demo", "--port", "0"], { kind: "demo", port: 0 }],
    [["GET", "http://api.test"], { kind: "repl" }],
    [[], { kind: "repl" }],
    [
      ["http", "-b", "--env", "dev", ":8787/users", "--json", "-v"],
      {
        kind: "repl",
        options: {
          form: "body",
          environment: "dev",
          verbose: true,
          request: { kind: "http", words: [":8787/users", "--json"] },
        },
      },
    ],
    [
      ["GET", ":8787/users", "-H", "--env", "--pretty=none", "--record-missing"],
      {
        kind: "repl",
        options: {
          pretty: "none",
          recordMissing: true,
          request: { kind: "request", words: ["GET", ":8787/users", "-H", "--env"] },
        },
      },
    ],
    [
      "--body curl -e --demo {{base}}/users -v --json {} --demo --var id=7 --check-status -o --env".split(
        " ",
      ),
      {
        kind: "repl",
        options: {
          form: "body",
          demo: true,
          checkStatus: true,
          verbose: false,
          variables: [["id", "7"]],
          request: {
            kind: "curl",
            words: ["-e", "--demo", "{{base}}/users", "-v", "--json", "{}", "-o", "--env"],
          },
        },
      },
    ],
    [["--version"], { kind: "version" }],
    [["--eval", "1", "--help"], { kind: "text" }],
    [["help", "GET"], { kind: "text", text: expect.stringContaining("-H, --header LINE") }],
    [["post", ":1", "--help"], { kind: "text", text: expect.stringContaining("[METHOD] URL") }],
    [["curl", "-h"], { kind: "text", text: expect.stringContaining("--json TEXT") }],
    [["http", "--help"], { kind: "text", text: expect.stringContaining("name:=json") }],
    [["help", "https"], { kind: "text", text: expect.stringContaining("restlab https [METHOD]") }],
    [["--help", "--demo"], { kind: "text", text: expect.stringContaining("restlab [options]") }],
  ])("reads %j", (words, expected) => {
    expect(parseArguments(words)).toMatchObject(expected);
  });

  test.each([
    [["demo", "--port="], '--port "" is not a port'],
    [["demo", "--port", "0x10"], '--port "0x10" is not a port'],
    [["demo", "--port", "65536"], '--port "65536" is not a port'],
    [["demo", "--host="], '--host "" is not an address'],
    [["install", "--prefix="], '--prefix "" is not a folder'],
    [["install", "--user", "--prefix="], "Only one of --user and --prefix can be given"],
    [["check", "--var", "api.http"], '--var "api.http" has no value'],
    [["import", "-o", "api.ipynb"], "No source is given"],
  ])("refuses %j", (words, message) => {
    const error = { kind: "usage-error", message: expect.stringContaining(message) };
    expect(parseArguments(words)).toMatchObject(error);
  });

  test.each([
    ["--vers", "--version"],
    ["--verb", "--verbose"],
    ["--evn", "--env"],
  ])("suggests for the option %s", (option, near) => {
    const message = `Unknown option ${option}: did you mean ${near}?`;
    expect(parseArguments([option])).toMatchObject({ kind: "usage-error", message });
  });

  test.each([
    ["gett", "GET"],
    ["pots", "POST"],
    ["crul", "curl"],
    ["rnu", "run"],
  ])("suggests for %s", (name, near) => {
    const message = `"${name}" is not a command: did you mean "${near}"?`;
    expect(parseArguments([name])).toMatchObject({ kind: "usage-error", message });
  });

  test.each(["run", "test", "verify", "check", "import", "demo", "install", "uninstall", "kernel"])(
    "`help %s` and `%s --help` are the same text",
    (name) => {
      const help = parseArguments(["help", name]);
      expect(help).toMatchObject({
        kind: "text",
        text: expect.stringContaining(`restlab ${name}`),
      });
      expect(parseArguments([name, "--help"])).toEqual(help);
    },
  );

  test.each(["rnu", "constructor", "toString", "__proto__"])("%s is not a command", (name) => {
    const error = { kind: "usage-error", message: expect.stringContaining(`"${name}" is not`) };
    expect(parseArguments([name])).toMatchObject(error);
    expect(parseArguments(["help", name])).toMatchObject(error);
  });
});
