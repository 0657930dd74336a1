import { describe, expect, test } from "vitest";
import { createChannel } from "../../../lib/exchange/mod.ts";
import { createInbox } from "../../../lib/websocket/session.ts";

interface Source {
  readonly reader: AsyncIterableIterator<unknown>;
  write(text: string): unknown;
  end(): void;
}

const conversation = { addUnread: () => undefined, removeUnread: () => undefined };

const SOURCES: readonly (readonly [name: string, create: () => Source])[] = [
  [
    "a channel",
    () => {
      const { reader, write, close } = createChannel<string>(() => undefined);
      return { reader, write: (text) => write([text]), end: () => close() };
    },
  ],
  [
    "an inbox",
    () => {
      const { reader, push, end } = createInbox(() => undefined);
      return { reader, write: (text) => push(text as never, conversation as never), end };
    },
  ],
];

describe.each(SOURCES)("%s with several calls of next that wait", (_name, create) => {
  const next = async ({ reader }: Source): Promise<unknown> => {
    const { value, done } = await reader.next();
    return done ? "end" : value;
  };

  test("gives each its own value, in the order of the calls, and the end to all", async () => {
    const source = create();
    const waiting = [next(source), next(source), next(source)];
    void source.write("one");
    waiting.push(next(source));
    await waiting[0];
    void source.write("two");
    await waiting[1];
    source.end();
    expect(await Promise.all(waiting)).toEqual(["one", "two", "end", "end"]);
    expect(await next(source)).toBe("end");
  });

  test("settles all when the reader leaves", async () => {
    const source = create();
    const waiting = [next(source), next(source)];
    await source.reader.return?.();
    expect(await Promise.all(waiting)).toEqual(["end", "end"]);
  });
});

test("an error of a channel goes to the first of them", async () => {
  const { reader, close } = createChannel<string>(() => undefined);
  const waiting = [reader.next(), reader.next()];
  close({ error: new Error("lost") });
  const results = await Promise.allSettled(waiting);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
