import { afterAll, beforeAll, describe, test } from "vitest";
import * as lib from "../../lib/mod.ts";
import { startServers, type TestServers } from "../support/http-server.ts";
import { clientContract } from "./client-contract.ts";

describe("client under node", () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers.close());

  test.each(clientContract)("$name", ({ run }) => run({ lib, ...servers }));
});
