import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { type Answers, type Received, startRecorder } from "./recorder.ts";

/** What is expected of a request file; it stands in a file of the same name that ends in `.json`. */
interface Expected {
  /**
   * The requests that the server receives: headers that are listed must be equal, null ones absent. Instead of a
   * text, `{ "matches": "^a" }` is the pattern of one.
   */
  readonly received: readonly (Partial<Omit<Received, "headers">> & {
    readonly headers?: Readonly<Record<string, string | null>>;
  })[];
  /** What the server answers to a path; otherwise the request as JSON. */
  readonly answers?: Answers;
  /** Texts that `restlab run` writes, in this order. */
  readonly says?: readonly string[];
  /** Texts in the faults that `restlab check` finds, in this order; without them it finds none. */
  readonly check?: readonly string[];
  /** The environment of `--env`. */
  readonly env?: string;
  /** The exit status of `restlab run`, 0 if left out. */
  readonly status?: 1;
  /** Why a runtime cannot send the file; it says so and sends nothing. */
  readonly unsupported?: Readonly<Partial<Record<RuntimeName, string>>>;
}

const FOLDER = import.meta.dirname;

/** Runs between two files: its request and its output separate theirs. */
const SEPARATOR = "separator.http";

/** What a file did. */
interface Seen {
  readonly received: readonly Received[];
  readonly output: string;
  readonly hasFailed: boolean;
  /** A line for each fault that `restlab check` finds. */
  readonly faults: readonly string[];
}

/**
 * Runs and checks the request files of the folders beside this file. Each stands for a way to write
 * requests that users of another tool know; `{{host}}` and `{{base}}` are the server's.
 */
function describeDialects(runtime: RuntimeName): void {
  const all = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => /\.(http|rest)$/.test(file) && hasExpected(file)).sort();
  const seen = new Map<string, Seen>();
  beforeAll(async () => {
    const hasEnvironment = (file: string): boolean => readExpected(file).env !== undefined;
    const together = files.filter((file) => !hasEnvironment(file));
    for (const group of [together, ...files.filter(hasEnvironment).map((file) => [file])]) {
      for (const [file, one] of await runAll(runtime, group)) seen.set(file, one);
    }
  }, 300_000);
  describe.each([...new Set(files.map(dirname))])(`%s on ${runtime}:`, (folder) => {
    const own = files.filter((file) => dirname(file) === folder);
    test.each(own.map((file) => basename(file)))("%s", (name) => {
      const file = join(folder, name);
      const expected = readExpected(file);
      const { received, output, hasFailed, faults } = seen.get(file) as Seen;
      expectInOrder(faults.join("\n"), expected.check ?? []);
      if (expected.check === undefined) expect(faults).toEqual([]);
      const unsupported = expected.unsupported?.[runtime];
      expectInOrder(output, unsupported === undefined ? (expected.says ?? []) : [unsupported]);
      if (unsupported !== undefined) return;
      const selected = received.map((one, at) => select(one, expected.received[at]));
      expect(selected, output).toEqual(expected.received);
      expect(hasFailed, output).toBe(expected.status === 1);
    });
  });
}

/** Runs files in one process, each in a session of its own; one with an environment is alone. */
async function runAll(
  runtime: RuntimeName,
  files: readonly string[],
): Promise<readonly (readonly [file: string, seen: Seen])[]> {
  const expected = files.map(readExpected);
  const received: Received[][] = [[]];
  const server = await startRecorder((request) => {
    if (request.target === "/separator") received.push([]);
    else received.at(-1)?.push(request);
    return expected[received.length - 1]?.answers ?? {};
  });
  const environment = expected.flatMap(({ env }) => (env === undefined ? [] : ["--env", env]));
  const variables = ["--var", `host=${server.host}`, "--var", `base=http://${server.host}`];
  const options = [...variables, ...environment];
  const command = (...args: readonly string[]) => restlab(runtime, args, { cwd: FOLDER });
  try {
    const checked = await command("check", ...options, ...files);
    const faults = checked.stdout.split("\n");
    expect(received).toEqual([[]]);
    const run = files.flatMap((file) => [file, SEPARATOR]).slice(0, -1);
    const { stdout, stderr } = await command("run", "-k", ...options, ...run);
    const shown = stdout.split(new RegExp(`^${SEPARATOR}$`, "m"));
    const errors = stderr.split(new RegExp(`^${SEPARATOR}: .*\n`, "m"));
    return files.map((file, at) => [
      file,
      {
        received: received[at] ?? [],
        output: `${shown[at]}${errors[at]}`,
        hasFailed: /^\S.* cells? run, .* failed$/m.test(errors[at] ?? ""),
        faults: faults.filter((fault) => fault.startsWith(`${file}:`)),
      },
    ]);
  } finally {
    await server.close();
  }
}

/** Files without expectations are parts of others. */
function hasExpected(file: string): boolean {
  return readdirSync(join(FOLDER, dirname(file))).includes(toExpectedName(basename(file)));
}

function readExpected(file: string): Expected {
  const text = readFileSync(join(FOLDER, toExpectedName(file)), "utf8");
  return JSON.parse(text, (_, value) =>
    typeof value?.matches === "string" ? expect.stringMatching(value.matches) : value,
  );
}

function toExpectedName(file: string): string {
  return file.replace(/\.\w+$/, ".json");
}

/** What is expected of a request; headers that did not come are null. */
function select(received: Received, expected: Expected["received"][number] = {}): object {
  const entries = Object.entries(received).filter(([key]) => key in expected);
  const names = Object.keys(expected.headers ?? {});
  const headers = names.map((name) => [name, received.headers[name] ?? null]);
  return {
    ...Object.fromEntries(entries),
    ...(names.length > 0 && { headers: Object.fromEntries(headers) }),
  };
}

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    expect(text.slice(from)).toContain(part);
    from = text.indexOf(part, from) + part.length;
  }
}

describeDialects(RUNTIME);
