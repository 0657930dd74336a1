import { clearTimeout, setTimeout } from "node:timers";
import type { Secrets, StreamMasker } from "../../lib/mod.ts";
import type { OutputSink } from "./cell/mod.ts";
import { runOutsideCells, type StreamName } from "./output.ts";

/** A sink that receives no secrets. */
interface MaskedSink extends OutputSink {
  /** Sends what was held back at the end of the cell; its timers may still print. */
  end(): void;
}

/** Milliseconds that a possible beginning of a secret, or a prompt, waits for the rest. */
const HOLD_TIME = 60;

/**
 * Masks the text that a cell prints, for all front ends. Values are masked when they are rendered, and
 * errors are masked already. What a front end prints when it is called is not the cell's output.
 */
export function createMaskedSink(target: OutputSink, secrets: Secrets): MaskedSink {
  const sink = calledOutsideCells(target);
  const streams = new Map<StreamName, StreamMasker>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;

  const emit = (name: StreamName, text: string): void => {
    if (text !== "") sink.stream(name, text);
  };
  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [name, stream] of streams) emit(name, hasEnded ? stream.end() : stream.release());
  };
  return {
    stream: (name, text) => {
      const stream = streams.get(name) ?? secrets.openStream();
      streams.set(name, stream);
      emit(name, stream.write(text));
      if (!stream.isHolding || timer !== undefined) return;
      timer = setTimeout(release, HOLD_TIME);
      // The end of the cell releases it as well, so the process need not wait.
      timer.unref();
    },
    display: (shown) => {
      release();
      sink.display(shown);
    },
    ...(sink.displayWithId && {
      displayWithId: (shown, id) => {
        release();
        return sink.displayWithId?.(shown, id) ?? "";
      },
    }),
    ...(sink.bodies && { bodies: calledOutsideCells(sink.bodies) }),
    ...(sink.update && { update: sink.update }),
    ...(sink.streamItem && { streamItem: sink.streamItem }),
    ...(sink.uncaught && {
      uncaught: (error) => {
        release();
        sink.uncaught?.(error);
      },
    }),
    end: () => {
      hasEnded = true;
      release();
    },
  };
}

/** Returns an object whose methods are called outside of all cells. */
function calledOutsideCells<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => runOutsideCells(() => Reflect.apply(member, target, given));
    },
  });
}
