import { messageOf } from "../interpolation/mod.ts";
import { BodyError, type StreamedBody } from "./body-out.ts";
import type { TransferProgress } from "./receive-body.ts";

/** A body that can be read once, such as that of a `Response` or a `Readable` of Node: bytes, or text as UTF-8. */
export type BodyStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

const encoder = new TextEncoder();

/** Whether a value is read piece by piece, from its beginning once. */
export function isBodyStream(value: unknown): value is BodyStream {
  return value instanceof ReadableStream || Symbol.asyncIterator in Object(value);
}

/** Sends what a program produces meanwhile. What needs to be sent again, after a redirect for example, fails. */
export function streamOnce(source: BodyStream): StreamedBody {
  let isOpened = false;
  let failure: Error | undefined;
  const fail = (message: string, cause?: unknown): never => {
    failure = new BodyError(message, { cause });
    throw failure;
  };
  return {
    kind: "streamed",
    size: undefined,
    get failure() {
      return failure;
    },
    stream() {
      const isUsed = isOpened || (source instanceof ReadableStream && source.locked);
      if (isUsed) fail("it is a stream, which can be read once, and was read before");
      isOpened = true;
      const { next, stop } = readerOf(source);
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const step = await next().catch((cause: unknown) => fail(messageOf(cause), cause));
          if (step.done === true) return controller.close();
          const piece: unknown = step.value;
          if (typeof piece === "string") controller.enqueue(encoder.encode(piece));
          else if (piece instanceof Uint8Array) controller.enqueue(piece);
          else fail(`it is a stream of ${typeof piece}, not of bytes or text`);
        },
        cancel: stop,
      });
    },
  };
}

/** Reads a body from its beginning, and tells how much of it has been read. */
export function countedStream(
  body: StreamedBody,
  progress: TransferProgress,
): ReadableStream<Uint8Array> {
  const reader = body.stream().getReader();
  progress.sent = 0;
  progress.toSend = body.size;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = await reader.read();
      if (step.done) return controller.close();
      progress.sent = (progress.sent ?? 0) + step.value.byteLength;
      controller.enqueue(step.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Not every browser can iterate over a `ReadableStream`. */
function readerOf(source: BodyStream): {
  readonly next: () => Promise<{ readonly done?: boolean; readonly value?: unknown }>;
  readonly stop: (reason: unknown) => Promise<void>;
} {
  if (source instanceof ReadableStream) {
    const reader = source.getReader();
    return { next: () => reader.read(), stop: (reason) => reader.cancel(reason) };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next(), stop: async () => void (await iterator.return?.()) };
}
