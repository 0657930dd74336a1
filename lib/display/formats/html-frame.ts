import type { FrameBlock } from "../blocks/mod.ts";
import { toVisibleLine } from "../text/mod.ts";
import { escapeHtml } from "./escape.ts";

/** What a framed page may load: only the styles, images and fonts that it contains. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";

// Elements that lead to another resource are renamed to elements without behaviour. The sandbox and the
// policy do not prevent following a link, `rel=preconnect`, or that Chromium connects to the host of a
// frame that it then does not load. A tag can only begin with exactly these characters.
const LEADS_AWAY =
  /<(\/?)(?:(a|area)|(link|base|meta|form|i?frame|frameset|fencedframe|portal|object|embed|script))(?=[\s/>])/gi;

/** Escapes a text that is inserted into a page. */
export function toPageText(text: string): string {
  return escapeHtml(toVisibleLine(text));
}

/**
 * Writes an HTML page in a frame that runs no scripts, submits no forms and loads nothing from a network.
 */
export function frameToHtml({ html, description }: FrameBlock): string {
  const inert = html.replace(
    LEADS_AWAY,
    (_, slash: string, anchor: string | undefined, other: string | undefined) =>
      `<${slash}${anchor === undefined ? `x-${other}` : "u"}`,
  );
  // The policy comes first; the doctype of the page itself is then ignored.
  const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${inert}`;
  return `<iframe sandbox="" referrerpolicy="no-referrer" loading="lazy" title="${toPageText(description)}" style="width:100%;height:24em;border:1px solid #8888;box-sizing:border-box;background:#fff;color-scheme:light" srcdoc="${escapeHtml(page)}"></iframe>`;
}
