import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Received, startRecorder } from "../../dialects/recorder.ts";
import { restlab } from "../../support/command.ts";

/** Login files as other tools have them, with a request that is named `use`. */
const FOLDER = join(import.meta.dirname, "../../dialects/logins");
const FILES = readdirSync(FOLDER).flatMap((file) => {
  const text = file.endsWith(".http") ? readFileSync(join(FOLDER, file), "utf8") : "";
  const line = text.split("\n").findIndex((one) => one.includes("{{base}}/use")) + 1;
  return line === 0 ? [] : [{ file, line }];
});

const TOKEN = "a-long-token-77";
let received: Received[] = [];
let server: Awaited<ReturnType<typeof startRecorder>>;
beforeAll(async () => {
  server = await startRecorder((request) => {
    received.push(request);
    const answer = { json: { token: TOKEN, id: 77 } };
    return { "/login": answer };
  });
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await server.close();
});

// What logs in is sent first, wherever it stands.
test.each(FILES)("a request of $file that needs a login is run alone", async ({ file, line }) => {
  const base = ["--var", `base=http://${server.host}`];
  for (const selected of [["--name", "use", file], [`${file}:${line}`]]) {
    received = [];
    const { status, output } = await restlab("node", ["test", ...base, ...selected], {
      cwd: FOLDER,
    });
    expect(status, output).toBe(0);
    expect(received.map(({ target }) => target.split("?")[0])).toEqual(["/login", "/use"]);
    expect(received[1]?.headers["authorization"]).toBe(`Bearer ${TOKEN}`);
  }
});
