import { createJsonSkip, type JsonSkip } from "./json-skip.ts";
import { createToken, type Token } from "./json-token.ts";

/** How much of a JSON text is kept; the rest is walked over and counted. */
export interface HeadLimits {
  /** Items of one array. */
  readonly items: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Bytes of one string. */
  readonly string: number;
  /** Values in all. */
  readonly values: number;
  /** Levels of arrays and objects. */
  readonly depth: number;
}

/** What is more than any view shows, and small beside any body that is worth the walk. */
export const HEAD_LIMITS: HeadLimits = {
  items: 1_000,
  keys: 10_000,
  string: 65_536,
  values: 20_000,
  depth: 70,
};

/** The beginning of a JSON text, readable while the rest of it still arrives. */
export interface JsonHead {
  /** Takes the next bytes of the text, in UTF-8. */
  feed(chunk: Uint8Array): void;
  /** Says that no more bytes come. */
  end(): void;
  /** `broken` where what was read is no JSON, or where the text ended early. */
  readonly state: "open" | "whole" | "broken";
  /** How many bytes it was given. */
  readonly length: number;
  /** The value as far as it came; items of a list are there once they are whole. */
  readonly value: unknown;
  /** How many items or keys an array or object has that was not kept whole, counted up to now. */
  total(container: object): number | undefined;
}

const MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** What became of a byte: it was taken, is to be looked at again, or cannot stand there. */
type Step = "taken" | "again" | "broken";

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end" | "nothing";

interface Frame {
  readonly container: unknown[] | Record<string, unknown>;
  readonly parent: Frame | undefined;
  readonly depth: number;
  key: string;
  count: number;
  skip: JsonSkip | undefined;
}

/**
 * Reads the beginning of a JSON text: the first items of its lists and the first keys of its
 * objects become values, all else is counted. Memory is bounded by the limits, whatever comes.
 */
export function createJsonHead(limits: HeadLimits = HEAD_LIMITS): JsonHead {
  const unkept = new Map<object, Frame>();
  let state: JsonHead["state"] = "open";
  let root: unknown;
  let frame: Frame | undefined;
  let expected: Expected = "value";
  let kept = 0;
  let offset = 0;
  let token: Token | undefined;

  /** Where a value ends: it gets its place, and what may follow is known. */
  const place = (value: unknown): void => {
    if (frame === undefined) root = value;
    else add(frame, value);
    if (typeof value !== "object" || value === null) kept++;
    expected = frame === undefined ? "nothing" : ", or end";
  };
  const open = (container: Frame["container"]): void => {
    const depth = (frame?.depth ?? 0) + 1;
    const inner: Frame = { container, parent: frame, depth, key: "", count: 0, skip: undefined };
    kept++;
    if (frame === undefined) root = container;
    else if (isAtOnce(frame, container)) add(frame, container);
    frame = inner;
    expected = Array.isArray(container) ? "value or ]" : "key or }";
  };
  const close = (): Step => {
    const closed = frame;
    if (closed === undefined) return "broken";
    frame = closed.parent;
    if (frame !== undefined && !isAtOnce(frame, closed.container)) add(frame, closed.container);
    expected = frame === undefined ? "nothing" : ", or end";
    return "taken";
  };
  const isFull = ({ container, count, depth }: Frame): boolean =>
    depth > limits.depth ||
    kept >= limits.values ||
    count >= (Array.isArray(container) ? limits.items : limits.keys);
  const startSkip = (full: Frame): void => {
    full.skip = createJsonSkip();
    unkept.set(full.container, full);
  };

  const finish = (ended: Token): void => {
    const value = ended.finish();
    if (ended.kind === "key" && frame !== undefined) {
      frame.key = String(value);
      expected = ":";
    } else place(value);
  };
  const isTooDeep = (): boolean => frame !== undefined && frame.depth > limits.depth;
  /** Below the deepest level not even the first item is read. */
  const startDeep = (): Step => {
    if (frame === undefined) return "broken";
    frame.count = 1;
    startSkip(frame);
    return "again";
  };
  const startToken = (kind: Token["kind"]): void => {
    token = createToken(kind, limits.string);
  };
  const startValue = (mark: string): Step => {
    if (isTooDeep()) return startDeep();
    if (mark === "{") open({});
    else if (mark === "[") open([]);
    else if (mark === '"') startToken("string");
    else {
      startToken("word");
      return "again";
    }
    return "taken";
  };
  const startKey = (mark: string): Step => {
    if (mark !== '"') return "broken";
    if (isTooDeep()) return startDeep();
    startToken("key");
    return "taken";
  };
  const goOn = (mark: string): Step => {
    if (frame === undefined) return "broken";
    const isList = Array.isArray(frame.container);
    if (mark === (isList ? "]" : "}")) return close();
    if (mark !== ",") return "broken";
    expected = isList ? "value" : "key";
    if (isFull(frame)) {
      frame.count++;
      startSkip(frame);
    }
    return "taken";
  };
  const marks: Readonly<Record<Expected, (mark: string) => Step>> = {
    value: startValue,
    "value or ]": (mark) => (mark === "]" ? close() : startValue(mark)),
    key: startKey,
    "key or }": (mark) => (mark === "}" ? close() : startKey(mark)),
    ":": (mark) => {
      expected = "value";
      return mark === ":" ? "taken" : "broken";
    },
    ", or end": goOn,
    nothing: () => "broken",
  };

  const step = (chunk: Uint8Array, at: number): number => {
    if (token !== undefined) {
      const next = token.read(chunk, at);
      if (next < 0) return chunk.length;
      const ended = token;
      token = undefined;
      finish(ended);
      return next;
    }
    if (frame?.skip !== undefined) {
      const { next, closed } = frame.skip.walk(chunk, at);
      if (closed) close();
      return next;
    }
    const byte = chunk[at] ?? 0;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    const taken = marks[expected](String.fromCharCode(byte));
    if (taken === "broken") throw new SyntaxError(`Expected ${expected}`);
    return taken === "again" ? at : at + 1;
  };
  const guarded = (read: () => void): void => {
    if (state !== "open") return;
    try {
      read();
    } catch {
      // Where it breaks is told by the parser that reads the whole text.
      state = "broken";
    }
  };

  return {
    feed: (chunk) => {
      guarded(() => {
        let at = 0;
        // A byte order mark is no part of the text.
        while (chunk[at] === MARK[offset + at] && at < chunk.length) at++;
        while (at < chunk.length) at = step(chunk, at);
      });
      offset += chunk.length;
    },
    end: () =>
      guarded(() => {
        const last = token;
        token = undefined;
        if (last?.kind === "word") finish(last);
        state = expected === "nothing" ? "whole" : "broken";
      }),
    get state() {
      return state;
    },
    get length() {
      return offset;
    },
    get value() {
      return root;
    },
    total: (container) => {
      const full = unkept.get(container);
      return full === undefined ? undefined : full.count + (full.skip?.commas ?? 0);
    },
  };
}

/** A list inside of an object can be seen while it grows; an item of a list only when it is whole. */
function isAtOnce({ container }: Frame, inner: Frame["container"]): boolean {
  return !Array.isArray(container) || Array.isArray(inner);
}

function add(frame: Frame, value: unknown): void {
  const { container, key } = frame;
  frame.count++;
  if (Array.isArray(container)) container.push(value);
  else if (key === "__proto__") {
    // An assignment would set the prototype instead of a key.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(container, key, property);
  } else container[key] = value;
}
