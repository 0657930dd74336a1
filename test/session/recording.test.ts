import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRecording, RecordingError } from "../../kernel/session/recording.ts";
import { createClient } from "../../lib/mod.ts";
import { makeFolder } from "../support/folders.ts";
import { startServer } from "./contract/lab.ts";

test("close completes a recording although another cannot be written", async () => {
  const directory = makeFolder("recording");
  const { base, server } = await startServer();
  const empty = { log: { version: "1.2", creator: { name: "a", version: "1" }, entries: [] } };
  const replay = join(directory, "replay.har");
  writeFileSync(replay, JSON.stringify(empty));
  mkdirSync(join(directory, "gone"));
  const recording = await openRecording(
    { record: "gone/record.har", replay: "replay.har", recordMissing: true },
    { directory, readFile: (path) => readFile(join(directory, path)) },
  );
  await createClient({ ...recording.client }).send(`GET ${base}/one`);
  rmSync(join(directory, "gone"), { recursive: true });
  expect(() => recording.close()).toThrow(RecordingError);
  expect(existsSync(join(directory, "gone"))).toBe(false);
  expect(readFileSync(replay, "utf8")).toContain(`${base}/one`);
  server.close();
});
