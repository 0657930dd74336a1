import { expect, test } from "vitest";
import { historyPath } from "../../kernel/platform/mod.ts";

test.each<[Record<string, string>, string | RegExp | undefined]>([
  [{ XDG_STATE_HOME: "/s" }, "/s/restlab/history"],
  [{ XDG_STATE_HOME: "relative" }, /\.local\/state\/restlab\/history$/],
  [{ RESTLAB_HISTORY: "/x/y" }, "/x/y"],
  [{ RESTLAB_HISTORY: "" }, undefined],
])("historyPath of %j", (environment, expected) => {
  const kernels = historyPath(environment, "-kernel");
  if (expected === undefined) expect(historyPath(environment)).toBeUndefined();
  else expect(historyPath(environment)).toMatch(expected);
  expect(kernels).toBe(expected && `${historyPath(environment)}-kernel`);
});
