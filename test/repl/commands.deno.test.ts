import { describeCommands } from "./commands-contract.ts";

describeCommands("deno");
