import type { Handler } from "../kernel/mod.ts";
import { cursorOf, type Replies, textOf, toCodePoints } from "../messages/mod.ts";

export const complete: Handler = async ({ request }, kernel) => {
  const code = textOf(request.content, "code");
  const session = await kernel.session();
  const { start, end, candidates } = await session.complete(code, cursorOf(request.content, code));
  const range = { start: toCodePoints(code, start), end: toCodePoints(code, end) };
  return {
    status: "ok",
    matches: candidates.map(({ text }) => text),
    cursor_start: range.start,
    cursor_end: range.end,
    metadata: {
      // JupyterLab shows an icon for the type and the signature beside the name.
      _jupyter_types_experimental: candidates.map(({ text, kind, detail }) => ({
        text,
        type: kind,
        ...(detail === undefined ? {} : { signature: detail }),
        ...range,
      })),
    },
  } satisfies Replies["complete_reply"];
};
