import { describeOutgoingUnder } from "./run-under.ts";

describeOutgoingUnder("deno", "run", "--allow-all", "--cached-only", "--no-lock", "--quiet");
