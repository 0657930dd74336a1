import {
  closeContainer,
  type Expected,
  isFull,
  type JsonReading,
  openContainer,
  placeValue,
  skipRest,
} from "./json-reading.ts";
import { createToken, type Token } from "./json-token.ts";

/** What to do after a byte: read the next one, read it again, or give up. */
type Step = "next" | "again" | "broken";

/**
 * Reads from a chunk of a JSON text until something has ended.
 *
 * @returns The index to continue at.
 * @throws {SyntaxError} It is not JSON.
 */
export function readStep(reading: JsonReading, chunk: Uint8Array, at: number): number {
  const { token, frame } = reading;
  if (token !== undefined) {
    const next = token.read(chunk, at);
    if (next < 0) return chunk.length;
    finishToken(reading, token);
    return next;
  }
  if (frame?.skip !== undefined) {
    const { next, closed } = frame.skip.walk(chunk, at);
    if (closed) closeContainer(reading);
    return next;
  }
  const byte = chunk[at] ?? 0;
  if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
  const step = SYNTAX[reading.expected](reading, String.fromCharCode(byte));
  if (step === "broken") throw new SyntaxError(`Expected ${reading.expected}`);
  return step === "again" ? at : at + 1;
}

/**
 * Ends a string, a key or a word.
 *
 * @throws {SyntaxError} It has no value.
 */
export function finishToken(reading: JsonReading, token: Token): void {
  reading.token = undefined;
  const value = token.finish();
  if (token.kind === "key" && reading.frame !== undefined) {
    reading.frame.key = String(value);
    reading.expected = ":";
  } else placeValue(reading, value);
}

type ReadMark = (reading: JsonReading, mark: string) => Step;

const SYNTAX: Readonly<Record<Expected, ReadMark>> = {
  value: startValue,
  "value or ]": (reading, mark) => (mark === "]" ? close(reading) : startValue(reading, mark)),
  key: startKey,
  "key or }": (reading, mark) => (mark === "}" ? close(reading) : startKey(reading, mark)),
  ":": (reading, mark) => {
    if (mark !== ":") return "broken";
    reading.expected = "value";
    return "next";
  },
  ", or end": continueContainer,
  nothing: () => "broken",
};

function startValue(reading: JsonReading, mark: string): Step {
  if (isTooDeep(reading)) return skipDeep(reading);
  if (mark === "{") openContainer(reading, {});
  else if (mark === "[") openContainer(reading, []);
  else if (mark === '"') startToken(reading, "string");
  else {
    startToken(reading, "word");
    return "again";
  }
  return "next";
}

function startKey(reading: JsonReading, mark: string): Step {
  if (mark !== '"') return "broken";
  if (isTooDeep(reading)) return skipDeep(reading);
  startToken(reading, "key");
  return "next";
}

function startToken(reading: JsonReading, kind: Token["kind"]): void {
  reading.token = createToken(kind, reading.limits.string);
}

function close(reading: JsonReading): Step {
  closeContainer(reading);
  return "next";
}

function continueContainer(reading: JsonReading, mark: string): Step {
  const isList = Array.isArray(reading.frame?.container);
  if (mark === (isList ? "]" : "}")) return close(reading);
  if (mark !== ",") return "broken";
  reading.expected = isList ? "value" : "key";
  if (isFull(reading)) skipRest(reading);
  return "next";
}

function isTooDeep({ frame, limits }: JsonReading): boolean {
  return frame !== undefined && frame.depth > limits.depth;
}

/** Below the deepest level not even the first item is read. */
function skipDeep(reading: JsonReading): Step {
  skipRest(reading);
  return "again";
}
