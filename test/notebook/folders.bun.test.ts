import { describeFoldersUnder } from "./folders-contract.ts";

describeFoldersUnder("bun");
