import type { Handler } from "../kernel/mod.ts";
import { cursorOf, type Replies, textOf } from "../messages/mod.ts";

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
  // A static import would delay the first reply of the kernel.
  const { fence } = await import("../../../lib/display/mod.ts");
  const { signature, documentation, language = "typescript" } = found;
  const plain = documentation === "" ? signature : `${signature}\n\n${documentation}`;
  // Comments in code are Markdown; values and warnings are text, mostly from a server.
  const isMarkdown = language === "typescript" || documentation === "";
  const below = isMarkdown ? documentation : fence(documentation, "text");
  const markdown = `${fence(signature, language)}\n\n${below}`.trimEnd();
  return {
    status: "ok",
    found: true,
    data: { "text/plain": plain, "text/markdown": markdown },
    metadata: {},
  } satisfies Replies["inspect_reply"];
};
