import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RuntimeName, restlab } from "../support/command.ts";
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
  /** Texts that `restlab check` writes, in this order; without them it finds no faults. */
  readonly check?: readonly string[];
  /** The environment of `--env`. */
  readonly env?: string;
  /** The exit status of `restlab run`, 0 if left out. */
  readonly status?: number;
  /** Why a runtime cannot send the file; it says so and sends nothing. */
  readonly unsupported?: Readonly<Partial<Record<RuntimeName, string>>>;
}

const FOLDER = import.meta.dirname;

/**
 * Runs the request files of the folders beside this file, and checks them on Node. Each stands for a way to write
 * requests that users of another tool know; `{{host}}` and `{{base}}` are the server's.
 */
export function describeDialects(runtime: RuntimeName): void {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  const documents = files.filter((file) => /\.(http|rest)$/.test(file) && hasExpected(file));
  describe.each([...new Set(documents.map(dirname))].sort())(`%s on ${runtime}:`, (folder) => {
    const own = documents.filter((file) => dirname(file) === folder).sort();
    test.concurrent.each(own)("%s", async (file) => {
      const expected = readExpected(file);
      const server = await startRecorder(expected.answers ?? {});
      const environment = expected.env === undefined ? [] : ["--env", expected.env];
      const base = `base=http://${server.host}`;
      const options = ["--var", `host=${server.host}`, "--var", base, ...environment];
      try {
        const name = basename(file);
        const cwd = join(FOLDER, folder);
        if (runtime === "node") {
          const checked = await restlab(runtime, ["check", ...options, name], { cwd });
          expectInOrder(checked.stdout + checked.stderr, expected.check ?? ["No faults in 1 file"]);
          expect(server.received).toEqual([]);
        }
        const ended = await restlab(runtime, ["run", "-k", ...options, name], { cwd });
        const output = ended.stdout + ended.stderr;
        const unsupported = expected.unsupported?.[runtime];
        expectInOrder(output, unsupported === undefined ? (expected.says ?? []) : [unsupported]);
        if (unsupported !== undefined) return;
        const received = server.received.map((one, at) => select(one, expected.received[at]));
        expect(received, output).toEqual(expected.received);
        expect(ended.status, output).toBe(expected.status ?? 0);
      } finally {
        await server.close();
      }
    });
  });
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
