import { describeFormerSessions } from "./former-sessions-contract.ts";

describeFormerSessions("deno");
