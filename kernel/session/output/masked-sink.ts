import type { Secrets, StreamMasker } from "../../../lib/mod.ts";
import type { OutputSink } from "../cell/mod.ts";

/** The sink of a cell, behind which nothing holds a secret. */
export interface MaskedSink extends OutputSink {
  /** The cell has ended: what was held back goes out. What its timers print later still comes. */
  end(): void;
}

type Name = "stdout" | "stderr";

/** What may be the beginning of a URL, or a prompt, waits so long for the rest, in milliseconds. */
const PATIENCE = 60;

/**
 * Masks what a cell prints, which is text: this is the one place where all front ends get streams from.
 * Values come as they are, and are masked as data when their forms are made; errors come masked.
 */
export function createMaskedSink(sink: OutputSink, secrets: Secrets): MaskedSink {
  const streams = new Map<Name, StreamMasker>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;

  const emit = (name: Name, text: string): void => {
    if (text !== "") sink.stream(name, text);
  };
  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [name, stream] of streams) emit(name, hasEnded ? stream.end() : stream.release());
  };
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [name, stream] of streams) emit(name, stream.end());
  };
  return {
    stream: (name, text) => {
      const stream = streams.get(name) ?? secrets.openStream();
      streams.set(name, stream);
      emit(name, stream.write(text));
      if (!stream.isHolding || timer !== undefined) return;
      timer = setTimeout(release, PATIENCE);
      // A process does not stay for it: the end of the cell comes first.
      (timer as { unref?: () => void }).unref?.();
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
    ...(sink.bodies && { bodies: sink.bodies }),
    ...(sink.update && { update: (id, shown) => sink.update?.(id, shown) }),
    ...(sink.arrive && { arrive: (text) => sink.arrive?.(text) }),
    ...(sink.uncaught && {
      uncaught: (error) => {
        release();
        sink.uncaught?.(error);
      },
    }),
    end: () => {
      hasEnded = true;
      end();
    },
  };
}
