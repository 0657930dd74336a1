import { clearTimeout, setTimeout } from "node:timers";
import type { Header } from "./protocol.ts";

/** Joins text that a cell writes in quick succession. */
interface StreamBuffer {
  write(name: "stdout" | "stderr", text: string, parent: Header): void;
  /** Sends what was written, except the first half of a character. */
  flush(): void;
  /** Sends what was written, when a cell has ended: its other half does not come. */
  end(parent: Header): void;
}

/** Milliseconds within which text is sent. */
const DELAY = 10;
/** Longer text is sent at once, in UTF-16 units. */
const LONGEST = 128 * 1024;

/** Creates a buffer; `send` gets text that is never empty. */
export function createStreamBuffer(
  send: (name: "stdout" | "stderr", text: string, parent: Header) => void,
): StreamBuffer {
  const halves = new Map<string, string>();
  let waiting = "";
  let current: { readonly name: "stdout" | "stderr"; readonly parent: Header } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function write(name: "stdout" | "stderr", text: string, parent: Header): void {
    if (current?.name !== name || current.parent.msg_id !== parent.msg_id) flush();
    current ??= { name, parent };
    const key = keyOf(current);
    waiting += (halves.get(key) ?? "") + text;
    halves.delete(key);
    if (waiting.length >= LONGEST) flush();
    else timer ??= setTimeout(flush, DELAY);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (current === undefined) return;
    const { name, parent } = current;
    const whole = waiting;
    const key = keyOf(current);
    waiting = "";
    current = undefined;
    // A program may write the halves of a character one after the other.
    const isCut = /[\ud800-\udbff]$/.test(whole);
    if (isCut) halves.set(key, whole.slice(-1));
    const text = isCut ? whole.slice(0, -1) : whole;
    if (text !== "") send(name, text, parent);
  }

  function end(parent: Header): void {
    flush();
    for (const name of ["stdout", "stderr"] as const) {
      const key = keyOf({ name, parent });
      const half = halves.get(key);
      halves.delete(key);
      if (half !== undefined) send(name, half, parent);
    }
  }

  return { write, flush, end };
}

function keyOf({ name, parent }: { readonly name: string; readonly parent: Header }): string {
  return `${name} ${parent.msg_id}`;
}
