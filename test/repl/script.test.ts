import { describeScript } from "./script-contract.ts";

describeScript("node");
