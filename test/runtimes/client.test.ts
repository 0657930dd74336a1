import { afterAll, beforeAll, describe, test } from "vitest";
import { startServers, type TestServers } from "../support/http-server.ts";
import { TRANSPORTS } from "../support/transports.ts";
import { clientContract } from "./client-contract.ts";

describe.each(TRANSPORTS)("client under node, by %s", (_name, lib) => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers.close());

  test.each(clientContract)("$name", ({ run }) => run({ lib, ...servers }));
});
