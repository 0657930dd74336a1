import {
  dataOf,
  isError,
  membersOf,
  messageOf,
  objectOf,
  writtenEntries,
} from "../interpolation/mod.ts";
import { pairsInBody } from "./find.ts";
import { LONGEST } from "./forms.ts";
import {
  hideCredential,
  isCredentialHeader,
  isNumeric,
  type NameRule,
  OPEN,
  type Place,
  placeOfMember,
} from "./names.ts";
import { HIDDEN, isPlaceholder, joinRanges, maskRanges, type SecretRange } from "./placeholders.ts";
import type { Masking } from "./store.ts";

/** Masks texts, and searches each of them once. */
export interface Masker {
  /**
   * Masks a text.
   *
   * @param most How many characters of it are shown at most; all unless told.
   */
  mask(text: string, most?: number): string;
  /** The same for the text of a body: values below secret names are masked in their place. */
  body(text: string, mediaType: string, most?: number): string;
}

interface Masked {
  readonly text: string;
  readonly most: number;
}

/** JSON in a string, in which values below secret names are masked in their place as well. */
const JSON_START = /^\s*[[{]\s*["[{]/;
const ALL = Number.POSITIVE_INFINITY;

/** Creates a masker that has searched nothing yet. */
export function createMasker(masking: Masking): Masker {
  const texts = new Map<string, Masked>();
  const bodies = new Map<string, Map<string, Masked>>();

  const once = (
    known: Map<string, Masked>,
    text: string,
    most: number,
    mask: (part: string) => string,
  ): string => {
    const before = known.get(text);
    if (before !== undefined && before.most >= most) return before.text;
    const masked = text.length <= most ? mask(text) : maskBeginning(text, most, mask);
    known.set(text, { text: masked, most });
    return masked;
  };

  return {
    mask: (text, most = ALL) => {
      const isJson = JSON_START.test(text);
      return once(texts, text, most, (part) =>
        isJson
          ? maskRanges(part, locateInBody(part, "application/json", masking))
          : masking.mask(part),
      );
    },
    body: (text, mediaType, most = ALL) => {
      const known = bodies.get(mediaType) ?? new Map<string, Masked>();
      bodies.set(mediaType, known);
      return once(known, text, most, (part) =>
        maskRanges(part, locateInBody(part, mediaType, masking)),
      );
    },
  };
}

/** The ranges of the secrets in a body: of known texts, and of all that stands below a secret name. */
export function locateInBody(
  text: string,
  mediaType: string,
  masking: Masking,
): readonly SecretRange[] {
  const placed: SecretRange[] = [];
  for (const { start, end, value } of pairsInBody(text, mediaType, masking.isSecretName)) {
    if (value.trim() !== "" && !isPlaceholder(value)) placed.push({ start, end, shown: HIDDEN });
  }
  return joinRanges([...masking.locate(text), ...placed]);
}

/** No form of a secret is longer. */
const LONGEST_FORM = 262_144;

/**
 * Masks the beginning of a text of megabytes, of which no more is shown: at least `most` characters,
 * and enough beyond them that no secret is cut at their end. The rest is appended as it is.
 */
export function maskBeginning(text: string, most: number, mask: (text: string) => string): string {
  // A text that is full of secrets becomes far shorter, so the beginning grows until it is long enough.
  for (let end = most + LONGEST_FORM * 2; end * 2 < text.length; end *= 2) {
    const begin = text.slice(0, end);
    const head = mask(begin);
    // A concatenation is copied as a whole as soon as it is cut, so the text itself is returned.
    if (head === begin) return text;
    if (head.length >= most + LONGEST_FORM) return head + text.slice(end);
  }
  return mask(text);
}

/** Masks the parts of data. It follows the path to each part, since names say what is secret. */
export interface Redactor {
  /** Masks the key of a member. */
  key(text: string): string;
  /** Masks a text; below a secret name also one that is too common to be searched for. */
  text(text: string): string;
  /** Masks the digits of a number; directly below a secret name any number. */
  number(digits: string): string;
  /** The redactor of a member; items of a list have that of the list. */
  at(name: string): Redactor;
}

/**
 * Creates the redactor of a whole value.
 *
 * @param mask Masks a text by searching it.
 * @param isSecretName Which names are those of secrets; without it, nothing is hidden by its place.
 */
export function createRedactor(
  mask: (text: string) => string,
  isSecretName: NameRule = () => false,
): Redactor {
  const inside = (place: Place, header?: string): Redactor => ({
    key: mask,
    text: (text) => {
      const isHidden = place.state === "named" && (place.takesNumbers || !DIGITS.test(text));
      if (!isHidden) return mask(text);
      return header === undefined ? hideInPlace(mask(text)) : hideCredential(header, text, mask);
    },
    number: (digits) => (place.takesNumbers ? hideInPlace(mask(digits)) : mask(digits)),
    at: (name) => {
      const next = placeOfMember(place, name, isSecretName);
      return next === OPEN ? open : inside(next, isCredentialHeader(name) ? name : undefined);
    },
  });
  const open = inside(OPEN);
  return open;
}

/** A number as CSV has it. */
const DIGITS = /^[\d.,]+$/;

/** What is shown of a text that is secret because of its place: only the placeholders that it consists of. */
function hideInPlace(masked: string): string {
  return masked.trim() === "" || isPlaceholder(masked) ? masked : HIDDEN;
}

/** Masks nothing, for texts that are not shown. */
export const UNREDACTED: Redactor = createRedactor((text) => text);

/** Deeper values are hidden: no view shows them, and the stack has no room for them. */
const DEEPEST = 1_000;

/**
 * A copy of data without secrets: keys, texts and numbers in which one is found are masked, and so
 * are members whose names say that they are secret, even if their texts are too common to be searched
 * for; in objects, lists, Maps, Sets and errors with their causes. Another object, a Date for example, is left as it is.
 *
 * @param masker Keeps what was searched; one for this value alone unless told.
 */
export function maskValue(
  value: unknown,
  masking: Masking,
  masker: Masker = createMasker(masking),
): unknown {
  return redactValue(
    value,
    createRedactor((text) => masker.mask(text), masking.isSecretName),
  );
}

/** A copy of data, each part of which a redactor has masked. */
export function redactValue(value: unknown, redactor: Redactor): unknown {
  return copy(value, redactor, 0);
}

/**
 * The same by search alone. Names in data of a program, such as a chart, may not be names of secrets.
 */
export function maskFound(value: unknown, masking: Masking): unknown {
  return maskValue(value, { ...masking, isSecretName: () => false }, createMasker(masking));
}

/** A value may have a million items; this many are searched. */
const MOST = 20_000;

/**
 * A value of a program without the texts below secret names that are too long to be searched for; the value
 * itself if it has none.
 */
export function hideLong<Value>(value: Value, masking: Masking): Value {
  const masker = createMasker(masking);
  const copies = new Map<object, unknown>();
  let isChanged = false;
  let left = MOST;
  const shownText = (text: string, place: Place): string => {
    if (text.length <= LONGEST) return text;
    const shown = place === OPEN ? masker.mask(text) : HIDDEN;
    isChanged ||= shown !== text;
    return shown;
  };
  const without = (item: unknown, place: Place): unknown => {
    if (typeof item === "string") return shownText(item, place);
    if (!isPlain(item) || --left < 0) return item;
    const before = copies.get(item);
    if (before !== undefined) return before;
    const result: object = Array.isArray(item) ? [] : Object.create(Object.getPrototypeOf(item));
    copies.set(item, result);
    for (const [key, inner] of membersOf(item)) {
      const at = Array.isArray(item) ? place : placeOfMember(place, key, masking.isSecretName);
      Object.defineProperty(result, key, { value: without(inner, at), enumerable: true });
    }
    return result;
  };
  try {
    if (!hasLong(value)) return value;
    const shown = without(value, OPEN) as Value;
    return isChanged ? shown : value;
  } catch {
    // What is nested too deeply is shown as its error.
    return value;
  }
}

/** Whether a value has a text that is too long to be searched for, without a copy of the value. */
function hasLong(value: unknown): boolean {
  const waiting: unknown[] = [value];
  const seen = new Set<object>();
  let left = MOST;
  const isLong = (item: unknown): boolean => {
    if (typeof item === "string") return item.length > LONGEST;
    if (typeof item === "object" && item !== null) waiting.push(item);
    return false;
  };
  for (let at = 0; at < waiting.length; at++) {
    const item = waiting[at];
    if (typeof item === "string" && isLong(item)) return true;
    if (!isPlain(item) || seen.has(item)) continue;
    seen.add(item);
    for (const [, inner] of membersOf(item)) {
      if (isLong(inner)) return true;
      if (--left < 0) return false;
    }
  }
  return false;
}

function copy(value: unknown, redactor: Redactor, depth: number): unknown {
  if (isNumeric(value)) {
    const digits = String(value);
    const masked = redactor.number(digits);
    return masked === digits ? value : masked;
  }
  if (typeof value === "string") return redactor.text(value);
  const isWhole = !(isPlain(value) || value instanceof Map || value instanceof Set);
  if (isWhole && !isError(value)) return value;
  if (depth > DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => copy(item, redactor, depth + 1));
  if (value instanceof Set) {
    return new Set([...value].map((item) => copy(item, redactor, depth + 1)));
  }
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]): [unknown, unknown] => {
      const inner = typeof key === "string" ? redactor.at(key) : redactor;
      return [copy(key, redactor, depth + 1), copy(item, inner, depth + 1)];
    });
    return new Map(entries);
  }
  if (isError(value)) return copyError(value, redactor, depth);
  const result = new Map<string, unknown>();
  for (const [key, item] of writtenEntries(value as Readonly<Record<string, unknown>>)) {
    result.set(freeName(redactor.key(key), result), copy(item, redactor.at(key), depth + 1));
  }
  return objectOf([...result]);
}

