import { kernelCommand } from "../../kernel/jupyter/mod.ts";
import { currentPlatform } from "../../kernel/platform/mod.ts";

const platform = currentPlatform();
await platform.exit(await kernelCommand(platform.arguments.at(-1) ?? "", platform));
