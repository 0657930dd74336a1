/** A value that no placeholder could insert. Its path is added where the copy began. */
export class UnstorableValueError extends TypeError {
  override readonly name: string = "TypeError";
  readonly reason: string;

  /** @param reason What is wrong, beginning with a verb. */
  constructor(reason: string, path = "") {
    super(`Cannot use the value of "${path}": it ${reason}`);
    this.reason = reason;
  }

  /** The same error with the path of the value. */
  at(path: string): UnstorableValueError {
    return new UnstorableValueError(this.reason, path);
  }
}

/** Creates the error for a value that is not an object. */
export function refuseValue(value: unknown): UnstorableValueError {
  if (typeof value === "number")
    return new UnstorableValueError(`is ${value}, which JSON cannot represent`);
  if (value === undefined)
    return new UnstorableValueError("is undefined; use null for an empty value");
  return new UnstorableValueError(`is a ${typeof value}, which has no text form`);
}

/** What to do about objects whose content is not in their properties, by their tag. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["Promise", "await it first"],
  ["Map", "Object.fromEntries(map) gives an object"],
  ["Set", "[...set] gives an array"],
  ["WeakMap", "its keys cannot be listed"],
  ["WeakSet", "its elements cannot be listed"],
  ["RegExp", "its source is a string"],
  ["Error", "its message is a string"],
  ["Symbol", "its description is a string"],
  ["ArrayBuffer", "[...new Uint8Array(buffer)] gives an array of numbers"],
  ["SharedArrayBuffer", "[...new Uint8Array(buffer)] gives an array of numbers"],
  ["DataView", "[...new Uint8Array(view.buffer)] gives an array of numbers"],
  ["Headers", "Object.fromEntries(headers) gives an object"],
  ["FormData", "Object.fromEntries(form) gives an object"],
  ["URLSearchParams", "toString() gives a string"],
  ["Blob", "await blob.text() gives a string"],
  ["File", "await file.text() gives a string"],
  ["Response", "await response.json() gives its data"],
]);

/**
 * Refuses objects whose content is not in their own properties.
 *
 * @throws {UnstorableValueError} The object is of a known such kind, or of another class and without
 * properties.
 */
export function refuseObject(value: object): void {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === "Object") return;
  if (ArrayBuffer.isView(value) && tag !== "DataView") {
    throw new UnstorableValueError(`is a ${tag}; Array.from(it) gives an array of numbers`);
  }
  const hint = HINTS.get(tag);
  if (hint !== undefined) throw new UnstorableValueError(`is a ${tag}; ${hint}`);
  const hasJson = typeof (value as { toJSON?: unknown }).toJSON === "function";
  if (hasJson || Object.keys(value).length > 0) return;
  throw new UnstorableValueError(`is a ${tag} without own properties`);
}
