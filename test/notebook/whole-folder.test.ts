import { describeWholeFolders } from "./whole-folder-contract.ts";

describeWholeFolders("node");