/** A copy of an error with all that it carries: a logger copies its members, and those of its causes. */
function copyError(error: Error, redactor: Redactor, depth: number): Error {
  const result = new Error(redactor.text(messageOf(error)));
  // What only a true one has, such as the name of a DOMException, is not inherited by a copy.
  const isNative = Object.hasOwn(error, "message");
  Object.setPrototypeOf(result, isNative ? Object.getPrototypeOf(error) : Error.prototype);
  if (!isNative) Object.defineProperty(result, "name", { value: error.name });
  for (const key of Object.getOwnPropertyNames(error)) {
    if (key === "message") continue;
    const value = key === "stack" ? error.stack : dataOf(error, key);
    const { enumerable = false } = Object.getOwnPropertyDescriptor(error, key) ?? {};
    Object.defineProperty(result, key, {
      value: copy(value, redactor.at(key), depth + 1),
      enumerable,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

/** Two keys may be masked alike. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
  return free;
}

/** Whether a value is a list or an object without a class. */
function isPlain(item: unknown): item is object {
  if (typeof item !== "object" || item === null) return false;
  if (Array.isArray(item)) return true;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const REVEALED = Symbol.for("restlab.revealed");

/** A value that is shown with its secrets. */
export interface Revealed {
  /** The value. */
  readonly value: unknown;
}

/** Marks a value to be shown with its secrets, once, where it is the result of a cell. */
export function reveal(value: unknown): Revealed {
  return Object.freeze({ value, [REVEALED]: true });
}

/**
 * Marks a copy of a value to be shown with its secrets, for a value that a program goes on using,
 * such as an exchange.
 *
 * @param copy The copy, which is changed.
 * @param value The value, which is still shown masked.
 */
export function markRevealed<Value extends object>(copy: Value, value: Value): Value {
  return Object.defineProperties(copy, { value: { value }, [REVEALED]: { value: true } });
}

/** Whether a value was marked to be shown with its secrets, by any copy of the library. */
export function isRevealed(value: unknown): value is Revealed {
  return typeof value === "object" && dataOf(value, REVEALED) === true;
}
