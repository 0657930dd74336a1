import { cursorOf, textOf } from "../fields.ts";
import type { Handler } from "../kernel.ts";
import type { Replies } from "../protocol.ts";

export const inspect: Handler = async ({ request }, kernel) => {
  const code = textOf(request.content, "code");
  const session = await kernel.session();
  const found = await session.inspect(code, cursorOf(request.content, code));
  if (found === undefined) {
    return {
      status: "ok",
      found: false,
      data: {},
      metadata: {},
    } satisfies Replies["inspect_reply"];
  }
  const { signature, documentation, language = "typescript" } = found;
  const plain = documentation === "" ? signature : `${signature}\n\n${documentation}`;
  const fence = "`".repeat(Math.max(3, longestRun(signature) + 1));
  const markdown = `${fence}${language}\n${signature}\n${fence}\n\n${documentation}`.trimEnd();
  return {
    status: "ok",
    found: true,
    data: { "text/plain": plain, "text/markdown": markdown },
    metadata: {},
  } satisfies Replies["inspect_reply"];
};

/** The most backticks in a row: a fence around them must be longer. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
