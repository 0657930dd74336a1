import { describeMaskingOn } from "./contract.ts";

describeMaskingOn("bun");
