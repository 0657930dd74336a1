import type { FrameBlock } from "../blocks/mod.ts";
import { toVisibleLine } from "../text/mod.ts";
import { escapeHtml } from "./escape.ts";

/** What a framed page may load: nothing over a network; styles and pictures that stand in it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";

// What names another place, and could be followed, connected to or sent to, becomes an element that
// does nothing. It is a third lock behind the sandbox and the policy, neither of which stops a link
// from being followed, `rel=preconnect` from connecting, or Chromium from connecting to the host of a
// frame that it then does not load. A tag can only begin with these very characters.
const LEADS_AWAY =
  /<(\/?)(?:(a|area)|(link|base|meta|form|i?frame|frameset|fencedframe|portal|object|embed|script))(?=[\s/>])/gi;

/** What is put into a page: a text there, and nothing that acts. */
export function toPageText(text: string): string {
  return escapeHtml(toVisibleLine(text));
}

/**
 * An HTML page in a frame that runs no script, sends nothing and asks no network, shown as far as
 * it needs none of that.
 */
export function frameToHtml({ html, description }: FrameBlock): string {
  const tame = html.replace(
    LEADS_AWAY,
    (_, slash: string, anchor: string | undefined, other: string | undefined) =>
      `<${slash}${anchor === undefined ? `x-${other}` : "u"}`,
  );
  // The doctype of the page itself comes too late to count, so that the policy can come first.
  const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${tame}`;
  return `<iframe sandbox="" referrerpolicy="no-referrer" loading="lazy" title="${toPageText(description)}" style="width:100%;height:24em;border:1px solid #8888;box-sizing:border-box;background:#fff;color-scheme:light" srcdoc="${escapeHtml(page)}"></iframe>`;
}
