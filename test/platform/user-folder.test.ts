import { expect, test } from "vitest";
import { userFolder } from "../../kernel/platform/read-file.ts";

const home = (): string => "/home/ada";

test.each<[Record<string, string>, string, string]>([
  [{}, "/home/ada/.local/state/restlab", "/home/ada/.cache/restlab"],
  [{ XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/c" }, "/s/restlab", "/c/restlab"],
  [
    { XDG_STATE_HOME: "s", XDG_CACHE_HOME: "" },
    "/home/ada/.local/state/restlab",
    "/home/ada/.cache/restlab",
  ],
])("folders with %j", (environment, state, cache) => {
  expect(userFolder("state", environment, home)).toBe(state);
  expect(userFolder("cache", environment, home)).toBe(cache);
});

test("a user without a home, as in a container, has none", () => {
  const homeless = (): string => {
    throw new Error("A system error occurred: uv_os_homedir returned ENOENT");
  };
  expect(userFolder("state", {}, homeless)).toBeUndefined();
  expect(userFolder("state", { XDG_STATE_HOME: "/s" }, homeless)).toBe("/s/restlab");
});
