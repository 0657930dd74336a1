import { expect, test } from "vitest";
import { clientIn } from "../support/environment-files.ts";

/** Placeholders as other tools write them, and the hint. */
const HINTS: readonly (readonly [written: string, hint: string])[] = [
  ["{{process.env.STAGE}}", "Write {{$env.STAGE}}"],
  ["{{ process.env.nobody }}", "Write {{$env.nobody}}"],
  ['{{process.env["STAGE"]}}', "Write {{$env.STAGE}}"],
  ["{{_.host}}", "Write {{host}}"],
  ["{{ _.api.urls[0] }}", "Write {{api.urls[0]}}"],
  ["{{STAGE}}", "Write {{$env.STAGE}} for the variable of the process"],
  ["{{STAGE.x}}", "Write {{$env.STAGE}} for the variable of the process"],
  ["{{ELSEWHERE}}", "choose it with --env dev"],
  ["{{hosts}}", 'Did you mean "host"?'],
  ["{{toString}}", "The only environment"],
];

test.each(HINTS)("%s: %s", async (written, hint) => {
  const processEnv = { STAGE: "test", ELSEWHERE: "x" };
  const files = { "/repo/http-client.env.json": '{"dev": {"ELSEWHERE": 1}}' };
  const lab = clientIn(files, "http://localhost", { processEnv });
  lab.setVar("host", "h");
  await lab.useEnv();
  const text = `GET {{base}}/${written}`;
  expect(lab.check(text).map((fault) => fault.hint)).toEqual([expect.stringContaining(hint)]);
  await expect(lab.send(text)).rejects.toThrow(hint);
});
