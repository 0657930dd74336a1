/** A part of the language that is newer than the compiler under tslab, and how to tell it is there. */
interface Addition {
  /** Where the function is: the name of a global, and a path from there. */
  readonly at: string;
  readonly types: string;
}

/**
 * Declares what the running runtime has of ES2023 to ES2025: the compiler's own library ends
 * within ES2023. What the runtime lacks stays undeclared, so that a cell is told before it runs.
 *
 * The declarations follow TypeScript's `lib.es2023.array.d.ts`, `lib.es2024.*.d.ts` and `lib.esnext.*.d.ts`.
 *
 * @param scope Where to look; the runtime's globals unless given.
 * @returns Declarations for the global scope; an empty text where there is nothing to add.
 */
export function declareNewerTypes(scope: object = globalThis): string {
  const there = ADDITIONS.filter(({ at }) => typeof resolvePath(scope, at) === "function");
  return there.map(({ types }) => types).join("\n");
}

function resolvePath(scope: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (Object(value) as Record<string, unknown>)[name], scope);
}

const GROUPS = "Partial<Record<K, T[]>>";

/** Of ES2023 the compiler knows `findLast` and `findLastIndex` alone. */
const COPIES = `
interface ReadonlyArray<T> {
  /** A copy in reverse order. */
  toReversed(): T[];
  /** A sorted copy. */
  toSorted(compareFn?: (a: T, b: T) => number): T[];
  /** A copy in which some members are removed and others put in their place. */
  toSpliced(start: number, deleteCount: number, ...items: T[]): T[];
  toSpliced(start: number, deleteCount?: number): T[];
  /** A copy with another value at an index; negative ones count from the end. */
  with(index: number, value: T): T[];
}
interface Array<T> extends Pick<ReadonlyArray<T>, "toReversed" | "toSorted" | "toSpliced" | "with"> {}`;

const TYPED_ARRAYS = [
  ...["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array"],
  ...["Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
];

function copiesOf(name: string): string {
  const element = name.startsWith("Big") ? "bigint" : "number";
  return `interface ${name} {
  toReversed(): ${name};
  toSorted(compareFn?: (a: ${element}, b: ${element}) => number): ${name};
  with(index: number, value: ${element}): ${name};
}`;
}

const SET_METHODS = `
interface ReadonlySetLike<T> {
  keys(): Iterator<T>;
  has(value: T): boolean;
  readonly size: number;
}
interface SetMethods<T> {
  union<U>(other: ReadonlySetLike<U>): Set<T | U>;
  intersection<U>(other: ReadonlySetLike<U>): Set<T & U>;
  difference<U>(other: ReadonlySetLike<U>): Set<T>;
  symmetricDifference<U>(other: ReadonlySetLike<U>): Set<T | U>;
  isSubsetOf(other: ReadonlySetLike<unknown>): boolean;
  isSupersetOf(other: ReadonlySetLike<unknown>): boolean;
  isDisjointFrom(other: ReadonlySetLike<unknown>): boolean;
}
interface Set<T> extends SetMethods<T> {}
interface ReadonlySet<T> extends SetMethods<T> {}`;

const ADDITIONS: readonly Addition[] = [
  { at: "Array.prototype.toSorted", types: [COPIES, ...TYPED_ARRAYS.map(copiesOf)].join("\n") },
  {
    at: "Object.groupBy",
    types: `interface ObjectConstructor {
  /** Groups members by the key that the function gives for each. */
  groupBy<K extends PropertyKey, T>(
    items: Iterable<T>,
    keySelector: (item: T, index: number) => K,
  ): ${GROUPS};
}`,
  },
  {
    at: "Map.groupBy",
    types: `interface MapConstructor {
  /** Groups members by the key that the function gives for each. */
  groupBy<K, T>(items: Iterable<T>, keySelector: (item: T, index: number) => K): Map<K, T[]>;
}`,
  },
  {
    at: "Promise.withResolvers",
    types: `interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason?: any) => void;
}
interface PromiseConstructor {
  /** A new promise with the functions that settle it. */
  withResolvers<T>(): PromiseWithResolvers<T>;
}`,
  },
  {
    at: "Promise.try",
    types: `interface PromiseConstructor {
  /** Calls a function and gives a promise of what it returns or throws. */
  try<T, U extends unknown[]>(
    callback: (...parameters: U) => T | PromiseLike<T>,
    ...parameters: U
  ): Promise<Awaited<T>>;
}`,
  },
  {
    at: "Array.fromAsync",
    types: `interface ArrayConstructor {
  /** A promise of an array of what an iterable, of promises perhaps, gives. */
  fromAsync<T>(
    items: AsyncIterable<T> | Iterable<T | PromiseLike<T>> | ArrayLike<T | PromiseLike<T>>,
  ): Promise<T[]>;
  fromAsync<T, U>(
    items: AsyncIterable<T> | Iterable<T> | ArrayLike<T>,
    map: (value: Awaited<T>, index: number) => U,
    thisArg?: any,
  ): Promise<Awaited<U>[]>;
}`,
  },
  {
    at: "String.prototype.isWellFormed",
    types: `interface String {
  /** Whether no half of a surrogate pair stands alone. */
  isWellFormed(): boolean;
  /** The text with each half of a surrogate pair that stands alone replaced by U+FFFD. */
  toWellFormed(): string;
}`,
  },
  {
    at: "ArrayBuffer.prototype.transfer",
    types: `interface ArrayBuffer {
  readonly detached: boolean;
  transfer(newByteLength?: number): ArrayBuffer;
  transferToFixedLength(newByteLength?: number): ArrayBuffer;
}`,
  },
  {
    at: "ArrayBuffer.prototype.resize",
    types: `interface ArrayBuffer {
  readonly maxByteLength: number;
  readonly resizable: boolean;
  resize(newByteLength?: number): void;
}
interface ArrayBufferConstructor {
  new (byteLength: number, options?: { maxByteLength?: number }): ArrayBuffer;
}`,
  },
  { at: "Set.prototype.union", types: SET_METHODS },
  {
    at: "RegExp.escape",
    types: `interface RegExpConstructor {
  /** The text with everything escaped that means something in a regular expression. */
  escape(text: string): string;
}`,
  },
];
