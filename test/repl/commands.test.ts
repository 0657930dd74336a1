import { describeCommands } from "./commands-contract.ts";

describeCommands("node");
