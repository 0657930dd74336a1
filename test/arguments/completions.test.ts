import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../kernel/cli/mod.ts";

function scriptFor(shell: string): string {
  const command = parseArguments(["completions", shell]);
  if (command.kind !== "text") throw new Error(`restlab completions ${shell} is ${command.kind}`);
  return command.text;
}

/** What bash offers for the last of some words. */
function inBash(...words: readonly string[]): readonly string[] {
  const run = `${scriptFor("bash")}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_restlab
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const shown = execFileSync("bash", ["-c", run, "bash", ...words], { encoding: "utf8" });
  return shown.split("\n").filter(Boolean);
}

describe("restlab completions", () => {
  test.each([
    [["restlab", "ver"], ["verify"]],
    [["restlab", "PA"], ["PATCH"]],
    [["restlab", "help", "unin"], ["uninstall"]],
    [
      ["restlab", "run", "--rec"],
      ["--record", "--record-missing"],
    ],
    [["restlab", "test", "--sh"], ["--shard"]],
    [
      ["restlab", "GET", ":1", "--ma"],
      ["--max-redirs", "--max-time"],
    ],
    [["restlab", "http", ":1", "--mu"], ["--multipart"]],
    [["restlab", "--pre"], ["--pretty"]],
    // Names of files are bash's.
    [["restlab", "run", "a"], []],
  ])("bash completes %j", (words, expected) => {
    expect(inBash(...words)).toEqual(expected);
  });

  test("zsh and fish get the same words", () => {
    expect(scriptFor("zsh")).toMatch(/^#compdef restlab\n[\s\S]* {6}test\) compadd -- .*--shard /);
    expect(scriptFor("fish")).toMatch(/^complete .* -a ".*\bverify\b.*"$/m);
    expect(scriptFor("fish")).toMatch(/seen_subcommand_from http https" -l form -s f -d '.*'$/m);
  });

  test.each([[[]], [["tcsh"]], [["bash", "zsh"]], [["toString"]]])("%j is refused", (words) => {
    const message = "Name one shell: write bash, zsh or fish";
    expect(parseArguments(["completions", ...words])).toMatchObject({ message });
  });
});
