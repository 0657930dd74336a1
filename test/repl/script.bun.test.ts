import { describeScript } from "./script-contract.ts";

describeScript("bun");
