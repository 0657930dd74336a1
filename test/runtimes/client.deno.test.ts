import { describeClientUnder } from "./run-under.ts";

describeClientUnder("deno", "run", "--allow-all", "--cached-only", "--no-lock", "--quiet");
