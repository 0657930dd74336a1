import { describeMaskingOn } from "./contract.ts";

describeMaskingOn("deno");
