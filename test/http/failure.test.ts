import { expect, test } from "vitest";
import { explainFailure } from "../../lib/http/failure.ts";

test.each([
  ["timeout", "connection closed before message completed", "closed"],
  ["handshake", "connection closed before message completed", "closed"],
  ["x", "operation timed out", "timed out"],
])("the path /%s is no clue beside Deno's %j", (path, detail, what) => {
  const message = `error sending request from 127.0.0.1:1 for http://h/${path} (127.0.0.1:2): client error (SendRequest): ${detail}`;
  expect(explainFailure(new TypeError(message)).what).toContain(what);
});
