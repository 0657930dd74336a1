import { isExchange } from "../../../lib/mod.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Draws an image's bytes, or nothing where this terminal cannot draw that type. */
type Draw = (bytes: Uint8Array, mediaType: string) => string | undefined;

const MOST_BYTES = 4_000_000;
const CHUNK = 4096;

/**
 * What draws the picture of an answer in this terminal, by what its environment says of it; nothing
 * for all other values, and in terminals that do not say that they can.
 *
 * @returns Text to be written as it is.
 */
export function drawPicture(value: unknown, environment: Environment): string | undefined {
  const draw = drawingOf(environment);
  if (draw === undefined || !isExchange(value) || value.cut) return undefined;
  if (!value.mediaType.startsWith("image/")) return undefined;
  const { body } = value.sizes.response;
  if (body === 0 || body > MOST_BYTES) return undefined;
  return draw(value.bytes, value.mediaType);
}

function drawingOf(environment: Environment): Draw | undefined {
  const { TERM = "", TERM_PROGRAM = "", KITTY_WINDOW_ID, TMUX, LC_TERMINAL } = environment;
  // A multiplexer would print the data as text, or swallow it.
  if (TMUX !== undefined || TERM.startsWith("screen") || TERM.startsWith("tmux")) return undefined;
  if (KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty" || TERM === "xterm-ghostty") {
    return drawForKitty;
  }
  const isIterm = /^(?:iTerm\.app|WezTerm|mintty|vscode)$/.test(TERM_PROGRAM);
  return isIterm || LC_TERMINAL === "iTerm2" ? drawForIterm : undefined;
}

/** https://sw.kovidgoyal.net/kitty/graphics-protocol */
function drawForKitty(bytes: Uint8Array, mediaType: string): string | undefined {
  if (mediaType !== "image/png") return undefined;
  const data = toBase64(bytes);
  let text = "";
  for (let at = 0; at < data.length; at += CHUNK) {
    const isLast = at + CHUNK >= data.length;
    const keys = at === 0 ? `a=T,f=100,q=2,m=${isLast ? 0 : 1}` : `m=${isLast ? 0 : 1}`;
    text += `\u001b_G${keys};${data.slice(at, at + CHUNK)}\u001b\\`;
  }
  return `${text}\n`;
}

/** https://iterm2.com/documentation-images.html */
function drawForIterm(bytes: Uint8Array, mediaType: string): string | undefined {
  if (!/^image\/(?:png|jpeg|gif|webp|bmp)$/.test(mediaType)) return undefined;
  return `\u001b]1337;File=inline=1;size=${bytes.length};preserveAspectRatio=1:${toBase64(bytes)}\u0007\n`;
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}
