import { Buffer } from "node:buffer";
import { displayMethod } from "../../lib/display/mod.ts";
import { isExchange } from "../../lib/mod.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns nothing for a media type that the terminal does not support. */
type Draw = (bytes: Uint8Array, mediaType: string) => string | undefined;

const MAX_BYTES = 4_000_000;
const CHUNK = 4096;

/**
 * Encodes the image of an answer, or one that a value displays, if the environment names a terminal that can draw it.
 *
 * @returns Escape sequences; `undefined` for other values and other terminals.
 */
export function drawImage(value: unknown, environment: Environment): string | undefined {
  const draw = findDraw(environment);
  const image = draw === undefined ? undefined : imageOf(value);
  if (image === undefined || image.size === 0 || image.size > MAX_BYTES) return undefined;
  return draw?.(image.bytes(), image.mediaType);
}

interface Image {
  readonly mediaType: string;
  readonly size: number;
  readonly bytes: () => Uint8Array;
}

function imageOf(value: unknown): Image | undefined {
  if (isExchange(value)) {
    const { mediaType, cut } = value;
    if (cut || !mediaType.startsWith("image/")) return undefined;
    return { mediaType, size: value.sizes.response.body, bytes: () => value.bytes };
  }
  const parts = Object.entries(bundleOf(value));
  const found = parts.find(([mediaType]) => /^image\/(?!svg)/.test(mediaType));
  if (found === undefined || typeof found[1] !== "string") return undefined;
  const [mediaType, base64] = found;
  const bytes = (): Uint8Array => Buffer.from(base64, "base64");
  return { mediaType, size: Math.floor((base64.length * 3) / 4), bytes };
}

function bundleOf(value: unknown): object {
  try {
    const bundle = displayMethod(value)?.();
    return typeof bundle === "object" && bundle !== null ? bundle : {};
  } catch {
    // The text that was printed says what is wrong.
    return {};
  }
}

function findDraw(environment: Environment): Draw | undefined {
  const { TERM = "", TERM_PROGRAM = "", KITTY_WINDOW_ID, TMUX, LC_TERMINAL } = environment;
  // Multiplexers print the data as text, or drop it.
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
  const data = Buffer.from(bytes).toString("base64");
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
  return `\u001b]1337;File=inline=1;size=${bytes.length};preserveAspectRatio=1:${Buffer.from(bytes).toString("base64")}\u0007\n`;
}
