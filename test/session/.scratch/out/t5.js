import { t as CellExit, n as InterruptedError, i as UnknownMagicError } from "./errors-DDXrd35W.js";
import "node:module";
import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";
import { mkdtempSync } from "node:fs";
import process from "node:process";
import { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { inspect } from "node:util";
import ky, { HTTPError } from "ky";
import { compareLosslessNumber, LosslessNumber, parse } from "lossless-json";

// \0rolldown/runtime.js
var __defProp = Object.defineProperty;
var __exportAll = (all, no_symbols) => {
  const target = {};
  for (var name in all)
    __defProp(target, name, {
      get: all[name],
      enumerable: true,
    });
  if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
  return target;
};
// lib/interpolation/errors.ts
/** A template has placeholders that begin like a path and are broken. Nothing was rendered. */
var TemplateSyntaxError = class extends SyntaxError {
  name = "TemplateSyntaxError";
  source;
  faults;
  /**
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source, faults) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
};
/** Placeholders name variables, properties or elements that do not exist. Nothing was sent. */
var UnresolvedPlaceholderError = class extends ReferenceError {
  name = "UnresolvedPlaceholderError";
  source;
  faults;
  /**
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source, faults) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
};
/**
 * Puts faults into the words of an error's message: one line each, with line, column and hint.
 *
 * @param faults The faults, in the order in which they are to be told.
 */
function summarizeFaults(faults) {
  return faults
    .map(({ message, line, column, hint }) => {
      const told = `${message} (line ${line}, column ${column})`;
      return hint === void 0 ? told : `${told}. ${hint}`;
    })
    .join("\n");
}
// lib/interpolation/date.ts
/** Tells dates, those of another realm (a `vm` context, a frame) too, from other objects. */
function isDate(value) {
  if (value instanceof Date) return true;
  if (Object.prototype.toString.call(value) !== "[object Date]") return false;
  try {
    Date.prototype.getTime.call(value);
    return true;
  } catch {
    return false;
  }
}
// lib/interpolation/decimal.ts
/**
 * Writes a number in decimal digits without an exponent: the shortest ones that give the same
 * number again, with as many zeros as it takes.
 *
 * @param number A finite number; minus zero is written `0`.
 */
function renderDecimal(number) {
  const text = String(number);
  const at = text.indexOf("e");
  if (at === -1) return text;
  const exponent = Number(text.slice(at + 1));
  const sign = number < 0 ? "-" : "";
  const [whole = "", fraction = ""] = text.slice(sign.length, at).split(".");
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits + "0".repeat(exponent - fraction.length);
}
// lib/interpolation/position.ts
/**
 * Finds line and column of an offset. Lines end with LF, CRLF or CR.
 *
 * @param source The text.
 * @param offset A UTF-16 offset into it; what lies behind its end counts as its end.
 * @returns Line and column, from 1.
 */
function locate(source, offset) {
  return createLocator(source)(offset);
}
/** As {@link locate} for many offsets: ascending ones cost one pass over the text in all. */
function createLocator(source) {
  let index = 0;
  let line = 1;
  let column = 1;
  return (offset) => {
    if (offset < index) [index, line, column] = [0, 1, 1];
    const end = Math.min(offset, source.length);
    while (index < end) {
      const code = source.charCodeAt(index++);
      if (code === 10 || (code === 13 && source.charCodeAt(index) !== 10)) {
        line++;
        column = 1;
      } else if (!isLowSurrogateOfPair(source, index - 1)) column++;
    }
    return {
      line,
      column,
    };
  };
}
/**
 * Makes a fault, its line and column found from the span.
 *
 * @param source The text that the span refers to.
 * @param span What the caret goes under.
 * @param message What is wrong, without the position.
 * @param hint What to do about it.
 */
function createFault(source, span, message, hint) {
  return {
    message,
    span,
    ...locate(source, span.start),
    ...(hint === void 0 ? {} : { hint }),
  };
}
function isLowSurrogateOfPair(source, index) {
  return (
    (source.charCodeAt(index) & 64512) === 56320 && (source.charCodeAt(index - 1) & 64512) === 55296
  );
}
// lib/interpolation/fault-reporter.ts
/**
 * Makes a function that adds faults to a list, finds their positions and keeps the list bounded.
 *
 * @param source The text that spans refer to.
 * @param faults The list; it may hold faults of other templates of the same source already.
 */
function createFaultReporter(source, faults) {
  const locate = createLocator(source);
  return (span, message, hint) => {
    if (faults.length > 100) return false;
    const position = locate(span.start);
    if (faults.length === 100) {
      faults.push({
        message: `More faults follow: only the first 100 are told`,
        span,
        ...position,
      });
      return false;
    }
    faults.push({
      message,
      span,
      ...position,
      ...(hint === void 0 ? {} : { hint }),
    });
    return true;
  };
}
// lib/interpolation/indentation.ts
/**
 * Makes a function that tells the blanks that a line begins with, up to an offset in that line.
 * Asked for ascending offsets it passes over the text once in all, however long its lines are.
 */
function createIndentation(source) {
  let lineStart = 0;
  let lineEnd = -1;
  return (offset) => {
    if (offset < lineStart) [lineStart, lineEnd] = [0, -1];
    for (;;) {
      if (lineEnd < lineStart) lineEnd = endOfLine(source, lineStart);
      if (lineEnd >= offset) break;
      lineStart = lineEnd + 1;
    }
    let end = lineStart;
    while (end < offset && isBlank$1(source.charCodeAt(end))) end++;
    return source.slice(lineStart, end);
  };
}
function endOfLine(source, from) {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}
function isBlank$1(code) {
  return code === 32 || code === 9;
}
// lib/interpolation/number-text.ts
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/**
 * Keeps the text of a JSON number whose digits a double would alter.
 *
 * @param text A number as JSON writes it.
 * @throws {TypeError} When the text is no JSON number.
 */
function createNumberText(text) {
  if (!JSON_NUMBER.test(text))
    throw new TypeError(`Cannot keep ${JSON.stringify(text)} as a number: JSON has no such number`);
  const number = {
    isLosslessNumber: true,
    toString: () => text,
    valueOf: () => (/^-?\d+$/.test(text) ? exactInteger(text) : Number(text)),
  };
  Object.defineProperty(number, "toString", { enumerable: false });
  Object.defineProperty(number, "valueOf", { enumerable: false });
  return Object.freeze(number);
}
/** Tells a number that is kept as text from other objects, such as data with the same key. */
function isNumberText$1(value) {
  const { isLosslessNumber, toString: write } = value;
  if (isLosslessNumber !== true || typeof write !== "function") return false;
  return JSON_NUMBER.test(String(write.call(value)));
}
function exactInteger(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
// lib/interpolation/json.ts
/**
 * Writes a value as JSON. Unlike `JSON.stringify` it keeps the digits of a bigint and of a number
 * that is kept as text, and writes numbers without exponent.
 *
 * @param value The value.
 * @param indent Spaces for each level; 0 gives one line without blanks.
 * @param margin What further lines begin with, before their indentation.
 * @throws {TypeError} When it is nested too deeply for the stack of the runtime.
 * @example
 * ```ts
 * renderJson({ id: 9007199254740993123n, at: new Date(0) }); // '{"id":9007199254740993123,"at":"1970-01-01T00:00:00.000Z"}'
 * ```
 */
function renderJson(value, indent = 0, margin = "") {
  try {
    return writeValue(value, indent === 0 ? "" : `\n${margin}`, " ".repeat(indent));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TypeError("Cannot write the value as JSON: it is nested too deeply or too long", {
      cause: error,
    });
  }
}
function writeValue(value, lineBreak, unit) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return writeArray(value, lineBreak, unit);
  if (isDate(value)) return `"${value.toISOString()}"`;
  if (isNumberText$1(value)) return value.toString();
  return writeObject(value, lineBreak, unit);
}
function writeArray(items, lineBreak, unit) {
  if (items.length === 0) return "[]";
  const inner = lineBreak === "" ? "" : lineBreak + unit;
  let text = "[";
  for (let index = 0; index < items.length; index++)
    text += (index === 0 ? inner : `,${inner}`) + writeValue(items[index], inner, unit);
  return `${text}${lineBreak}]`;
}
function writeObject(object, lineBreak, unit) {
  const inner = lineBreak === "" ? "" : lineBreak + unit;
  const colon = lineBreak === "" ? ":" : ": ";
  let text = "";
  for (const key of Object.keys(object)) {
    text += (text === "" ? inner : `,${inner}`) + JSON.stringify(key) + colon;
    text += writeValue(object[key], inner, unit);
  }
  return text === "" ? "{}" : `{${text}${lineBreak}}`;
}
/**
 * Looks up a placeholder's value: own properties only, and of an array its elements only.
 *
 * @returns The value, or {@link MISSING}.
 */
function resolvePath(placeholder, variables) {
  let value = lookUp(variables, placeholder.name);
  const { steps } = placeholder;
  for (let index = 0; index < steps.length; index++) value = takeStep(value, steps[index]);
  return value;
}
/** The value of one variable, inherited members excluded. */
function lookUp(variables, name) {
  if (isMap(variables)) return variables.get(name);
  return Object.hasOwn(variables, name) ? variables[name] : void 0;
}
/** Tells a map, one of another realm or a read-only view too, from an object. */
function isMap(variables) {
  if (variables instanceof Map) return true;
  const { get, has, keys } = variables;
  return typeof get === "function" && typeof has === "function" && typeof keys === "function";
}
/** Tells whether the whole path is there, though what stands at its end may be `undefined`. */
function isPresent(placeholder, variables) {
  const { name, steps } = placeholder;
  const last = steps.at(-1);
  if (last === void 0)
    return isMap(variables) ? variables.has(name) : Object.hasOwn(variables, name);
  const holder = resolvePath(
    {
      ...placeholder,
      steps: steps.slice(0, -1),
    },
    variables,
  );
  if (typeof holder !== "object" || holder === null) return false;
  return Array.isArray(holder)
    ? typeof last === "number" && last < holder.length
    : Object.hasOwn(holder, last);
}
/** One step into a value. A step into nothing, and one that is not there, gives {@link MISSING}. */
function takeStep(value, step) {
  if (typeof value !== "object" || value === null) return void 0;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : void 0;
  const object = value;
  return Object.hasOwn(object, step) ? object[step] : void 0;
}
// lib/interpolation/near-names.ts
/** Enough to choose from; a search in all keys of a huge object would only delay the message. */
const CANDIDATE_LIMIT = 2e3;
const LENGTH_LIMIT = 64;
/**
 * Finds the known names that a mistyped one was probably meant to be.
 *
 * Names that differ in case alone come first, then those that a few insertions, deletions,
 * replacements or swaps of neighbours away (a third of the length, at least one).
 *
 * @param name The name that is not known.
 * @param candidates The names that are.
 * @param limit How many to return at most.
 * @returns The nearest names, best first; empty when none is near.
 */
function nearNames(name, candidates, limit = 3) {
  const wanted = name.toLowerCase();
  const allowed = Math.max(1, Math.floor(name.length / 3));
  const found = [];
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > CANDIDATE_LIMIT) break;
    const distance = boundedDistance(wanted, candidate.toLowerCase(), allowed);
    if (distance <= allowed)
      found.push({
        candidate,
        distance,
      });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, limit).map(({ candidate }) => candidate);
}
/** Optimal string alignment (Damerau and Levenshtein); any number above `allowed` means "too far". */
function boundedDistance(from, to, allowed) {
  if (from === to) return 0;
  if (Math.abs(from.length - to.length) > allowed) return allowed + 1;
  if (from.length > LENGTH_LIMIT || to.length > LENGTH_LIMIT) return allowed + 1;
  let beforeLast = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1]
      )
        best = Math.min(best, at(beforeLast, column - 2) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}
function at(row, column) {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
// lib/interpolation/step-text.ts
const PLAIN_PROPERTY = /^[\p{L}\p{M}\p{Nd}_-]+$/u;
/** A step as a path writes it: `.name`, `["a b"]` or `[0]`. */
function stepText(step) {
  if (typeof step === "number") return `[${step}]`;
  return PLAIN_PROPERTY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
// lib/interpolation/unresolved.ts
/** Walks the path of a placeholder that has no value again and tells where it ends. */
function explainUnresolved(placeholder, variables) {
  const action = `Cannot resolve "{{${placeholder.text}}}"`;
  if (placeholder.kind === "generated")
    return {
      message: `${action}: names that begin with "$" are reserved for generated values, and there is none`,
      hint: `Set a variable without "$" and use that`,
    };
  const first = lookUp(variables, placeholder.name);
  if (first === void 0)
    return {
      message: `${action}: there is no variable "${placeholder.name}"`,
      hint: hintAtNames(placeholder.name, variableNames(variables), "There are no variables"),
    };
  return explainStep(action, placeholder, first);
}
function explainStep(action, placeholder, first) {
  let reached = first;
  let path = placeholder.name;
  for (const step of placeholder.steps) {
    const next = takeStep(reached, step);
    if (next === void 0) return explainReached(action, path, reached, step);
    path += stepText(step);
    reached = next;
  }
  return { message: `${action}: "${path}" is not set` };
}
function explainReached(action, path, reached, step) {
  if (Array.isArray(reached)) return explainArray(action, path, reached.length, step);
  if (
    typeof reached === "object" &&
    reached !== null &&
    !isDate(reached) &&
    !isNumberText$1(reached)
  ) {
    const wanted = String(step);
    return {
      message: `${action}: "${path}" has no property ${JSON.stringify(wanted)}`,
      hint: hintAtNames(wanted, Object.keys(reached), `"${path}" is an empty object`),
    };
  }
  const wanted = typeof step === "number" ? "elements" : "properties";
  return { message: `${action}: "${path}" is ${describeValue(reached)} and has no ${wanted}` };
}
function explainArray(action, path, length, step) {
  if (typeof step === "string")
    return {
      message: `${action}: "${path}" is an array and has no property ${JSON.stringify(step)}`,
      hint: `Reach an element by its index, for example {{${path}[0]}}`,
    };
  return {
    message: `${action}: "${path}" has ${length === 1 ? "1 element" : `${length} elements`}${length === 0 ? "" : ` (index 0${length === 1 ? "" : ` to ${length - 1}`})`} and none at ${step}`,
  };
}
const LISTED = 8;
function hintAtNames(wanted, names, none) {
  if (names.length === 0) return none;
  const near = nearNames(wanted, names);
  const quoted = (near.length > 0 ? near : names.slice(0, LISTED)).map((name) =>
    JSON.stringify(name),
  );
  if (near.length > 0) return `Did you mean ${quoted.join(" or ")}?`;
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return `Known here: ${quoted.join(", ")}${more}`;
}
function variableNames(variables) {
  return isMap(variables) ? [...variables.keys()] : Object.keys(variables);
}
function describeValue(value) {
  if (value === null) return "null";
  if (typeof value !== "object") return `a ${typeof value}`;
  return isDate(value) ? "a date" : "a number";
}
// lib/interpolation/placeholder-renderer.ts
/**
 * Renders the placeholders of one template and gathers what has no value. A class, because this is
 * the hot path and an object of one shape costs less than closures.
 */
var PlaceholderRenderer = class {
  #source;
  #variables;
  #place;
  #options;
  #admit;
  #missing;
  #indentation;
  constructor(source, variables, place, options, admit) {
    this.#source = source;
    this.#variables = variables;
    this.#place = place;
    this.#options = options;
    this.#admit = admit;
  }
  /** What stands for a placeholder; `quoted` where that is inside a JSON string. */
  render(placeholder, quoted) {
    const value = this.#resolve(placeholder);
    if (value === void 0) return this.#keep(placeholder);
    if (!quoted) {
      if (typeof value === "string") return value;
      return renderScalar(value) ?? this.#renderStructure(value, placeholder);
    }
    return escapeJson(renderScalar(value) ?? renderJson(value));
  }
  /** Tells or throws what had no value, as {@link RenderOptions} says. */
  finish() {
    if (this.#missing !== void 0 && this.#options.missing !== "keep") this.#report(this.#missing);
  }
  #resolve(placeholder) {
    if (placeholder.kind !== "path") return void 0;
    const value = resolvePath(placeholder, this.#variables);
    if (this.#admit === void 0 || typeof value === "string") return value;
    return this.#admit(value, placeholder, this.#variables);
  }
  #keep(placeholder) {
    this.#missing ??= [];
    if (this.#missing.length <= 100) this.#missing.push(placeholder);
    return this.#source.slice(placeholder.span.start, placeholder.span.end);
  }
  #renderStructure(value, placeholder) {
    if (this.#place === "url" || this.#place === "header") return renderJson(value);
    this.#indentation ??= createIndentation(this.#source);
    return renderJson(value, 2, this.#indentation(placeholder.span.start));
  }
  #report(missing) {
    const faults = this.#options.unresolved ?? [];
    const report = createFaultReporter(this.#source, faults);
    for (const placeholder of missing) {
      const { message, hint } = explainUnresolved(placeholder, this.#variables);
      if (!report(placeholder.span, message, hint)) break;
    }
    if (faults !== this.#options.unresolved)
      throw new UnresolvedPlaceholderError(this.#source, faults);
  }
};
/** The text of everything but arrays and objects with keys. */
function renderScalar(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isDate(value)) return value.toISOString();
  return isNumberText$1(value) ? value.toString() : void 0;
}
/** `JSON.stringify` writes a lone surrogate as an escape, so that it comes back as it was. */
function escapeJson(text) {
  return JSON.stringify(text).slice(1, -1);
}
// lib/interpolation/quoted.ts
const QUOTED = /* @__PURE__ */ new WeakMap();
/**
 * Tells for each part of a JSON template whether it begins inside a JSON string: 1 where it does.
 *
 * Only the template's literal text counts, never a value: no value can open or close a string.
 */
function quotedParts(template) {
  let quoted = QUOTED.get(template);
  if (quoted === void 0) {
    quoted = computeQuotedParts(template);
    QUOTED.set(template, quoted);
  }
  return quoted;
}
/** Whether text ends inside a JSON string, given whether it begins inside one. */
function endsInString(text, beginsInString) {
  let inString = beginsInString;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) inString = !inString;
    else if (code === 92 && inString) index++;
  }
  return inString;
}
function computeQuotedParts({ parts }) {
  const quoted = new Uint8Array(parts.length);
  let inString = false;
  parts.forEach((part, index) => {
    quoted[index] = inString ? 1 : 0;
    if (typeof part === "string") inString = endsInString(part, inString);
  });
  return quoted;
}
// lib/interpolation/refusal.ts
/** A value that no placeholder could insert. The path becomes known where the copy was begun. */
var UnstorableValueError = class UnstorableValueError extends TypeError {
  name = "TypeError";
  reason;
  /** @param reason What is wrong, beginning with a verb. */
  constructor(reason, path = "") {
    super(`Cannot use the value of "${path}": it ${reason}`);
    this.reason = reason;
  }
  /** The same refusal with the place of the value. */
  at(path) {
    return new UnstorableValueError(this.reason, path);
  }
};
/** The refusal of a value that is no object. */
function refuseValue(value) {
  if (typeof value === "number") return new UnstorableValueError(`is ${value}, which JSON has not`);
  if (value === void 0) return new UnstorableValueError("is undefined; null is the empty value");
  return new UnstorableValueError(`is a ${typeof value}, which has no text form`);
}
/** What to do about kinds of objects whose content is not in their properties, by their tag. */
const HINTS = /* @__PURE__ */ new Map([
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
 * Refuses objects whose content does not lie in their own properties.
 *
 * @throws {UnstorableValueError} For those kinds that are known, and for any other kind that has a
 * name of its own and no property to show.
 */
function refuseObject(value) {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === "Object") return;
  if (ArrayBuffer.isView(value) && tag !== "DataView")
    throw new UnstorableValueError(`is a ${tag}; Array.from(it) gives an array of numbers`);
  const hint = HINTS.get(tag);
  if (hint !== void 0) throw new UnstorableValueError(`is a ${tag}; ${hint}`);
  if (typeof value.toJSON === "function" || Object.keys(value).length > 0) return;
  throw new UnstorableValueError(`is a ${tag} without properties of its own`);
}
// lib/interpolation/names.ts
const START = 1;
const PART = 2;
/** What an ASCII character may be in a name, by its code. */
const ASCII = /* @__PURE__ */ new Uint8Array(128);
for (let code = 48; code <= 57; code++) ASCII[code] = PART;
for (let code = 65; code <= 90; code++) ASCII[code] = 3;
for (let code = 97; code <= 122; code++) ASCII[code] = 3;
ASCII[45] = PART;
ASCII[95] = 3;
const LETTER = /^\p{L}$/u;
const LETTER_MARK_DIGIT = /^[\p{L}\p{M}\p{Nd}]$/u;
/**
 * Tells by its first UTF-16 unit alone whether a character might begin a placeholder's content: a
 * quick look that lets few others pass, which {@link nameStartWidth} then tells for certain.
 */
function mayBeginContent(code) {
  return code < 128 ? (ASCII[code] & START) !== 0 || code === 36 : code >= 128;
}
/** How many UTF-16 units of a character that can begin a variable's name stand at `index`: 0 to 2. */
function nameStartWidth(text, index) {
  const code = text.charCodeAt(index);
  if (code < 128) return ASCII[code] & START;
  return widthOf(text, index, LETTER);
}
/** Where the run of characters that may stand in a name or property ends, from `index` on. */
function nameEnd(text, index) {
  let end = index;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code < 128) {
      if ((ASCII[code] & PART) === 0) return end;
      end++;
    } else {
      const width = widthOf(text, end, LETTER_MARK_DIGIT);
      if (width === 0) return end;
      end += width;
    }
  }
}
/**
 * Tells whether a placeholder could name this variable: a letter of any script or `_` first, then
 * letters, combining marks, digits, `_` and `-`.
 *
 * @param name The name as it would be given to `setVar`.
 */
function isReachableName(name) {
  const width = nameStartWidth(name, 0);
  return width > 0 && nameEnd(name, width) === name.length;
}
function widthOf(text, index, pattern) {
  const point = text.codePointAt(index);
  if (point === void 0) return 0;
  const character = String.fromCodePoint(point);
  return pattern.test(character) ? character.length : 0;
}
// lib/interpolation/placeholder.ts
const NO_STEPS = Object.freeze([]);
/**
 * Reads the placeholder whose two opening braces stand at `open`.
 *
 *     placeholder = "{{" blanks ( path | generated ) blanks "}}"
 *     path        = name { blanks step }
 *     step        = "." blanks property | "[" blanks ( index | quoted ) blanks "]"
 *     generated   = "$" name argument         argument = any text of the line without "}}"
 *     name        = ( letter | "_" ) { property character }
 *     property    = ( letter | mark | digit | "_" | "-" ) ...
 *     blanks      = { space | tab }           a line break is none: a placeholder stands on one line
 *
 * @param text The text to read from.
 * @param open Where the first brace stands.
 * @param start Where the first character stands that is no blank after them.
 * @param base What is added to offsets in `text` to get those of the source.
 * @returns The placeholder, what is broken about it, or nothing where the braces are plain text.
 */
function readPlaceholder(text, open, start, base) {
  const width = nameStartWidth(text, start);
  if (width === 0)
    return text.charCodeAt(start) === 36 ? readGenerated(text, open, start, base) : void 0;
  const end = nameEnd(text, start + width);
  const name = text.slice(start, end);
  if (text.charCodeAt(end) === 125 && text.charCodeAt(end + 1) === 125) {
    const span = {
      start: base + open,
      end: base + end + 2,
    };
    return {
      kind: "path",
      name,
      steps: NO_STEPS,
      text: name,
      span,
    };
  }
  return readSteps(text, open, start, name, end, base);
}
/** The first index from `index` on at which no space or tab stands. */
function skipBlanks(text, index) {
  let end = index;
  let code = text.charCodeAt(end);
  while (code === 32 || code === 9) code = text.charCodeAt(++end);
  return end;
}
function readSteps(text, open, start, name, afterName, base) {
  const steps = [];
  let end = afterName;
  for (;;) {
    const at = skipBlanks(text, end);
    const code = text.charCodeAt(at);
    if (code === 125 && text.charCodeAt(at + 1) === 125) {
      const span = {
        start: base + open,
        end: base + at + 2,
      };
      return {
        kind: "path",
        name,
        steps: steps.length === 0 ? NO_STEPS : steps,
        text: text.slice(start, end),
        span,
      };
    }
    if (code === 46) {
      const from = skipBlanks(text, at + 1);
      end = nameEnd(text, from);
      if (end === from) return expected(text, from, 'a property name after "."');
      steps.push(text.slice(from, end));
    } else if (code === 91) {
      const read = readBracket(text, at);
      if ("kind" in read) return read;
      steps.push(read.step);
      end = read.end;
    } else return notClosed(text, at);
  }
}
function readBracket(text, bracket) {
  const from = skipBlanks(text, bracket + 1);
  const quote = text.charCodeAt(from);
  const read = quote === 34 || quote === 39 ? readQuoted(text, from, quote) : readIndex(text, from);
  if ("kind" in read) return read;
  const close = skipBlanks(text, read.end);
  if (text.charCodeAt(close) !== 93) return expected(text, close, '"]"');
  return {
    step: read.step,
    end: close + 1,
  };
}
function readIndex(text, from) {
  let end = from;
  let step = 0;
  for (;;) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    step = step * 10 + digit;
    end++;
  }
  if (end === from) return expected(text, from, 'a whole number from 0 or a quoted key after "["');
  if (step > Number.MAX_SAFE_INTEGER) return broken(from, "the index is too large");
  return {
    step,
    end,
  };
}
function readQuoted(text, from, quote) {
  let step = "";
  let copied = from + 1;
  for (let index = copied; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote)
      return {
        step: step + text.slice(copied, index),
        end: index + 1,
      };
    if (code === 10 || code === 13) break;
    if (code !== 92) continue;
    const escaped = text.charCodeAt(index + 1);
    if (escaped !== 34 && escaped !== 39 && escaped !== 92)
      return broken(
        index,
        "a backslash in a quoted key may only stand before a quote or a backslash",
      );
    step += text.slice(copied, index);
    copied = ++index;
  }
  return broken(from, "the quoted key is not closed on its line");
}
function readGenerated(text, open, dollar, base) {
  const width = nameStartWidth(text, dollar + 1);
  if (width === 0) return void 0;
  const end = nameEnd(text, dollar + 1 + width);
  for (let index = end; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || code === 13) return expected(text, index, '"}}"');
    if (code !== 125 || text.charCodeAt(index + 1) !== 125) continue;
    return {
      kind: "generated",
      name: text.slice(dollar, end),
      argument: text.slice(end, index).trim(),
      text: text.slice(dollar, index).trim(),
      span: {
        start: base + open,
        end: base + index + 2,
      },
    };
  }
  return expected(text, text.length, '"}}"');
}
function notClosed(text, at) {
  return expected(
    text,
    at,
    '".", "[" or "}}"',
    String.raw`Write \{{ where the braces are meant as text`,
  );
}
function expected(text, at, expectation, hint) {
  return broken(at, `${expectation} is expected, found ${describeCharacter(text, at)}`, hint);
}
function broken(at, reason, hint) {
  return {
    kind: "broken",
    reason,
    at,
    ...(hint === void 0 ? {} : { hint }),
  };
}
function describeCharacter(text, at) {
  const point = text.codePointAt(at);
  if (point === void 0) return "the end of the text";
  if (point === 10 || point === 13) return "the end of the line";
  return JSON.stringify(String.fromCodePoint(point));
}
// lib/interpolation/scan.ts
/**
 * Walks over a text with placeholders and hands out its parts in order. Nothing is kept, so that a
 * text that is rendered once needs no list of 100,000 parts.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to walk over; all of it when left out.
 * @param faults Receives what is broken; the walk ends when the list is full.
 * @param take Receives each part; a broken placeholder is part of the literal text around it.
 */
function scanTemplate(source, span, faults, take) {
  const base = span?.start ?? 0;
  const text = span === void 0 ? source : source.slice(base, span.end);
  let report;
  let copied = 0;
  let escaped = false;
  let open = nextBraces(text, 0);
  while (open !== -1) {
    if (open > copied && text.charCodeAt(open - 1) === 92) {
      escaped = true;
      open = nextBraces(text, open + 2);
      continue;
    }
    const start = skipBlanks(text, open + 2);
    if (!mayBeginContent(text.charCodeAt(start))) {
      if (text.charCodeAt(open + 2) === 123) open = lastBraces(text, open);
      else open = nextBraces(text, start);
      continue;
    }
    const read = readPlaceholder(text, open, start, base);
    if (read === void 0) open = nextBraces(text, start);
    else if (read.kind === "broken") {
      report ??= createFaultReporter(source, faults);
      const at = base + read.at;
      const span = {
        start: at,
        end: at + 1,
      };
      if (!report(span, `Cannot parse "${excerpt(text, open)}": ${read.reason}`, read.hint)) break;
      open = nextBraces(text, read.at);
    } else {
      if (open > copied) take(literal(text.slice(copied, open), escaped));
      take(read);
      escaped = false;
      copied = read.span.end - base;
      open = nextBraces(text, copied);
    }
  }
  if (copied < text.length) take(literal(text.slice(copied), escaped));
}
/** Once a part, however many escapes it has: `replace` takes three times as long for many. */
function literal(text, escaped) {
  return escaped ? text.split("\\{{").join("{{") : text;
}
/** `indexOf` is fast over long stretches, but a call costs more than a look at a few characters. */
const LOOK_AHEAD = 24;
function lastBraces(text, open) {
  let last = open + 1;
  while (text.charCodeAt(last + 2) === 123) last++;
  return last;
}
function nextBraces(text, from) {
  const near = from + LOOK_AHEAD;
  for (let index = from; index < near; index++)
    if (text.charCodeAt(index) === 123 && text.charCodeAt(index + 1) === 123) return index;
  return text.indexOf("{{", near);
}
const EXCERPT_LENGTH = 40;
/** The placeholder up to its closing braces or the end of its line, cut where that is far away. */
function excerpt(text, open) {
  const near = text.slice(open, open + EXCERPT_LENGTH + 1);
  const written = /^.*?\}\}|^.*/u.exec(near)?.[0] ?? near;
  return written.length > EXCERPT_LENGTH ? `${written.slice(0, EXCERPT_LENGTH)}…` : written;
}
// lib/interpolation/snapshot.ts
/** Deeper structures overflow the stack of some runtime sooner or later: in display, in JSON. */
const DEPTH_LIMIT = 2e3;
/**
 * Copies a value deeply, so that later changes of the original do not show, and refuses what has
 * no rendering.
 *
 * Objects are read by their own enumerable string keys, or through their `toJSON`; dates stay
 * dates, whatever realm they come from. What the value holds twice the copy holds twice, as one.
 *
 * @param value Anything.
 * @param path What the value is called in errors, for example the variable's name.
 * @returns The copy.
 * @throws {TypeError} With the path of what cannot be stored, for example `user.tags[2]`.
 */
function snapshotValue(value, path) {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  const copier = {
    steps: [],
    copies: /* @__PURE__ */ new Map(),
  };
  try {
    return copy(value, copier, "");
  } catch (error) {
    const place = path + copier.steps.map(stepText).join("");
    if (error instanceof UnstorableValueError) throw error.at(shorten$1(place));
    if (!(error instanceof RangeError)) throw error;
    throw new UnstorableValueError("is nested too deeply").at(shorten$1(place));
  }
}
function copy(value, copier, key) {
  if (typeof value !== "object") {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint")
      return value;
    throw refuseValue(value);
  }
  if (value === null) return null;
  const { copies } = copier;
  const known = copies.get(value);
  if (known !== void 0) return known;
  if (copies.has(value)) throw new UnstorableValueError("refers back to what holds it (a cycle)");
  if (copier.steps.length > DEPTH_LIMIT) throw new UnstorableValueError("is nested too deeply");
  copies.set(value, void 0);
  const copied = copyObject(value, copier, key);
  copies.set(value, copied);
  return copied;
}
/** As in JSON, what `toJSON` returns is not asked for a `toJSON` again. */
function copyObject(value, copier, key, isReplaced = false) {
  if (Array.isArray(value)) return copyArray(value, copier);
  if (isDate(value)) return copyDate(value);
  if (isNumberText$1(value)) return createNumberText(value.toString());
  const boxed = unbox(value);
  if (boxed !== void 0) return copy(boxed, copier, key);
  refuseObject(value);
  const { toJSON } = value;
  if (isReplaced || typeof toJSON !== "function") return copyKeys(value, copier);
  const replaced = toJSON.call(value, key);
  if (typeof replaced !== "object" || replaced === null) return copy(replaced, copier, key);
  return copyObject(replaced, copier, key, true);
}
function copyArray(items, copier) {
  const copied = [];
  for (let index = 0; index < items.length; index++) {
    copier.steps.push(index);
    copied.push(copy(items[index], copier, String(index)));
    copier.steps.pop();
  }
  return copied;
}
function copyKeys(object, copier) {
  const copied = {};
  for (const key of Object.keys(object)) {
    copier.steps.push(key);
    const value = copy(object[key], copier, key);
    copier.steps.pop();
    if (key === "__proto__") define$1(copied, key, value);
    else copied[key] = value;
  }
  return copied;
}
/** A plain assignment to `__proto__` would change the prototype instead of storing a key. */
function define$1(object, key, value) {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
function copyDate(date) {
  const time = Date.prototype.getTime.call(date);
  if (Number.isNaN(time)) throw new UnstorableValueError("is an invalid date");
  return new Date(time);
}
const BOXED = /* @__PURE__ */ new Map([
  ["[object Number]", (value) => Number.prototype.valueOf.call(value)],
  ["[object String]", (value) => String.prototype.valueOf.call(value)],
  ["[object Boolean]", (value) => Boolean.prototype.valueOf.call(value)],
  ["[object BigInt]", (value) => BigInt.prototype.valueOf.call(value)],
]);
/** What `new Number(1)` and its like hold; `undefined` for other objects. */
function unbox(value) {
  const read = BOXED.get(Object.prototype.toString.call(value));
  if (read === void 0) return void 0;
  try {
    return read(value);
  } catch {
    return;
  }
}
const PATH_LENGTH = 200;
function shorten$1(path) {
  if (path.length <= PATH_LENGTH) return path;
  return `${path.slice(0, PATH_LENGTH / 2)}…${path.slice(-100)}`;
}
// lib/interpolation/interpolate.ts
const THROWING = {};
const PLACES = /* @__PURE__ */ new Set(["text", "url", "header", "json"]);
/**
 * Fills the placeholders of a text.
 *
 * @param template Text with placeholders such as `{{name}}`, `{{user.tags[0]}}`, `{{head["a b"]}}`.
 * @param variables The values, by name: a `Map` or a plain object.
 * @param place Where the text goes; `text` when left out.
 * @returns The text.
 * @throws {TemplateSyntaxError} With every broken placeholder.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value.
 * @throws {TypeError} When a value has no rendering, for example a function or a cycle.
 * @example
 * ```ts
 * interpolate("/users/{{user.id}}", { user: { id: 7 } }); // "/users/7"
 * ```
 */
function interpolate(template, variables, place = "text") {
  if (typeof template !== "string")
    throw new TypeError(`Cannot interpolate: the template is no string but ${typeof template}`);
  if (typeof variables !== "object" || variables === null)
    throw new TypeError("Cannot interpolate: the variables are no object and no Map");
  if (!PLACES.has(place))
    throw new TypeError(
      `Cannot interpolate for place "${place}": text, url, header and json exist`,
    );
  const faults = [];
  const renderer = new PlaceholderRenderer(template, variables, place, THROWING, admit);
  let text = "";
  let inString = false;
  scanTemplate(template, void 0, faults, (part) => {
    if (typeof part !== "string") text += renderer.render(part, inString);
    else {
      text += part;
      if (place === "json") inString = endsInString(part, inString);
    }
  });
  if (faults.length > 0) throw new TemplateSyntaxError(template, faults);
  renderer.finish();
  return text;
}
/** The caller's values were never checked: one that is reached is checked as `setVar` would. */
function admit(value, placeholder, variables) {
  if (value !== void 0) return snapshotValue(value, placeholder.text);
  if (isPresent(placeholder, variables)) throw refuseValue(void 0).at(placeholder.text);
}
// lib/interpolation/join.ts
/**
 * Joins templates of one source into one, for example the lines of a URL that is continued.
 *
 * @param templates At least one template; all of them parsed from the same source.
 * @returns One template with the parts of all, spans unchanged.
 * @throws {RangeError} When there is no template, or when their sources differ.
 */
function joinTemplates(templates) {
  const first = templates[0];
  if (first === void 0) throw new RangeError("Cannot join templates: the list is empty");
  if (templates.length === 1) return first;
  const parts = [];
  for (const template of templates) {
    if (template.source !== first.source)
      throw new RangeError("Cannot join templates: they were parsed from different sources");
    for (const part of template.parts) {
      const last = parts.at(-1);
      if (typeof part === "string" && typeof last === "string")
        parts[parts.length - 1] = last + part;
      else parts.push(part);
    }
  }
  return {
    source: first.source,
    parts,
  };
}
// lib/interpolation/parse.ts
/**
 * Parses a text with placeholders.
 *
 * Double braces whose content cannot begin a name stay text, a backslash before them makes them
 * text, and content that begins like a path has to be one.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to parse; all of it when left out.
 * @returns The template.
 * @throws {TemplateSyntaxError} With every broken placeholder of the text.
 */
function parseTemplate(source, span) {
  const faults = [];
  const template = collectTemplate(source, span, faults);
  if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
  return template;
}
/**
 * As {@link parseTemplate}, for callers that gather the faults of several templates of one source
 * and throw once. A list that holds {@link FAULT_LIMIT} faults gets one more entry that says so.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to parse; all of it when left out.
 * @param faults Receives what is broken.
 * @returns The template; broken placeholders stand in it as text.
 */
function collectTemplate(source, span, faults) {
  const parts = [];
  scanTemplate(source, span, faults, (part) => parts.push(part));
  return {
    source,
    parts,
  };
}
// lib/interpolation/render.ts
const NO_OPTIONS = {};
/**
 * Puts values into a template. A value is never looked at for placeholders.
 *
 * @param template What {@link parseTemplate} returned.
 * @param variables The values, by name; what {@link snapshotValue} gave can always be rendered.
 * @param place Where the text goes.
 * @param options What to do about placeholders without a value; ranges.
 * @returns The text; a placeholder without a value stands in it as written.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value, unless
 * `options.unresolved` receives them or `options.missing` is `keep`.
 */
function renderTemplate(template, variables, place, options = NO_OPTIONS) {
  const { parts } = template;
  const renderer = new PlaceholderRenderer(template.source, variables, place, options);
  const quoted = place === "json" ? quotedParts(template) : void 0;
  const { ranges } = options;
  let text = "";
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const start = text.length;
    text += renderer.render(part, quoted !== void 0 && quoted[index] === 1);
    if (ranges !== void 0)
      ranges.push({
        placeholder: part,
        start,
        end: text.length,
      });
  }
  renderer.finish();
  return text;
}
// lib/request/assign.ts
/**
 * Finds the value of a line `@name = value`. A JSON literal is JSON, a placeholder alone is the
 * value that it names, with its type, and anything else is a string.
 *
 * @param draft What {@link parseEntries} returned.
 * @param variables The values that its placeholders name.
 * @param options How JSON is read; what to do about placeholders without a value.
 * @returns The value, to be stored under `draft.name`.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value.
 */
function resolveAssignment(draft, variables, options = {}) {
  const { parts } = draft.value;
  const missing = options.missing ?? "error";
  const parseJson = options.parseJson ?? parsePlainJson;
  const [first] = parts;
  if (first === void 0) return "";
  if (typeof first !== "string")
    return (
      (parts.length === 1 && first.kind === "path" ? valueAt(first, variables) : void 0) ??
      renderTemplate(draft.value, variables, "text", { missing })
    );
  if (parts.length === 1) return parseOr(first, parseJson, () => first);
  if (!/^[[{"]/.test(first)) return renderTemplate(draft.value, variables, "text", { missing });
  const unresolved = [];
  const json = renderTemplate(draft.value, variables, "json", {
    missing,
    unresolved,
  });
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  return parseOr(json, parseJson, () =>
    renderTemplate(draft.value, variables, "text", { missing }),
  );
}
/** A long integer keeps its digits; those inside a structure need a reader that keeps them. */
function parsePlainJson(text) {
  const value = JSON.parse(text);
  return typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)
    ? BigInt(text)
    : value;
}
/** `null` is a value as well, so that the fallback is asked for by what the reader throws. */
function parseOr(text, parseJson, otherwise) {
  if (!/^[\s[{"\d\-tfn]/.test(text)) return otherwise();
  try {
    return parseJson(text);
  } catch {
    return otherwise();
  }
}
/** The value itself, not its text: own properties and elements only, as in any placeholder. */
function valueAt({ name, steps }, variables) {
  let value =
    "get" in variables && typeof variables.get === "function"
      ? variables.get(name)
      : own$1(variables, name);
  for (const step of steps) value = own$1(value, step);
  return value;
}
function own$1(holder, key) {
  if (typeof holder !== "object" || holder === null) return void 0;
  if (Array.isArray(holder) && typeof key !== "number") return void 0;
  return Object.hasOwn(holder, key) ? holder[key] : void 0;
}
// lib/request/line.ts
const LINE_END = /\r\n?|\n/g;
/** Reads the line that begins at `start`. Lines end with LF, CRLF or CR, as positions count them. */
function lineAt(source, start) {
  LINE_END.lastIndex = start;
  const found = LINE_END.exec(source);
  const end = found === null ? source.length : found.index;
  return {
    start,
    end,
    next: found === null ? source.length : LINE_END.lastIndex,
    text: source.slice(start, end),
  };
}
/** Tells what kind of line this is, from its first characters. */
function classifyLine(text) {
  const line = text.trimStart();
  if (line === "") return "blank";
  if (line.startsWith("###")) return "separator";
  if (line.startsWith("#") || line.startsWith("//"))
    return ANNOTATION.test(line) ? "annotation" : "comment";
  return line.startsWith("@") ? "assignment" : "other";
}
/** How many blanks a line begins with. */
function indentation(text) {
  return text.length - text.trimStart().length;
}
/** A span without the blanks at the ends of a line. */
function trimLine(line) {
  const start = line.start + indentation(line.text);
  return {
    start,
    end: Math.max(start, line.start + line.text.trimEnd().length),
  };
}
/** The marks and the at sign; what follows it is the key. */
const ANNOTATION = /^(?:#+|\/\/+)[ \t]*@(?=[\p{L}_])/u;
/** Takes a line of kind `annotation` apart: `# @name login`, `// @ref login`, `# @name = login`. */
function readAnnotation(text) {
  const rest = text.trim().replace(ANNOTATION, "");
  const key = /^[^\s=]+/.exec(rest)?.[0] ?? "";
  const value = rest.slice(key.length).trimStart();
  return {
    key,
    value: value.startsWith("=") ? value.slice(1).trimStart() : value,
  };
}
// lib/request/methods.ts
/** What people mean when they mistype a method. */
const COMMON = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
/**
 * The methods of the IANA registry, those of caches, secret stores and UPnP, and the words with
 * which the peers' files begin other protocols.
 */
const KNOWN = /* @__PURE__ */ new Set([
  ...COMMON,
  ..."QUERY ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY".split(
    " ",
  ),
  ..."MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE ORDERPATCH PRI PROPFIND PROPPATCH".split(" "),
  ..."REBIND REPORT SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF".split(" "),
  ..."VERSION-CONTROL PURGE BAN REFRESH LIST SUBSCRIBE UNSUBSCRIBE NOTIFY M-SEARCH SOURCE".split(
    " ",
  ),
  ..."GRAPHQL WEBSOCKET WS SSE GRPC".split(" "),
]);
const TOKEN$1 = /^[A-Za-z][\w!#$%&'*+^`|~-]*$/;
/** Whether a word can be a method at all. */
function isMethodToken(word) {
  return TOKEN$1.test(word);
}
/** Whether a method is a known one in upper case. */
function isKnownMethod(word) {
  return KNOWN.has(word);
}
/** Whether a word, in whatever case, is one of the methods that everybody uses. */
function isCommonMethod(word) {
  return COMMON.includes(word.toUpperCase());
}
/** The method that a word stands for: known ones in upper case, any other as written. */
function toMethod(word) {
  const upper = word.toUpperCase();
  return KNOWN.has(upper) ? upper : word;
}
/** The common method that an unknown word was probably meant to be: a typo or a beginning of it. */
function nearMethod(word) {
  const upper = word.toUpperCase();
  if (KNOWN.has(upper)) return void 0;
  return (
    (upper.length < 3 ? void 0 : COMMON.find((method) => method.startsWith(upper))) ??
    nearNames(upper, COMMON, 1)[0]
  );
}
// lib/request/target.ts
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** Whether a text begins with `scheme://`. */
function hasScheme(text) {
  return SCHEME.test(text);
}
/**
 * Where the word that begins at `start` ends: at the first blank that is not inside the double
 * braces of a placeholder.
 */
function wordEnd(text, start) {
  const lastClosing = text.lastIndexOf("}}");
  const stop = /\s|\{\{/g;
  stop.lastIndex = start;
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    if (found[0] !== "{{") return found.index;
    if (lastClosing >= stop.lastIndex) stop.lastIndex = text.indexOf("}}", stop.lastIndex) + 2;
  }
  return text.length;
}
/** Whether a text is a protocol version, `HTTP/1.1` for example. */
function isVersion(text) {
  return /^HTTP\/\d+(?:\.\d+)?$/i.test(text);
}
const HOST =
  /^(?:[^\s/?#@"'`()<>;=,]*@)?[\p{L}\d_][\p{L}\d_-]*(?:\.[\p{L}\d_-]+)*\.?(?::\d+)?(?=[/?#]|$)/u;
const IPV6 = /^\[[\da-f:.]*:[\da-f:.]*\](?::\d+)?(?=[/?#]|$)/i;
/** Whether a word can only be a target, not a method: an absolute URL, a path, a placeholder. */
function isClearTarget(word) {
  return (
    hasScheme(word) ||
    word.startsWith("/") ||
    word.startsWith("{{") ||
    /^localhost(?::\d+)?(?=[/?#]|$)/i.test(word)
  );
}
/** Whether a word can be a target where a method stands before it. */
function isTarget(word) {
  return isClearTarget(word) || HOST.test(word) || IPV6.test(word) || word.includes("{{");
}
/** Whether a word alone on its line is a target that needs no method, rather than a method alone. */
function isBareTarget(word) {
  if (isClearTarget(word) || IPV6.test(word)) return true;
  return HOST.test(word) && /[./:]/.test(word);
}
// lib/request/request-line.ts
const EXAMPLE =
  "Begin a request with a method and a URL, for example GET https://api.example.com/users";
/** Reads `METHOD target`, `METHOD target HTTP/1.1` or a bare URL; what is wrong is reported. */
function readRequestLine(reading, line) {
  const { source } = reading;
  const { start, end } = trimLine(line);
  const text = source.slice(start, end);
  const first = wordEnd(text, 0);
  const word = text.slice(0, first);
  const rest = text.slice(first).trimStart();
  const restStart = end - rest.length;
  if (isClearTarget(word) || (isBareTarget(word) && (rest === "" || isVersion(rest))))
    return {
      method: "GET",
      target: readTarget(reading, {
        start,
        end,
      }),
    };
  const none = {
    start: end,
    end,
  };
  const wordSpan = {
    start,
    end: start + first,
  };
  if (!isMethodToken(word)) {
    const message = `Expected a request line, found "${shorten(text)}"`;
    const header = word.endsWith(":") && word.length > 1;
    reading.report(
      {
        start,
        end,
      },
      message,
      header ? `Headers stand below it. ${EXAMPLE}` : EXAMPLE,
    );
    return {
      method: "GET",
      target: none,
    };
  }
  const near = nearMethod(word);
  if (near !== void 0) {
    const hint = `Did you mean ${near}?`;
    reading.report(wordSpan, `Unknown method "${word}"`, hint.slice(0, -1));
  }
  if (rest === "" || isVersion(rest)) {
    if (near === void 0) {
      const method = toMethod(word);
      if (isKnownMethod(method)) {
        const hint = `Write a URL after the method, for example ${method} https://api.example.com/users`;
        reading.report(
          {
            start,
            end,
          },
          `The request line "${shorten(text)}" has no target`,
          hint,
        );
      } else
        reading.report(
          {
            start,
            end,
          },
          `Expected a request line, found "${shorten(text)}"`,
          EXAMPLE,
        );
    }
    return {
      method: toMethod(word),
      target: none,
    };
  }
  return {
    method: toMethod(word),
    target: readTarget(reading, {
      start: restStart,
      end,
    }),
  };
}
/** Reads a target, or a continued piece of one, and a protocol version behind it. */
function readTarget(reading, span) {
  const text = reading.source.slice(span.start, span.end);
  if (/^(["']).*\1(?:\s|$)/.test(text)) {
    reading.report(span, `The URL ${shorten(text)} stands in quotes`, "Write it without quotes");
    return span;
  }
  const end = wordEnd(text, 0);
  const rest = text.slice(end).trimStart();
  if (rest !== "" && !isVersion(rest)) {
    const extra = {
      start: span.end - rest.length,
      end: span.end,
    };
    reading.report(
      extra,
      `Unexpected text after the URL: "${shorten(rest)}"`,
      "Write a blank inside a URL as %20, and headers on lines of their own",
    );
  }
  return {
    start: span.start,
    end: span.start + end,
  };
}
/**
 * Whether a line is a request line beyond doubt, and not a header or text: a known method in upper
 * case and what can be its target, and nothing but a version behind it.
 */
function isPlainRequestLine(text) {
  const line = text.trim();
  const method = /^[A-Z-]+(?=\s)/.exec(line)?.[0];
  if (method === void 0 || !isKnownMethod(method)) return false;
  const rest = line.slice(method.length).trimStart();
  const end = wordEnd(rest, 0);
  const behind = rest.slice(end).trimStart();
  return isTarget(rest.slice(0, end)) && (behind === "" || isVersion(behind));
}
/** A text as an error message quotes it. */
function shorten(text) {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
// lib/request/body.ts
/** `< path`, `<@ path` and `<@encoding path`. */
const FILE = /^<(?:(@)([\w-]*))?[ \t]+(?=\S)/;
/**
 * Reads what stands between the headers and the next separator.
 *
 * @param start Where the line behind the blank line begins.
 * @param indent The indentation of the request line; a separator stands no further in.
 * @param method GET and HEAD have no body: what looks like one there is explained.
 */
function readBody$1(reading, start, indent, method) {
  const { source } = reading;
  const next = findSeparator(source, start, indent);
  const whole = withoutReferences(source.slice(start, next).trimEnd());
  const end = start + whole.length;
  if (end === start)
    return {
      body: void 0,
      next,
    };
  if ((method === "GET" || method === "HEAD") && isAside(reading, start, end, method))
    return {
      body: void 0,
      next,
    };
  refuseScript(reading, start, whole);
  const content = start + whole.length - whole.trimStart().length;
  const file = FILE.exec(source.slice(content, end));
  if (file !== null && !/[\r\n]/.test(source.slice(content, end))) {
    const [mark, at, encoding] = file;
    const path = reading.template({
      start: content + mark.length,
      end,
    });
    const named = encoding === void 0 || encoding === "" ? {} : { encoding };
    const span = {
      start: content,
      end,
    };
    return {
      body: {
        kind: "file",
        path,
        interpolated: at !== void 0,
        ...named,
        span,
      },
      next,
    };
  }
  const span = {
    start: lineStart(source, content, start),
    end,
  };
  return {
    body: {
      kind: "text",
      text: reading.template(span),
      span,
    },
    next,
  };
}
/** Where the line begins whose first characters are `###`, from `from` on. */
function findSeparator(source, from, indent) {
  let hit = source.indexOf("###", from);
  while (hit !== -1) {
    const start = lineStart(source, hit, from);
    if (hit - start <= indent && source.slice(start, hit).trim() === "") return start;
    hit = source.indexOf("###", lineAt(source, hit).next);
  }
  return source.length;
}
/** Where the line of an offset begins, `from` at the least. */
function lineStart(source, offset, from) {
  let start = offset;
  while (start > from && source[start - 1] !== "\n" && source[start - 1] !== "\r") start--;
  return start;
}
/** Lines `<> answer.json`, which JetBrains' editor adds behind a request, are no part of the body. */
function withoutReferences(text) {
  if (!text.includes("<>")) return text;
  let rest = text;
  for (;;) {
    const start = lineStart(rest, rest.length, 0);
    if (!/^<>[ \t]+\S/.test(rest.slice(start))) return rest;
    rest = rest.slice(0, start).trimEnd();
  }
}
/** A script of JetBrains' or httpYac's files would be sent as text to a server that expects none. */
function refuseScript(reading, start, body) {
  if (!body.includes("{%")) return;
  const script = /^[ \t]*[<>][ \t]*\{%/m.exec(body);
  if (script === null) return;
  const span = {
    start: start + script.index,
    end: start + script.index + script[0].length,
  };
  reading.report(
    span,
    "Scripts inside a request are not supported",
    "Take it out, and write what it does in a TypeScript cell",
  );
}
/** Behind a GET, comments alone are no body, and a request or variable line begins something new. */
function isAside(reading, start, end, method) {
  let line = lineAt(reading.source, start);
  for (; line.start < end; line = lineAt(reading.source, line.next)) {
    const kind = classifyLine(line.text);
    if (kind === "blank" || kind === "comment" || kind === "annotation") continue;
    const assigns = kind === "assignment" && line.text.includes("=");
    if (!assigns && !isPlainRequestLine(line.text)) return false;
    const message = `${assigns ? "A variable line" : "A second request line"} stands where the body of a ${method} would`;
    reading.report(trimLine(line), message, 'Put a line "###" before it');
    return true;
  }
  return true;
}
// lib/request/header-line.ts
const BLANK_LINE = "Leave a blank line between the headers and the body";
/** What a header name may be made of (RFC 9110, 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/**
 * Reads a line of the header section.
 *
 * @param indent The indentation of the request line; what is further in would be a folded value.
 * @returns The header; nothing when it is broken; `"body"` when the body begins here, the blank
 * line before it being forgotten. Both mistakes are reported.
 */
function readHeader(reading, line, indent) {
  const span = trimLine(line);
  const text = reading.source.slice(span.start, span.end);
  const quoted = `"${shorten(text)}"`;
  const colon = text.indexOf(":");
  if (/^[{[<>"]/.test(text) && !/^\{\{[^{}]*\}\}[\w-]*:/.test(text)) {
    reading.report(span, `The line ${quoted} is no header: a blank line is missing`, BLANK_LINE);
    return "body";
  }
  if (text.startsWith("@")) {
    reading.report(
      span,
      `The variable line ${quoted} stands among the headers`,
      "Put it before the request line",
    );
    return;
  }
  if (indentation(line.text) > indent) {
    reading.report(
      span,
      `The header line ${quoted} begins with blanks`,
      "Write a header value on one line, and begin a continued query with ? or & below the request line",
    );
    return;
  }
  if (colon === -1) {
    const message = `The line ${quoted} is no header, it has no colon: a blank line is missing`;
    reading.report(span, message, `${BLANK_LINE}, or write a header as Name: value`);
    return "body";
  }
  const name = text.slice(0, colon).trimEnd();
  if (!NAME.test(name)) {
    reading.report(
      {
        start: span.start,
        end: span.start + colon,
      },
      ...nameFault(name, quoted),
    );
    return;
  }
  const value = text.slice(colon + 1);
  const start = span.end - value.trimStart().length;
  return {
    name,
    value: reading.template({
      start,
      end: span.end,
    }),
    span,
  };
}
function nameFault(name, quoted) {
  if (name === "")
    return [`The header line ${quoted} has no name`, "Write a header as Name: value"];
  const shown = `The header name "${shorten(name)}"`;
  if (name.includes("{{"))
    return [
      `${shown} holds a placeholder`,
      "Placeholders may stand in header values, not in names",
    ];
  const hint = `Write a header as Name: value. If the body begins here, leave a blank line before it`;
  if (/\s/.test(name)) return [`${shown} holds a blank`, hint];
  return [
    `${shown} holds "${[...name].find((one) => !NAME.test(one)) ?? ""}", which no header name can`,
    hint,
  ];
}
// lib/request/head.ts
/** Reads the request line, its continuations and the headers, up to the blank line behind them. */
function readHead(reading, first) {
  const { source } = reading;
  const { method, target } = readRequestLine(reading, first);
  const pieces = [reading.template(target)];
  const headers = [];
  const annotations = [];
  const indent = indentation(first.text);
  let inHeaders = false;
  let end = trimLine(first).end;
  let urlSpan = target;
  const finish = (next, bodiless) => {
    const url = joinTemplates(pieces);
    return {
      method,
      url,
      urlSpan,
      headers,
      annotations,
      end,
      next,
      bodiless,
    };
  };
  let line = lineAt(source, first.next);
  for (; line.start < source.length; line = lineAt(source, line.next)) {
    const kind = classifyLine(line.text);
    if (kind === "blank") return finish(line.next, false);
    if (kind === "separator") return finish(line.start, true);
    if (kind === "comment") continue;
    const span = trimLine(line);
    if (kind === "annotation") {
      annotations.push({
        ...readAnnotation(line.text),
        span,
      });
      continue;
    }
    if (!inHeaders && continuesTarget(line.text, indent)) {
      const piece = readTarget(reading, span);
      pieces.push(reading.template(piece));
      urlSpan = {
        start: target.start,
        end: piece.end,
      };
      end = span.end;
      continue;
    }
    inHeaders = true;
    if (isPlainRequestLine(line.text)) {
      reading.report(
        span,
        "A second request line stands among the headers",
        'Put a line "###" between two requests',
      );
      return finish(line.start, true);
    }
    const header = readHeader(reading, line, indent);
    if (header === "body") return finish(line.start, false);
    if (header !== void 0) headers.push(header);
    end = span.end;
  }
  return finish(source.length, true);
}
/** `?` and `&` go on with the query; a further indented `/` goes on with the path, as in JetBrains' files. */
function continuesTarget(text, indent) {
  const own = indentation(text);
  const mark = text[own];
  return mark === "?" || mark === "&" || (mark === "/" && own > indent);
}
// lib/request/errors.ts
/** A request text is not one: a mistyped method, a header without a name, a missing blank line. */
var RequestSyntaxError = class extends SyntaxError {
  name = "RequestSyntaxError";
  source;
  faults;
  /**
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault; those of placeholders in the same text may be among them.
   */
  constructor(source, faults) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
};
/**
 * A header value, its placeholders filled, holds a line break or NUL, which would end the header.
 * It is refused, never repaired: what was sent would not be what was meant.
 */
var InvalidHeaderError = class extends TypeError {
  name = "InvalidHeaderError";
  source;
  faults;
  /**
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source, faults) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
};
// lib/request/reading.ts
/** Begins a pass over a source text. */
function startReading(source) {
  const faults = [];
  const locate = createLocator(source);
  let requestFaults = 0;
  return {
    source,
    report(span, message, hint) {
      requestFaults++;
      if (faults.length > 100) return;
      const position = locate(span.start);
      if (faults.length < 100)
        faults.push({
          message,
          span,
          ...position,
          hint,
        });
      else
        faults.push({
          message: "More faults follow that are not listed",
          span,
          ...position,
        });
    },
    template: (span) => collectTemplate(source, span, faults),
    finish() {
      if (requestFaults > 0) throw new RequestSyntaxError(source, faults);
      if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
    },
  };
}
// lib/request/parse.ts
/**
 * Parses a request text: requests and `@name = value` lines, in the order in which they stand. No
 * value is looked up and nothing is sent.
 *
 * @param text Text as in `.http` files; a byte order mark and a first line `%%http` are skipped.
 * @returns The entries, possibly none.
 * @throws {RequestSyntaxError} With everything that is wrong, broken placeholders included.
 * @throws {TemplateSyntaxError} When nothing but placeholders is broken.
 */
function parseEntries(text) {
  const reading = startReading(text);
  const entries = [];
  let preface = { annotations: [] };
  let offset = contentStart(text);
  while (offset < text.length) {
    const line = lineAt(text, offset);
    const kind = classifyLine(line.text);
    offset = line.next;
    if (kind === "separator") preface = readSeparator(line);
    else if (kind === "annotation")
      preface.annotations.push({
        ...readAnnotation(line.text),
        span: trimLine(line),
      });
    else if (kind === "assignment") {
      const assignment = readAssignment(reading, line);
      if (assignment !== void 0) entries.push(assignment);
    } else if (kind === "other") {
      const { request, next } = readRequest(reading, line, preface);
      entries.push(request);
      preface = { annotations: [] };
      offset = next;
    }
  }
  reading.finish();
  return entries;
}
/**
 * Parses the requests of a text, without its `@name = value` lines.
 *
 * @param text Text as in `.http` files.
 * @returns The requests, possibly none.
 * @throws {RequestSyntaxError} With everything that is wrong, broken placeholders included.
 * @throws {TemplateSyntaxError} When nothing but placeholders is broken.
 *
 * @example
 * ```ts
 * const [first, second] = parseRequests(`
 * # @name list
 * GET {{base}}/users?limit=2
 *
 * ### remove one
 * DELETE {{base}}/users/{{id}}`);
 * first.name; // "list"
 * first.method; // "GET"
 * second.method; // "DELETE"
 * ```
 */
function parseRequests(text) {
  return parseEntries(text).filter((entry) => entry.kind === "request");
}
/** Where the text begins, behind a byte order mark and `%%http`. */
function contentStart(text) {
  const mark = /^\uFEFF?\s*%%http(?!\S)/.exec(text);
  return mark !== null ? mark[0].length : text.startsWith("﻿") ? 1 : 0;
}
function readSeparator(line) {
  const title = line.text.trim().replace(/^#+/, "").trim();
  if (classifyLine(`# ${title}`) === "annotation")
    return {
      annotations: [
        {
          ...readAnnotation(`# ${title}`),
          span: trimLine(line),
        },
      ],
    };
  return title === ""
    ? { annotations: [] }
    : {
        title,
        annotations: [],
      };
}
function readAssignment(reading, line) {
  const { source } = reading;
  const span = trimLine(line);
  const text = source.slice(span.start, span.end);
  const equals = text.indexOf("=");
  const hint = "Write @name = value";
  if (equals === -1) {
    reading.report(span, `The variable line "${shorten(text)}" has no equals sign`, hint);
    return;
  }
  const name = text.slice(1, equals).trim();
  if (!isReachableName(name)) {
    const message = `The name "${shorten(name)}" of a variable line is one that no placeholder can reach`;
    reading.report(
      {
        start: span.start,
        end: span.start + equals,
      },
      message,
      "Names are letters, digits, _ and -, and begin with a letter or _",
    );
  }
  const valueSpan = {
    start: span.end - text.slice(equals + 1).trimStart().length,
    end: span.end,
  };
  return {
    kind: "assignment",
    name,
    value: reading.template(valueSpan),
    valueSpan,
    span,
    source,
  };
}
function readRequest(reading, line, preface) {
  const head = readHead(reading, line);
  const { body, next } = head.bodiless
    ? {
        body: void 0,
        next: head.next,
      }
    : readBody$1(reading, head.next, indentation(line.text), head.method);
  const annotations = [...preface.annotations, ...head.annotations];
  const name = annotations.findLast(({ key }) => key === "name")?.value;
  return {
    request: {
      kind: "request",
      ...(name === void 0 || name === "" ? {} : { name }),
      ...(preface.title === void 0 ? {} : { title: preface.title }),
      annotations,
      method: head.method,
      url: head.url,
      urlSpan: head.urlSpan,
      headers: head.headers,
      ...(body === void 0 ? {} : { body }),
      span: {
        start: trimLine(line).start,
        end: body?.span.end ?? head.end,
      },
      source: reading.source,
    },
    next,
  };
}
// lib/request/cell.ts
/**
 * Tells whether a cell's text is a request, not TypeScript: its first line that is not blank or a
 * comment is a request line, a `@name = value` line, `###` or an absolute URL, or the cell begins
 * with `%%http`. A cell that begins with `%%ts` is TypeScript. What could be both is taken for what
 * a person means: `GET /users` is no division, `TOTAL / count` is one.
 *
 * @param text The cell.
 *
 * @example
 * ```ts
 * startsAsRequest("GET https://api.example.com/users"); // true
 * startsAsRequest("const total = 3"); // false
 * ```
 */
function startsAsRequest(text) {
  if (/^\uFEFF?\s*%%/.test(text)) return contentStart(text) > 1;
  let line = lineAt(text, contentStart(text));
  for (; line.start < text.length; line = lineAt(text, line.next)) {
    const kind = classifyLine(line.text);
    if (kind === "separator") return true;
    if (kind === "assignment") return /^\s*@[^\s=(]+\s*=(?![=>])/.test(line.text);
    if (kind === "other") return isRequestLine(line.text.trim());
  }
  return false;
}
/** Words that stand between two operands in TypeScript, where a target would. */
const OPERATORS = /* @__PURE__ */ new Set(["as", "in", "instanceof", "is", "of", "satisfies"]);
function isRequestLine(line) {
  const first = wordEnd(line, 0);
  const word = line.slice(0, first);
  const rest = line.slice(first).trimStart();
  if (isBareUrl(word)) return rest === "" || isVersion(rest) || hasScheme(word);
  if (!isMethodToken(word) || rest === "") return false;
  const end = wordEnd(rest, 0);
  const target = unquote(rest.slice(0, end));
  const behind = rest.slice(end).trimStart();
  const alone = behind === "" || isVersion(behind);
  return isKnownMethod(word) ? isTargetOfKnown(target, alone) : isTargetOf(word, target, alone);
}
/** Behind a known method in upper case nearly every word is a target: as code it would be an error. */
function isTargetOfKnown(target, alone) {
  if (target === "/" || target === "*") return alone;
  if (target === "/=" || /^\/[/*]/.test(target) || OPERATORS.has(target)) return false;
  return isTarget(target) && (alone || /[./:{]/.test(target));
}
/** A word that is no known method, or not in upper case, needs a target that is one beyond doubt. */
function isTargetOf(word, target, alone) {
  if (hasScheme(target)) return true;
  if (!alone || word.length < 3) return false;
  if (word !== word.toUpperCase() && !isCommonMethod(word)) return false;
  if (target === "/") return nearMethod(word) !== void 0;
  return target.startsWith("{{") || /^localhost(?=[:/]|$)/.test(target) || isPath(target);
}
/** A path as people write it: `A /2` and `A /x;` divide. */
function isPath(target) {
  return /^\/[\p{L}_{?.~%-][^;]*$/u.test(target);
}
/** A URL alone: as code, `http://x` would be a label and a comment, `{{base}}/x` two blocks. */
function isBareUrl(word) {
  return (
    /^[a-z][a-z\d+.-]*:\/\/[^\s]/i.test(word) ||
    /^\{\{\s*[\p{L}_$][^{}]*\}\}[/?]/u.test(word) ||
    /^localhost:\d+(?=[/?]|$)/.test(word)
  );
}
/** A quoted URL behind a method is no code either; the parser explains that the quotes must go. */
function unquote(target) {
  return /^["'](?=[/{]|[a-z]+:\/\/)/i.test(target) ? target.slice(1) : target;
}
// lib/request/json-fault.ts
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const STRING_MARK = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;
/**
 * Finds where a text stops being JSON. Error messages of `JSON.parse` tell it differently in every
 * runtime, or not at all. The stack is a list, so that no depth of nesting can overflow it.
 */
function findJsonFault(text) {
  const open = [];
  let offset = 0;
  let expected = "value";
  const match = (pattern) => {
    pattern.lastIndex = offset;
    if (!pattern.test(text)) return false;
    offset = pattern.lastIndex;
    return true;
  };
  const readString = () => {
    if (text[offset] !== '"') return false;
    let index = offset + 1;
    for (;;) {
      STRING_MARK.lastIndex = index;
      if (!STRING_MARK.test(text)) break;
      index = STRING_MARK.lastIndex;
      const mark = text[index - 1];
      if (mark === '"') {
        offset = index;
        return true;
      }
      ESCAPE.lastIndex = index - 1;
      if (mark !== "\\" || !ESCAPE.test(text)) break;
      index = ESCAPE.lastIndex;
    }
    return false;
  };
  const fault = (message) => ({
    offset,
    message,
  });
  const afterValue = () => (open.length === 0 ? "end" : "comma");
  for (;;) {
    match(SPACE);
    const character = text[offset];
    if (character === void 0) return expected === "end" ? void 0 : fault("it ends too early");
    const found = `found ${JSON.stringify(text.slice(offset, offset + 1))}`;
    if (expected === "end") return fault(`expected nothing more, ${found}`);
    if (expected === "comma") {
      const closing = open.at(-1) ?? "";
      if (character === closing) {
        open.pop();
        expected = afterValue();
      } else if (character === ",") expected = closing === "}" ? "key" : "value";
      else return fault(`expected "," or "${closing}", ${found}`);
      offset++;
    } else if (expected === "colon") {
      if (character !== ":") return fault(`expected ":", ${found}`);
      offset++;
      expected = "value";
    } else if (expected === "key" || expected === "key or }") {
      if (expected === "key or }" && character === "}") {
        offset++;
        open.pop();
        expected = afterValue();
      } else if (readString()) expected = "colon";
      else
        return fault(character === '"' ? "a string is broken" : `expected a quoted key, ${found}`);
    } else if (character === "{" || character === "[") {
      offset++;
      open.push(character === "{" ? "}" : "]");
      expected = character === "{" ? "key or }" : "value or ]";
    } else if (expected === "value or ]" && character === "]") {
      offset++;
      open.pop();
      expected = afterValue();
    } else if (readString() || match(LITERAL)) expected = afterValue();
    else return fault(character === '"' ? "a string is broken" : `expected a value, ${found}`);
  }
}
// lib/request/json-warning.ts
/**
 * Says what is wrong with a body that should be JSON and is not.
 *
 * @param body The rendered body.
 * @param ranges Which placeholder each stretch of it came from.
 * @returns The warning; nothing for a body that parses.
 */
function explainJson(body, ranges) {
  try {
    JSON.parse(body);
    return;
  } catch {}
  const fault = findJsonFault(body);
  if (fault === void 0) return void 0;
  const { line, column } = locate(body, fault.offset);
  const where = `The JSON body does not parse at line ${line}, column ${column}: ${fault.message}`;
  const range = rangeOf(fault, ranges);
  return range === void 0 ? where : `${where}, in ${explainRange(body, range)}`;
}
/** The placeholder that holds the offset, or that ends at it: nothing, or too little, came from it. */
function rangeOf({ offset }, ranges) {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.end ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  let ending;
  for (let index = low; index < ranges.length; index++) {
    const range = ranges[index];
    if (range === void 0 || range.start > offset) break;
    if (range.end > offset) return range;
    ending = range;
  }
  return ending;
}
function explainRange(body, { placeholder, start, end }) {
  const name = `{{${placeholder.text}}}`;
  const text = body.slice(start, end);
  if (/^\{\{.*\}\}$/s.test(text)) return `${name}, which was left as it stands`;
  if (text === "")
    return `${name}, which is empty. For a JSON string write "${name}", with the quotes`;
  return `${name}, which became ${text.length <= 40 ? text : `${text.slice(0, 39)}…`}. For a JSON string write "${name}", with the quotes`;
}
// lib/request/render-body.ts
/**
 * Renders a body. It is JSON where its content type says so, or, without one, where it begins with
 * `{` or `[`.
 *
 * @param draft The body as written.
 * @param contentType The rendered `Content-Type`, if one is written.
 * @param rendering The values; `unresolved` receives placeholders without one.
 */
function renderBody(draft, contentType, { variables, missing, unresolved }) {
  if (draft === void 0)
    return {
      body: void 0,
      warnings: [],
    };
  if (draft.kind === "file") {
    const path = renderTemplate(draft.path, variables, "text", {
      missing,
      unresolved,
    });
    const encoding = draft.encoding === void 0 ? {} : { encoding: draft.encoding };
    return {
      body: {
        path,
        interpolated: draft.interpolated,
        ...encoding,
      },
      warnings: [],
    };
  }
  if (contentType !== void 0 && !isJsonType(contentType))
    return {
      body: renderTemplate(draft.text, variables, "text", {
        missing,
        unresolved,
      }),
      warnings: [],
    };
  const ranges = [];
  const begun = unresolved.length;
  const body = renderTemplate(draft.text, variables, "json", {
    missing,
    unresolved,
    ranges,
  });
  if (contentType === void 0 && !/^\s*[{[]/.test(body)) {
    unresolved.length = begun;
    return {
      body: renderTemplate(draft.text, variables, "text", {
        missing,
        unresolved,
      }),
      warnings: [],
    };
  }
  const warning = unresolved.length > begun ? void 0 : explainJson(body, ranges);
  return {
    body,
    ...(contentType === void 0 ? { addedType: "application/json" } : {}),
    warnings: warning === void 0 ? [] : [warning],
  };
}
/** `application/json` and `+json`, whatever parameters follow. */
function isJsonType(contentType) {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return mediaType === "application/json" || mediaType.endsWith("+json");
}
// lib/request/url.ts
/**
 * Makes a rendered target a URL: adds the scheme, and for a path the host of a `Host` header. A
 * target that has a scheme stays exactly as it is.
 *
 * @param target The target, its placeholders filled.
 * @param host The value of the `Host` header, if there is one.
 * @returns The URL, or what keeps it from being one.
 */
function completeUrl(target, host) {
  if (hasScheme(target.trimStart())) return { url: target };
  if (target.trim() === "") return { problem: "empty" };
  if (target.startsWith("//")) return { url: `${schemeFor(target.slice(2))}:${target}` };
  if (!/^[/?#]/.test(target)) return { url: `${schemeFor(target)}://${target}` };
  if (host === void 0 || host === "") return { problem: "no host" };
  return {
    url: `${(hasScheme(host) ? host : `${schemeFor(host)}://${host}`).replace(/\/$/, "")}${target.startsWith("/") ? "" : "/"}${target}`,
  };
}
/** `http` on this machine's own addresses, where certificates are rare, `https` elsewhere. */
function schemeFor(authority) {
  const host = (/^[^/?#]*/.exec(authority)?.[0] ?? "")
    .replace(/^.*@/, "")
    .replace(/:\d*$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
  return host === "localhost" ||
    host.endsWith(".localhost") ||
    /^127(?:\.\d{1,3}){3}$/.test(host) ||
    /^\[(?:::|(?:0{1,4}:){7})0{0,3}1\]$/.test(host)
    ? "http"
    : "https";
}
// lib/request/render.ts
/**
 * Puts values into a request. Nothing is sent.
 *
 * @param draft What {@link parseRequests} returned.
 * @param variables The values, by name.
 * @param options What to do about placeholders without a value.
 * @returns The request as it would be sent.
 * @throws {UnresolvedPlaceholderError} With every placeholder of URL, headers and body that has no
 * value.
 * @throws {InvalidHeaderError} When a header value would hold a line break or NUL.
 * @throws {RequestSyntaxError} When the target is a path, or nothing, and no host is known.
 */
function renderRequest(draft, variables, options = {}) {
  const missing = options.missing ?? "error";
  const unresolved = [];
  const target = renderTemplate(draft.url, variables, "url", {
    missing,
    unresolved,
  });
  const headers = draft.headers.map(({ name, value }) => [
    name,
    trimBlanks(
      renderTemplate(value, variables, "header", {
        missing,
        unresolved,
      }),
    ),
  ]);
  const { body, addedType, warnings } = renderBody(
    draft.body,
    headerValue(headers, "content-type"),
    {
      variables,
      missing,
      unresolved,
    },
  );
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  refuseInvalid(draft, headers);
  const url = toUrl(draft, target, headers);
  if (addedType !== void 0) headers.push(["Content-Type", addedType]);
  return {
    ...(draft.name === void 0 ? {} : { name: draft.name }),
    method: draft.method,
    url,
    headers,
    added: addedType === void 0 ? [] : ["Content-Type"],
    body,
    warnings,
  };
}
function headerValue(headers, lowerName) {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}
/** Fetch trims line breaks as well: here they stay, to be refused. */
function trimBlanks(value) {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}
function isBlank(code) {
  return code === 32 || code === 9;
}
const BREAKING = {
  "\r": "a carriage return",
  "\n": "a line feed",
  "\0": "a NUL character",
};
function refuseInvalid(draft, headers) {
  const faults = [];
  const locate = createLocator(draft.source);
  for (const [index, [name, value]] of headers.entries()) {
    const character = /[\r\n\0]/.exec(value)?.[0];
    const span = draft.headers[index]?.span;
    if (character === void 0 || span === void 0) continue;
    const message = `Cannot render the header "${name}": its value holds ${BREAKING[character]}`;
    const hint = "It would end the header. Take it out of the value before the value is stored";
    if (faults.length < 100)
      faults.push({
        message,
        span,
        ...locate(span.start),
        hint,
      });
  }
  if (faults.length > 0) throw new InvalidHeaderError(draft.source, faults);
}
function toUrl(draft, target, headers) {
  if (beginsUnfilled(draft.url, target)) return target;
  const completed = completeUrl(target, headerValue(headers, "host"));
  if ("url" in completed) return completed.url;
  const message =
    completed.problem === "empty"
      ? "Cannot render the URL: it is empty"
      : `Cannot render the URL "${target}": it names no host`;
  throw new RequestSyntaxError(draft.source, [
    createFault(
      draft.source,
      draft.urlSpan,
      message,
      "Write a full URL, begin it with a variable such as {{base}}, or add a Host header",
    ),
  ]);
}
/** Whether the URL begins with a placeholder that was left as it stands: no scheme is put before it. */
function beginsUnfilled({ source, parts }, target) {
  const [first] = parts;
  if (first === void 0 || typeof first === "string") return false;
  return target.startsWith(source.slice(first.span.start, first.span.end));
}
// kernel/session/cell.ts
const MAGIC = /^\uFEFF?\s*(%%\S*)/;
const LEADING_COMMENTS = /^(?:[^\S\n]*(?:#(?!!)[^\n]*)?\n)*[^\S\n]*#(?!!)[^\n]*/;
/**
 * Tells what a cell is: a request, TypeScript, or nothing.
 *
 * @throws {UnknownMagicError} It begins with `%%` and neither `%%http` nor `%%ts`.
 */
function kindOfCell(code) {
  const [head = "", magic] = MAGIC.exec(code) ?? [];
  if (magic === "%%http")
    return {
      kind: "request",
      text: code,
    };
  if (magic === "%%ts") {
    const blanked = " ".repeat(magic.length);
    return {
      kind: "typescript",
      text: head.replace(magic, blanked) + code.slice(head.length),
    };
  }
  if (magic !== void 0) throw new UnknownMagicError(magic);
  if (isEmpty$1(code))
    return {
      kind: "empty",
      text: code,
    };
  if (startsAsRequest(code))
    return {
      kind: "request",
      text: code,
    };
  return {
    kind: "typescript",
    text: code.replace(LEADING_COMMENTS, (comments) => comments.replace(/[^\n]/g, " ")),
  };
}
function isEmpty$1(code) {
  return code.split("\n").every((line) => /^\uFEFF?\s*(?:$|#(?!##)|\/\/)/.test(line));
}
// lib/client/deadline.ts
/** Longer times overflow the timers of every runtime, which then fire at once. */
const MAX_TIMER = 2147483647;
/**
 * Starts a deadline.
 *
 * @param timeout Milliseconds; 0 or Infinity for none.
 * @param outer The caller's signal.
 */
function startDeadline(timeout, outer) {
  const controller = new AbortController();
  let stop;
  const end = (why) => {
    stop ??= why;
    controller.abort();
  };
  const abortFromOuter = () =>
    end({
      kind: "aborted",
      reason: outer?.reason,
    });
  const timer =
    timeout > 0 && timeout <= MAX_TIMER
      ? setTimeout(
          () =>
            end({
              kind: "timed-out",
              milliseconds: timeout,
            }),
          timeout,
        )
      : void 0;
  if (outer?.aborted) abortFromOuter();
  else outer?.addEventListener("abort", abortFromOuter, { once: true });
  return {
    signal: controller.signal,
    get stop() {
      return stop;
    },
    abort: (reason) =>
      end({
        kind: "aborted",
        reason,
      }),
    release() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abortFromOuter);
    },
  };
}
// lib/client/errors.ts
/**
 * A request was sent, or was to be sent, and no whole response came: the server could not be
 * reached, the time was over, the request was aborted, or the response ended early. A status
 * such as 404 is never a reason.
 *
 * @example
 * ```ts
 * const signal = AbortSignal.abort();
 * const lost = await client.send("GET http://127.0.0.1:8787/", { signal }).catch((error) => error);
 * lost instanceof NoResponseError; // true
 * lost.code; // "aborted"
 * ```
 */
var NoResponseError = class extends Error {
  /** Always `NoResponseError`. */
  name = "NoResponseError";
  /** Why there is no response, for programs. */
  code;
  /** The request as it was first sent. */
  request;
  /** The redirects that were followed before it failed. */
  redirects;
  /** What had come, where the response broke off inside its body. */
  partial;
  /**
   * Made by a client when a request ends without a whole response.
   *
   * @param code Why there is no response, for programs.
   * @param message The same in words, and what to do.
   * @param details The request and what else is known.
   */
  constructor(code, message, details) {
    super(message, { cause: details.cause });
    this.code = code;
    this.request = details.request;
    this.redirects = details.redirects;
    if (details.partial) this.partial = details.partial;
  }
};
/**
 * A request that cannot be sent at all, for a reason that is known beforehand: a body on GET, a
 * method that fetch forbids, a URL that does not parse, a scheme other than http and https.
 */
var UnsendableRequestError = class extends TypeError {
  /** Always `UnsendableRequestError`. */
  name = "UnsendableRequestError";
};
// lib/client/history.ts
/** Creates a history that forgets its oldest exchanges beyond the limits. */
function createHistory(limits) {
  const exchanges = [];
  let bytes = 0;
  let last;
  return {
    get all() {
      return exchanges.slice();
    },
    get last() {
      return last;
    },
    add(exchange) {
      last = exchange;
      exchanges.push(exchange);
      bytes += weight(exchange);
      while (exchanges.length > limits.count || (bytes > limits.bytes && exchanges.length > 1)) {
        const oldest = exchanges.shift();
        if (oldest) bytes -= weight(oldest);
      }
    },
    clear() {
      exchanges.length = 0;
      bytes = 0;
      last = void 0;
    },
  };
}
function weight(exchange) {
  return exchange.bytes.byteLength + (exchange.request.body?.length ?? 0);
}
// lib/client/json.ts
/**
 * A number that JSON.parse might alter: 16 digits or more, or an exponent of three digits. It may
 * stand in a string, which costs time but no correctness.
 */
const CANDIDATE = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})/;
const INTEGER = /^-?\d+$/;
/**
 * Parses JSON with every digit kept: integers beyond 2^53 become bigint, other numbers that a
 * double would alter become {@link NumberText}, everything else is as from `JSON.parse`.
 *
 * @param text The JSON text.
 * @throws {SyntaxError} It does not parse; the message says where, with the line and column.
 */
function parseJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw located(text, error);
  }
  return CANDIDATE.test(text) ? (parseLossless(text) ?? value) : value;
}
function parseLossless(text) {
  try {
    return parse(text, null, {
      parseNumber,
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (error) {
    if (error instanceof RangeError) return void 0;
    throw error;
  }
}
function parseNumber(text) {
  const number = Number(text);
  if (INTEGER.test(text)) return Number.isSafeInteger(number) ? number : BigInt(text);
  if (!Number.isFinite(number)) return createNumberText(text);
  return compareLosslessNumber(new LosslessNumber(text), new LosslessNumber(String(number))) === 0
    ? number
    : createNumberText(text);
}
/** The runtimes word and place this error each in its own way, so the place is found anew. */
function located(text, cause) {
  const offset = offsetOfFault(text);
  if (offset === void 0)
    return new SyntaxError("Cannot parse the body as JSON: it is not valid JSON", { cause });
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const start = before.lastIndexOf("\n") + 1;
  const column = [...before.slice(start)].length + 1;
  const excerpt = text.slice(Math.max(start, offset - 20), offset + 20).split(/\r?\n/, 1)[0] ?? "";
  const message = `Cannot parse the body as JSON at line ${line}, column ${column}: ${offset < text.length ? `near ${JSON.stringify(excerpt)}` : "the text ends there"}`;
  return new SyntaxError(message, { cause });
}
function offsetOfFault(text) {
  try {
    parse(text, null, {
      parseNumber: () => 0,
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (error) {
    const position = /at position (\d+)$/.exec(error instanceof Error ? error.message : "")?.[1];
    return position === void 0 ? void 0 : Number(position);
  }
}
// lib/client/header-rules.ts
const OF_THE_CONNECTION = () => "the connection is managed by the runtime";
/**
 * Headers that are left out, with the reason, or `undefined` where nothing is lost by it. Observed
 * with Node 20 (undici refuses most of them with an error), Deno 2.9 and Bun 1.4 (they drop or
 * overwrite some and send others); left out everywhere, so that one notebook sends one request.
 */
const RULES = /* @__PURE__ */ new Map([
  [
    "host",
    (value, { host }) =>
      value.toLowerCase() === host ? void 0 : `fetch always sends the host of the URL, "${host}"`,
  ],
  [
    "content-length",
    (value, { bodyLength }) =>
      value === String(bodyLength) ? void 0 : `the body has ${bodyLength} bytes`,
  ],
  [
    "connection",
    (value) => (value.toLowerCase() === "keep-alive" ? void 0 : OF_THE_CONNECTION(value, NOTHING)),
  ],
  ["keep-alive", OF_THE_CONNECTION],
  ["transfer-encoding", OF_THE_CONNECTION],
  ["upgrade", OF_THE_CONNECTION],
  ["expect", OF_THE_CONNECTION],
]);
const NOTHING = {
  host: "",
  bodyLength: 0,
};
/**
 * Says whether a written header is left out when sending, and why.
 *
 * @returns `undefined` when it is sent; otherwise the reason, empty where leaving it out changes
 * nothing.
 */
function reasonToOmit(name, value, context) {
  const rule = RULES.get(name.toLowerCase());
  return rule && (rule(value, context) ?? "");
}
// lib/client/version.ts
/** The version of restlab, as its package says it. */
const version = "2.2.0";
// lib/client/prepare.ts
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN = /^(?:CONNECT|TRACE|TRACK)$/i;
const encoder$1 = new TextEncoder();
/**
 * Makes a request fit for fetch, or says why it cannot be sent.
 *
 * @throws {UnsendableRequestError} The request cannot be sent, whatever the server.
 */
function prepareRequest(request) {
  const method = checkMethod$1(request.method);
  const url = parseUrl(request.url);
  const warnings = [...request.warnings];
  if (/[\t\n\r]/.test(request.url))
    warnings.push("The URL holds a tab or a line break, which the URL parser drops");
  const authorization = takeCredentials(url);
  const body = toBytes(request.body);
  if (body && (method === "GET" || method === "HEAD"))
    throw new UnsendableRequestError(
      `Cannot send ${method} "${url.href}" with a body: fetch refuses a body on GET and HEAD; use POST or QUERY, or put the values into the query of the URL`,
    );
  const context = {
    host: url.host,
    bodyLength: body?.byteLength ?? 0,
  };
  const headers = [];
  const written = /* @__PURE__ */ new Set();
  for (const [name, value] of request.headers) {
    written.add(name.toLowerCase());
    const reason = reasonToOmit(name, value, context);
    if (reason === void 0) headers.push([name, value]);
    else if (reason) warnings.push(`The header "${name}: ${value}" was not sent: ${reason}`);
  }
  const added = [...request.added];
  const add = (name, value) => {
    if (written.has(name.toLowerCase())) return;
    headers.push([name, value]);
    added.push(name);
  };
  if (authorization) add("Authorization", authorization);
  add("User-Agent", `restlab/${version}`);
  const sent = {
    method,
    url: url.href,
    writtenUrl: request.url,
    headers,
    added,
    body: request.body,
  };
  return {
    sent:
      request.name === void 0
        ? sent
        : {
            name: request.name,
            ...sent,
          },
    url,
    body,
    warnings,
  };
}
/** Takes user info out of a URL, which fetch refuses, and gives the header that says the same. */
function takeCredentials(url) {
  if (!url.username && !url.password) return void 0;
  const pair = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = "";
  url.password = "";
  return `Basic ${btoa(toByteString(pair))}`;
}
/** Text as the header bytes of its UTF-8 form, as curl sends it; fetch takes one byte a character. */
function toByteString(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(encoder$1.encode(text), (byte) => String.fromCharCode(byte)).join("");
}
function checkMethod$1(written) {
  if (!TOKEN.test(written))
    throw new UnsendableRequestError(`Cannot send the method "${written}": it is not a token`);
  if (FORBIDDEN.test(written))
    throw new UnsendableRequestError(
      `Cannot send the method "${written}": fetch forbids CONNECT, TRACE and TRACK`,
    );
  return written;
}
function parseUrl(written) {
  let url;
  try {
    url = new URL(written);
  } catch (cause) {
    throw new UnsendableRequestError(
      `Cannot send to the URL "${written}": ${written === "" ? "it is empty" : "it does not parse"}; an absolute URL is needed, such as https://example.com/users`,
      { cause },
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UnsendableRequestError(
      `Cannot send to the URL "${written}": its scheme is "${url.protocol.slice(0, -1)}", only http and https can be sent`,
    );
  return url;
}
function toBytes(body) {
  if (body === void 0 || body.length === 0) return void 0;
  if (typeof body === "string") return encoder$1.encode(body);
  return body.buffer instanceof ArrayBuffer ? body : new Uint8Array(body);
}
function decodePercent(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
// lib/client/decode.ts
const UTF8 = new TextDecoder();
/** 0x80 to 0x9F of windows-1252, which Node 20 decodes as control characters (nodejs/node#56542). */
const WINDOWS_1252 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
/**
 * Decodes a body by its byte order mark, else by its charset, else as UTF-8.
 *
 * @param bytes The body.
 * @param charset The charset that the Content-Type names.
 */
function decodeText$1(bytes, charset) {
  const marked = charsetOfMark(bytes);
  if (marked === "utf-8" || (!marked && isUtf8(charset))) return { text: UTF8.decode(bytes) };
  const label = marked ?? charset ?? "utf-8";
  const decoder = decoderFor(label);
  if (decoder) return { text: repair(decoder.decode(bytes), decoder.encoding) };
  const warning = `The charset "${label}" is not known here: the body is read as UTF-8`;
  return {
    text: UTF8.decode(bytes),
    warning,
  };
}
/** Says whether a charset can be decoded here. */
function isKnownCharset(charset) {
  return isUtf8(charset) || decoderFor(charset ?? "") !== void 0;
}
function isUtf8(charset) {
  return charset === void 0 || /^utf-?8$/i.test(charset);
}
function charsetOfMark(bytes) {
  const [first, second, third] = bytes;
  if (first === 239 && second === 187 && third === 191) return "utf-8";
  if (first === 255 && second === 254) return "utf-16le";
  if (first === 254 && second === 255) return "utf-16be";
}
function decoderFor(label) {
  try {
    return new TextDecoder(label);
  } catch {
    return;
  }
}
function repair(text, encoding) {
  if (encoding !== "windows-1252") return text;
  return text.replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252.charAt(c.charCodeAt(0) - 128));
}
// lib/client/resolve.ts
/** Header pairs from any of the forms that callers may write. */
function toHeaderList(input) {
  if (input === void 0) return [];
  const pairs = Symbol.iterator in input ? input : Object.entries(input);
  return Array.from(pairs, ([name, value]) => [checkName$1(name), checkValue(name, String(value))]);
}
/** Adds the client's headers to a request that does not write them. */
function withDefaults(request, defaults) {
  if (defaults.length === 0) return request;
  const written = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const missing = defaults.filter(([name]) => !written.has(name.toLowerCase()));
  return {
    ...request,
    headers: [...request.headers, ...missing],
    added: [...request.added, ...missing.map(([name]) => name)],
  };
}
/**
 * Makes a request of a spec.
 *
 * @throws {TypeError} It has both `body` and `json`, or a value that JSON cannot carry.
 */
function resolveSpec(spec) {
  if (typeof spec.url !== "string")
    throw new TypeError(
      `Cannot send a request whose url is ${typeof spec.url}: a string is needed`,
    );
  if (spec.body !== void 0 && spec.json !== void 0)
    throw new TypeError("Cannot send a request with both body and json: leave one of them out");
  const headers = toHeaderList(spec.headers);
  const isJson = spec.json !== void 0;
  const untyped = !headers.some(([name]) => name.toLowerCase() === "content-type");
  const body = isJson ? renderJson(snapshotValue(spec.json, "json")) : spec.body;
  return {
    method: spec.method ?? (body === void 0 ? "GET" : "POST"),
    url: spec.url,
    headers: isJson && untyped ? [...headers, ["Content-Type", "application/json"]] : headers,
    added: isJson && untyped ? ["Content-Type"] : [],
    body,
    warnings: [],
  };
}
/**
 * Reads the body of a rendered request where it stands in a file.
 *
 * @throws {UnsendableRequestError} The file cannot be read.
 */
async function resolveBody(request, access) {
  const { body } = request;
  if (typeof body !== "object")
    return {
      ...request,
      body,
    };
  return {
    ...request,
    body: await readBodyFile(body, request.headers, access),
  };
}
async function readBodyFile(file, headers, access) {
  if (!access.readFile)
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": this client has no access to files; give createClient a readFile function`,
    );
  let bytes;
  try {
    bytes = await access.readFile(file.path);
  } catch (cause) {
    const state = cause instanceof Error ? cause.message : String(cause);
    throw new UnsendableRequestError(`Cannot read the body from "${file.path}": ${state}`, {
      cause,
    });
  }
  if (!file.interpolated) return bytes;
  const { text, warning } = decodeText$1(bytes, file.encoding);
  if (warning)
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": the encoding "${file.encoding}" is not known here`,
    );
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const isJson = type === void 0 ? /^\s*[[{]/.test(text) : /[/+]json\s*(?:;|$)/i.test(type);
  const missing = access.missing ?? "error";
  return renderTemplate(parseTemplate(text), access.variables, isJson ? "json" : "text", {
    missing,
  });
}
function checkName$1(name) {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  throw new InvalidHeaderError(name, [
    createFault(
      name,
      {
        start: 0,
        end: name.length,
      },
      `Cannot send the header ${JSON.stringify(name)}: its name is not a token`,
    ),
  ]);
}
function checkValue(name, value) {
  const at = value.search(/[\r\n\0]/);
  if (at < 0) return value;
  throw new InvalidHeaderError(value, [
    createFault(
      value,
      {
        start: at,
        end: at + 1,
      },
      `Cannot send the header "${name}": its value holds a line break or NUL`,
    ),
  ]);
}
// lib/client/exchange.ts
/** The method by which a value shows itself in kernels that know it, `deno jupyter` for one. */
const jupyterDisplay = Symbol.for("Jupyter.display");
// lib/client/media-type.ts
const ESSENCE = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;
/** Takes a Content-Type apart; one that is missing or broken has no essence. */
function parseMediaType(contentType) {
  if (contentType === null)
    return {
      essence: "",
      charset: void 0,
    };
  const charset = CHARSET.exec(contentType);
  return {
    essence: ESSENCE.exec(contentType)?.[1]?.toLowerCase() ?? "",
    charset: charset?.[2] ?? charset?.[1]?.replace(/\\(.)/g, "$1"),
  };
}
// lib/client/sizes.ts
const encoder = new TextEncoder();
/** Measures an exchange in bytes; its headers as their text in HTTP/1.1. */
function measure(exchange) {
  const { request, headers, bytes } = exchange;
  const { pathname, search } = new URL(request.url);
  const requestLine = `${request.method} ${pathname}${search} HTTP/1.1`;
  const statusLine = `HTTP/1.1 ${exchange.status} ${exchange.statusText}`;
  const encoded = encodedLength(exchange);
  return {
    request: {
      headers: lengthOfHead(requestLine, request.headers),
      body: lengthOf(request.body ?? ""),
    },
    response: {
      headers: lengthOfHead(statusLine, headers),
      body: bytes.byteLength,
      ...(encoded === void 0 ? {} : { encoded }),
    },
  };
}
function lengthOfHead(line, headers) {
  let length = line.length + 4;
  for (const [name, value] of headers) length += name.length + lengthOf(value) + 4;
  return length;
}
function lengthOf(content) {
  return typeof content === "string" ? encoder.encode(content).byteLength : content.byteLength;
}
/** With HEAD the length is that of a body which did not come. */
function encodedLength({ request, headers }) {
  const length = headers.get("content-length");
  if (length === null || !headers.has("content-encoding")) return void 0;
  return request.method === "HEAD" || !/^\d+$/.test(length) ? void 0 : Number(length);
}
// lib/client/status-class.ts
const CLASSES = ["Informational", "Successful", "Redirection", "Client error", "Server error"];
/**
 * Names the class of a status code (RFC 9110, section 15).
 *
 * @param status The status code.
 * @returns The class, or `Unassigned` outside 100 to 599.
 * @example
 * ```ts
 * statusClass(404); // "Client error"
 * ```
 */
function statusClass(status) {
  return CLASSES[Math.floor(status / 100) - 1] ?? "Unassigned";
}
// lib/client/to-plain-data.ts
const HIDDEN$1 = "•••";
const CREDENTIALS$1 = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i;
const TEXTUAL = /^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)$/;
const MAX_TEXT = 65536;
/**
 * An exchange as plain data that `JSON.stringify` takes: text bodies as text up to 64 Ki
 * characters, other bodies as their size, credentials and secrets hidden.
 */
function toPlainData(exchange) {
  const hide = (text) =>
    exchange.secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN$1), text);
  const headers = (list) =>
    Array.from(list, ([name, value]) => [name, CREDENTIALS$1.test(name) ? HIDDEN$1 : hide(value)]);
  const body = (content) => {
    if (content === void 0 || typeof content === "string")
      return content === void 0 ? void 0 : hide(content.slice(0, MAX_TEXT));
    return { bytes: content.byteLength };
  };
  const { request, timing } = exchange;
  return {
    request: {
      ...(request.name === void 0 ? {} : { name: request.name }),
      method: request.method,
      url: hide(request.url),
      headers: headers(request.headers),
      body: body(request.body),
    },
    url: hide(exchange.url),
    status: exchange.status,
    statusText: exchange.statusText,
    statusClass: exchange.statusClass,
    headers: headers(exchange.headers),
    body: body(isTextual(exchange) ? exchange.text : exchange.bytes),
    cut: exchange.cut,
    timing: {
      ...timing,
      startedAt: timing.startedAt.toISOString(),
    },
    sizes: exchange.sizes,
    redirects: exchange.redirects.map((redirect) => ({
      ...redirect,
      url: hide(redirect.url),
      location: hide(redirect.location),
    })),
    warnings: exchange.warnings.map(hide),
  };
}
function isTextual({ mediaType, bytes }) {
  return bytes.byteLength === 0 || TEXTUAL.test(mediaType);
}
// lib/client/create-exchange.ts
const nodeInspect = Symbol.for("nodejs.util.inspect.custom");
const denoInspect = Symbol.for("Deno.customInspect");
/** Makes an exchange; its text, JSON and sizes are worked out when they are first asked for. */
function createExchange(parts) {
  return new ReceivedExchange(parts);
}
/** A class for its prototype: getters and methods are shared by all exchanges of a history. */
var ReceivedExchange = class {
  request;
  url;
  status;
  statusText;
  headers;
  bytes;
  cut;
  timing;
  redirects;
  warnings;
  secrets;
  #show;
  #type;
  #text;
  #json;
  #sizes;
  constructor(parts) {
    this.request = parts.request;
    this.url = parts.url;
    this.status = parts.response.status;
    this.statusText = parts.response.statusText;
    this.headers = parts.response.headers;
    this.bytes = parts.bytes;
    this.cut = parts.cut;
    this.timing = parts.timing;
    this.redirects = parts.redirects;
    this.secrets = parts.secrets;
    this.#show = parts.show;
    this.#type = parseMediaType(parts.response.headers.get("content-type"));
    this.warnings = isKnownCharset(this.#type.charset)
      ? parts.warnings
      : [...parts.warnings, ...charsetWarning(parts.bytes, this.#type.charset)];
  }
  get statusClass() {
    return statusClass(this.status);
  }
  get ok() {
    return this.status >= 200 && this.status <= 299;
  }
  get mediaType() {
    return this.#type.essence;
  }
  get text() {
    this.#text ??= decodeText$1(this.bytes, this.#type.charset).text;
    return this.#text;
  }
  get json() {
    this.#json ??= { value: this.text.trim() === "" ? void 0 : parseJson(this.text) };
    return this.#json.value;
  }
  get sizes() {
    this.#sizes ??= measure(this);
    return this.#sizes;
  }
  toJSON() {
    return toPlainData(this);
  }
  toString() {
    return this.#show(this)["text/plain"];
  }
  [jupyterDisplay]() {
    return this.#show(this);
  }
  [nodeInspect]() {
    return this.toString();
  }
  [denoInspect]() {
    return this.toString();
  }
};
function charsetWarning(bytes, charset) {
  const { warning } = decodeText$1(bytes, charset);
  return warning === void 0 ? [] : [warning];
}
// lib/client/failure.ts
/**
 * What the runtimes say when no response comes, observed with Node 20.20 (undici: codes), Deno 2.9
 * (hyper and rustls: texts alone) and Bun 1.4 (codes and texts). The first row that fits holds.
 */
const ROWS = [
  {
    pattern: /ENOTFOUND|EAI_AGAIN|dns error|failed to lookup address/,
    code: "name-not-resolved",
    what: "the host name could not be resolved",
    advice: "Check the spelling of the host and the network",
  },
  {
    pattern: /ECONNREFUSED|connection refused/i,
    code: "refused",
    what: "the connection was refused",
    advice: "Check that a server is running there and that the port is right",
  },
  {
    pattern: /bad port|requests to port \d+ are blocked/i,
    code: "not-permitted",
    what: "fetch blocks this port",
    advice: "Let the server listen on another port, such as 8080",
  },
  {
    pattern: /NotCapable|PermissionDenied|Requires net access/,
    code: "not-permitted",
    what: "the runtime has no permission to use the network",
    advice: "Start it with permission, for Deno --allow-net",
  },
  {
    pattern: /SELF_SIGNED|CERT_|_CERT|self[- ]signed|invalid peer certificate|UnknownIssuer/,
    code: "certificate",
    what: "the certificate of the server is not trusted",
    advice:
      "Add its authority to the trusted ones (NODE_EXTRA_CA_CERTS for Node and Bun, DENO_CERT for Deno)",
  },
  {
    pattern: /ERR_SSL|SSL routines|EPROTO|received corrupt message|handshake/i,
    code: "tls",
    what: "no secure connection could be agreed on",
    advice: "Check that the server speaks HTTPS on this port, or write http://",
  },
  {
    pattern: /_CONNECT_TIMEOUT|ETIMEDOUT|_HEADERS_TIMEOUT|_BODY_TIMEOUT|timed? ?out/i,
    code: "timed-out",
    what: "the connection timed out",
    advice: "Check the network and that the server answers",
  },
  {
    pattern:
      /Z_DATA_ERROR|Z_BUF_ERROR|ERR__?BROTLI|ERR_BROTLI|ZlibError|DecompressionError|gzip header|unexpected end of file|corrupt/i,
    code: "decompression",
    what: "the body could not be decompressed",
    advice: "Send Accept-Encoding: identity to get it uncompressed",
  },
  {
    pattern:
      /HPE_|HEADERS_OVERFLOW|ERR_ASSERTION|bad upgrade|UnrequestedUpgrade|Malformed_|Invalid(?:HTTP|Content|Chunk)|invalid (?:HTTP|content-length|chunk)|TooManyHeaders|message head is too large/i,
    code: "protocol",
    what: "what came back is not an HTTP response",
    advice: "Check that the port belongs to an HTTP server, and whether it wants https://",
  },
  {
    pattern:
      /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|connection (?:reset|closed|error)|error reading a body|broken pipe/i,
    code: "reset",
    what: "the server closed the connection without a response",
    advice: "Look into the log of the server, or send the request again",
  },
  {
    pattern: /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|unreachable|no route to host/i,
    code: "unreachable",
    what: "the host cannot be reached from here",
    advice: "Check the address and the network",
  },
];
/** Says what a failure of fetch means, from the errors that a runtime chained to it. */
function explainFailure(cause) {
  const clues = cluesOf(cause);
  const row = ROWS.find(({ pattern }) => pattern.test(clues.join("\n")));
  if (row)
    return {
      code: row.code,
      what: row.what,
      advice: row.advice,
    };
  return {
    code: "unreachable",
    what: clues.at(-1) ?? "nothing is known of the reason",
    advice: "Check the address and the network",
  };
}
/** The codes and messages of an error, of its causes and of errors gathered in it. */
function cluesOf(error, depth = 0) {
  if (depth > 5 || error === void 0 || error === null) return [];
  if (typeof error !== "object") return [String(error)];
  const { name, code, message, cause, errors } = error;
  return [
    ...[name, code, message].filter((clue) => typeof clue === "string" && clue !== ""),
    ...(Array.isArray(errors) ? errors.flatMap((one) => cluesOf(one, depth + 1)) : []),
    ...cluesOf(cause, depth + 1),
  ];
}
// lib/client/no-response.ts
/** Puts the end of a request into words. */
function noResponse(ending) {
  const { request, hop, redirects, reason, partial } = ending;
  const { code, what, advice } = failureOf(ending);
  const steps = redirects.length === 1 ? "1 redirect" : `${redirects.length} redirects`;
  const way = redirects.length > 0 && code !== "too-many-redirects" ? ` (after ${steps})` : "";
  const got = partial ? "no whole response" : "no response";
  const message = `${hop.method} "${hop.url.href}"${way} got ${got}: ${what}`;
  return new NoResponseError(code, advice ? `${message}. ${advice}` : message, {
    request,
    redirects: redirects.slice(),
    cause: "cause" in reason ? reason.cause : "reason" in reason ? reason.reason : void 0,
    ...(partial ? { partial } : {}),
  });
}
function failureOf({ reason, redirects, partial }) {
  const came = partial ? ` after ${progress(partial)}` : "";
  switch (reason.kind) {
    case "timed-out":
      return {
        code: "timed-out",
        what: `timed out after ${seconds(reason.milliseconds)}${partial ? `, ${progress(partial)} in` : ""}`,
        advice: "Check that the server answers, or set a longer timeout",
      };
    case "aborted":
      return {
        code: "aborted",
        what: `it was aborted${came}${detail(reason.reason)}`,
        advice: "",
      };
    case "redirected":
      return failure(
        "redirected",
        `${reason.redirect.status} leads to "${reason.redirect.location}"`,
        'Redirects are errors here: set redirect to "follow" or "manual"',
      );
    case "too-many-redirects":
      return failure(
        "too-many-redirects",
        `too many redirects (more than ${redirects.length - 1}):${redirects.map(hopLine).join("")}`,
        "",
      );
    case "cut-short":
      return brokenOff(explainFailure(reason.cause), came);
    case "failed":
      return explainFailure(reason.cause);
  }
}
function brokenOff(known, came) {
  if (known.code === "decompression" || known.code === "timed-out")
    return {
      ...known,
      what: `${known.what}${came}`,
    };
  return failure(
    "cut-short",
    `the connection ended${came}`,
    "The error holds what came in its partial exchange",
  );
}
function failure(code, what, advice) {
  return {
    code,
    what,
    advice,
  };
}
function progress({ bytes, headers }) {
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  const whole = length && /^\d+$/.test(length) ? ` of ${length}` : "";
  return `${bytes.byteLength}${whole} bytes of the body`;
}
function seconds(milliseconds) {
  return milliseconds < 1e3 ? `${milliseconds} ms` : `${milliseconds / 1e3} s`;
}
/** The reason that a caller gave; the one that `abort()` makes up says nothing. */
function detail(reason) {
  if (typeof reason === "string" && reason !== "") return ` (${reason})`;
  if (!(reason instanceof Error) || reason.name === "AbortError") return "";
  return ` (${reason.message})`;
}
function hopLine({ method, url, status, location }) {
  return `\n  ${method} ${url} → ${status} ${location}`;
}
// lib/client/read-body.ts
const EMPTY = {
  bytes: /* @__PURE__ */ new Uint8Array(0),
  cut: false,
};
/**
 * Reads a response body up to a cap. Beyond it nothing more is downloaded. A connection that
 * breaks off is told in `failure`, with the bytes that came before.
 *
 * @param response The response, not read yet.
 * @param maxBytes The cap in bytes, after decompression.
 */
async function readBody(response, maxBytes) {
  if (response.body === null) return EMPTY;
  const reader = response.body.getReader();
  const chunks = [];
  let length = 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      chunks.push(step.value);
      length += step.value.byteLength;
      if (length > maxBytes) {
        reader.cancel().catch(() => void 0);
        return {
          bytes: join(chunks, maxBytes),
          cut: true,
        };
      }
    }
  } catch (cause) {
    return {
      bytes: join(chunks, length),
      cut: false,
      failure: { cause },
    };
  }
  return length === 0
    ? EMPTY
    : {
        bytes: join(chunks, length),
        cut: false,
      };
}
/** What a redirect says beside its Location is not kept, but reading it keeps the connection. */
async function drainBody(response) {
  await readBody(response, 65536);
}
function join(chunks, length) {
  const [only] = chunks;
  if (only && chunks.length === 1 && only.byteLength === length && ownsItsBuffer(only)) return only;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - offset), offset);
    offset += chunk.byteLength;
    if (offset >= length) break;
  }
  return bytes;
}
/** A view of a larger buffer would keep all of that buffer alive in the history. */
function ownsItsBuffer(chunk) {
  return chunk.byteLength === chunk.buffer.byteLength;
}
// lib/client/redirect.ts
const REDIRECTS = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);
const OF_THE_BODY = /^(?:content-(?:encoding|language|location|type|length))$/i;
const CREDENTIALS = /^(?:authorization|cookie|proxy-authorization)$/i;
/** Says whether a response is a redirect that fetch would follow. */
function isRedirect(response) {
  return REDIRECTS.has(response.status) && response.headers.has("location");
}
/**
 * Builds the request that follows a redirect, as the Fetch standard has it in "HTTP-redirect
 * fetch". A Location that leads nowhere makes the 3xx the answer, for the person to look at.
 */
function nextHop(hop, status, location) {
  const url = resolve(location, hop.url);
  if (typeof url === "string")
    return {
      kind: "answer",
      warnings: [url],
    };
  if (!url.hash) url.hash = hop.url.hash;
  const sameOrigin = url.origin === hop.url.origin;
  const { method, headers, body } = rewrite(hop, status);
  const kept = sameOrigin ? headers : headers.filter(([name]) => !CREDENTIALS.test(name));
  const dropped = headers.filter((header) => !kept.includes(header)).map(([name]) => name);
  const authorization = takeCredentials(url);
  return {
    kind: "hop",
    hop: {
      method,
      url,
      headers: authorization
        ? [
            ...kept.filter(([name]) => !/^authorization$/i.test(name)),
            ["Authorization", authorization],
          ]
        : kept,
      body,
    },
    warnings:
      dropped.length === 0
        ? []
        : [`Not sent on to ${url.origin}, another origin: ${[...new Set(dropped)].join(", ")}`],
  };
}
function resolve(location, base) {
  let url;
  try {
    url = new URL(fromBytes(location), base);
  } catch {
    return `The redirect was not followed: its Location "${location}" is not a URL`;
  }
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  return `The redirect was not followed: its Location "${location}" is neither http nor https`;
}
/** Headers come as one character a byte; a Location beyond ASCII is UTF-8 in practice. */
function fromBytes(location) {
  if (/^[\x00-\x7f]*$/.test(location)) return location;
  return new TextDecoder().decode(Uint8Array.from(location, (c) => c.charCodeAt(0)));
}
function rewrite(hop, status) {
  if (
    !(
      ((status === 301 || status === 302) && hop.method === "POST") ||
      (status === 303 && hop.method !== "GET" && hop.method !== "HEAD")
    )
  )
    return hop;
  return {
    method: "GET",
    headers: hop.headers.filter(([name]) => !OF_THE_BODY.test(name)),
    body: void 0,
  };
}
// lib/client/send.ts
/**
 * Sends a request and follows its redirects.
 *
 * @throws {NoResponseError} There is no response, or not a whole one.
 */
async function sendRequest(prepared, sending) {
  const startedAt = /* @__PURE__ */ new Date();
  const start = performance.now();
  const { sent } = prepared;
  const redirects = [];
  const warnings = [...prepared.warnings];
  const fail = (hop, reason, partial) =>
    noResponse({
      request: sent,
      hop,
      redirects,
      reason: sending.deadline.stop ?? reason,
      partial,
    });
  let hop = {
    method: sent.method,
    url: prepared.url,
    headers: sent.headers,
    body: prepared.body,
  };
  for (;;) {
    let response;
    try {
      response = await call(hop, sending);
    } catch (cause) {
      throw cause instanceof UnsendableRequestError
        ? cause
        : fail(hop, {
            kind: "failed",
            cause,
          });
    }
    const redirect = redirectOf(hop, response, sending);
    if (redirect) {
      if (sending.redirect === "error")
        throw fail(hop, {
          kind: "redirected",
          redirect,
        });
      const next = nextHop(hop, redirect.status, redirect.location);
      warnings.push(...next.warnings);
      if (next.kind === "hop") {
        redirects.push(redirect);
        await drainBody(response);
        if (redirects.length > sending.maxRedirects)
          throw fail(hop, { kind: "too-many-redirects" });
        hop = next.hop;
        continue;
      }
    }
    const headers = performance.now() - start;
    const body = await readBody(response, sending.maxBodyBytes);
    const exchange = createExchange({
      request: sent,
      url: hop.url.href,
      response,
      bytes: body.bytes,
      cut: body.cut || body.failure !== void 0,
      timing: {
        startedAt,
        headers,
        total: performance.now() - start,
      },
      redirects,
      warnings: [...warnings, ...warningsOf(response, body.bytes, body.cut)],
      secrets: sending.secrets,
      show: sending.show,
    });
    if (!body.failure) return exchange;
    throw fail(
      hop,
      {
        kind: "cut-short",
        cause: body.failure.cause,
      },
      exchange,
    );
  }
}
/** One request over the network. ky neither throws on a status nor follows a redirect. */
async function call(hop, sending) {
  const { signal } = sending.deadline;
  try {
    return await ky(hop.url, {
      method: hop.method,
      headers: toHeaders(hop.headers),
      ...(hop.body ? { body: hop.body } : {}),
      redirect: "manual",
      timeout: false,
      retry: { limit: sending.retry },
      throwHttpErrors: sending.retry > 0,
      ...(sending.retry > 0 ? { signal } : {}),
      fetch: (input, init) => {
        checkMethod(hop.method, input);
        return sending.fetch(input, {
          ...init,
          signal,
        });
      },
    });
  } catch (error) {
    if (error instanceof HTTPError) return error.response;
    throw error;
  }
}
/** Bun 1.4 makes a GET of every method that it does not know, without a word. */
function checkMethod(method, input) {
  if (!(input instanceof Request) || input.method.toUpperCase() === method.toUpperCase()) return;
  throw new UnsendableRequestError(
    `Cannot send the method "${method}": this runtime would send ${input.method} instead; Node and Deno send every method`,
  );
}
function toHeaders(list) {
  const headers = new Headers();
  const cookies = [];
  for (const [name, value] of list)
    if (name.toLowerCase() === "cookie") cookies.push(toByteString(value));
    else headers.append(name, toByteString(value));
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  return headers;
}
function redirectOf(hop, response, sending) {
  if (sending.redirect === "manual" || !isRedirect(response)) return void 0;
  return {
    method: hop.method,
    url: hop.url.href,
    status: response.status,
    statusText: response.statusText,
    statusClass: statusClass(response.status),
    location: response.headers.get("location") ?? "",
  };
}
function warningsOf(response, bytes, cut) {
  const warnings = [];
  if (cut) {
    const length = response.headers.get("content-length");
    const whole = length && !response.headers.has("content-encoding") ? ` of ${length}` : "";
    warnings.push(
      `The body was cut after ${bytes.byteLength}${whole} bytes, the rest was not downloaded; maxBodyBytes sets the limit`,
    );
  }
  const encoding = response.headers.get("content-encoding");
  const untouched = response.headers.get("content-length") === String(bytes.byteLength);
  if (encoding && untouched && bytes.byteLength > 0 && encoding.toLowerCase() !== "identity")
    warnings.push(`The body is still compressed: this runtime does not know "${encoding}"`);
  return warnings;
}
// lib/client/settings.ts
const DEFAULTS = {
  timeout: 3e4,
  redirect: "follow",
  maxRedirects: 20,
  maxBodyBytes: 268435456,
  retry: 0,
};
const REDIRECT_MODES = /* @__PURE__ */ new Set(["follow", "manual", "error"]);
/** The settings of a client. */
function clientSettings(options) {
  return requestSettings(options, DEFAULTS);
}
/**
 * The settings of one request.
 *
 * @throws {TypeError} An option is not what it should be.
 */
function requestSettings(options, base) {
  return {
    timeout: amount("timeout", options.timeout ?? base.timeout),
    redirect: redirectMode(options.redirect ?? base.redirect),
    maxRedirects: amount("maxRedirects", options.maxRedirects ?? base.maxRedirects),
    maxBodyBytes: amount("maxBodyBytes", options.maxBodyBytes ?? base.maxBodyBytes),
    retry: amount("retry", options.retry ?? base.retry),
  };
}
/**
 * Checks an option that counts something.
 *
 * @throws {TypeError} It is not a number from 0 on.
 */
function amount(name, value) {
  if (typeof value === "number" && value >= 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: a number from 0 on is needed`);
}
function redirectMode(value) {
  if (REDIRECT_MODES.has(value)) return value;
  throw new TypeError(
    `Cannot use "${String(value)}" as redirect: it is "follow", "manual" or "error"`,
  );
}
// lib/client/variables.ts
const NO_SECRETS = [];
/** Creates an empty store. */
function createVariableStore() {
  const values = /* @__PURE__ */ new Map();
  const secret = /* @__PURE__ */ new Set();
  let secrets = NO_SECRETS;
  const refresh = () => {
    secrets = [...new Set([...secret].flatMap((name) => textsOf(values.get(name) ?? null)))].sort(
      (one, other) => other.length - one.length,
    );
  };
  const get = (name) => {
    const value = values.get(name);
    return value === void 0 ? void 0 : snapshotValue(value, name);
  };
  return {
    values,
    view: createView(values, get),
    get,
    set(name, value, options) {
      checkName(name);
      values.set(name, snapshotValue(value, name));
      const wasSecret = secret.has(name);
      if (options?.secret === true) secret.add(name);
      if (options?.secret === false) secret.delete(name);
      if (wasSecret || secret.has(name)) refresh();
    },
    delete(name) {
      const existed = values.delete(name);
      if (secret.delete(name)) refresh();
      return existed;
    },
    clear() {
      values.clear();
      secret.clear();
      secrets = NO_SECRETS;
    },
    secrets: () => secrets,
  };
}
function checkName(name) {
  if (typeof name === "string" && isReachableName(name)) return;
  throw new TypeError(
    `Cannot set the variable ${JSON.stringify(name)}: no placeholder could name it; a name is a letter or _, then letters, digits, _ and -`,
  );
}
function createView(values, get) {
  function* entries() {
    for (const name of values.keys()) yield [name, get(name)];
  }
  function* copies() {
    for (const [, value] of entries()) yield value;
  }
  const view = {
    get size() {
      return values.size;
    },
    has: (name) => values.has(name),
    get,
    keys: () => values.keys(),
    values: copies,
    entries,
    forEach(callback, thisArgument) {
      for (const [name, value] of entries()) callback.call(thisArgument, value, name, view);
    },
    [Symbol.iterator]: entries,
  };
  return Object.freeze(view);
}
/** Every text inside a secret: of an object, its leaves. Very short ones would hide half a page. */
function textsOf(value) {
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    if ("isLosslessNumber" in value) return [String(value)];
    return Object.values(value).flatMap(textsOf);
  }
  if (value === null || typeof value === "boolean") return [];
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.length < 3 ? [] : [text];
}
// lib/client/create-client.ts
const parseValue = (text) => parseJson(text);
/** Creates a client whose exchanges are shown by the function that is handed in. */
function createClientWith(options, show) {
  const settings = clientSettings(options);
  const defaultHeaders = toHeaderList(options.headers);
  const variables = createVariableStore();
  const history = createHistory({
    count: amount("historyCount", options.historyCount ?? 100),
    bytes: amount("historyBytes", options.historyBytes ?? 67108864),
  });
  const inFlight = /* @__PURE__ */ new Map();
  /** The bracket around one request: known to `pending` and `abort` from before its first byte. */
  async function run(request, resolve, sendOptions) {
    const chosen = requestSettings(sendOptions, settings);
    const deadline = startDeadline(chosen.timeout, sendOptions.signal);
    const { method = "GET", url } = request;
    inFlight.set(deadline, {
      method,
      url,
      startedAt: /* @__PURE__ */ new Date(),
    });
    try {
      const exchange = await sendRequest(prepareRequest(await resolve()), {
        ...chosen,
        deadline,
        fetch: options.fetch ?? globalThis.fetch,
        show,
        secrets: variables.secrets(),
      });
      history.add(exchange);
      sendOptions.onExchange?.(exchange);
      return exchange;
    } finally {
      inFlight.delete(deadline);
      deadline.release();
    }
  }
  function sendRendered(request, sendOptions) {
    const { missing } = sendOptions;
    const access = {
      variables: variables.values,
      readFile: options.readFile,
      ...(missing ? { missing } : {}),
    };
    return run(request, () => resolveBody(request, access), sendOptions);
  }
  async function sendSpec(spec, sendOptions) {
    const { body, ...resolved } = resolveSpec(spec);
    const request = withDefaults(
      {
        ...resolved,
        body: void 0,
      },
      defaultHeaders,
    );
    return run(
      request,
      () => ({
        ...request,
        body,
      }),
      sendOptions,
    );
  }
  const client = {
    version,
    vars: variables.view,
    get last() {
      if (history.last) return history.last;
      throw new Error("Cannot read the last exchange: no request has been answered yet");
    },
    get history() {
      return history.all;
    },
    get pending() {
      return [...inFlight.values()];
    },
    setVar: (name, value, setOptions) => variables.set(name, value, setOptions),
    getVar: (name) => variables.get(name),
    hasVar: (name) => variables.values.has(name),
    deleteVar: (name) => variables.delete(name),
    clearVars: () => variables.clear(),
    clearHistory: () => history.clear(),
    render(text, renderOptions) {
      return lastOf(client.renderAll(text, renderOptions), "render");
    },
    renderAll(text, renderOptions = {}) {
      const preview = new Map(variables.values);
      const rendered = [];
      for (const entry of parseEntries(text))
        if (entry.kind === "assignment") {
          const value = resolveAssignment(entry, preview, {
            ...renderOptions,
            parseJson: parseValue,
          });
          preview.set(entry.name, value);
        } else
          rendered.push(withDefaults(renderRequest(entry, preview, renderOptions), defaultHeaders));
      return rendered;
    },
    async send(request, sendOptions = {}) {
      if (typeof request === "object" && request !== null) return sendSpec(request, sendOptions);
      return lastOf(await client.sendAll(request, sendOptions), "send");
    },
    async sendAll(text, sendOptions = {}) {
      if (typeof text !== "string")
        throw new TypeError(`Cannot send ${typeof text}: a request text or a spec is needed`);
      const { missing } = sendOptions;
      const renderOptions = missing ? { missing } : {};
      const exchanges = [];
      for (const entry of parseEntries(text))
        if (entry.kind === "assignment") {
          const value = resolveAssignment(entry, variables.values, {
            ...renderOptions,
            parseJson: parseValue,
          });
          variables.set(entry.name, value);
        } else {
          const rendered = renderRequest(entry, variables.values, renderOptions);
          exchanges.push(await sendRendered(withDefaults(rendered, defaultHeaders), sendOptions));
        }
      return exchanges;
    },
    abort(reason) {
      const count = inFlight.size;
      for (const deadline of inFlight.keys()) deadline.abort(reason);
      return count;
    },
  };
  return Object.freeze(client);
}
function lastOf(list, action) {
  const last = list.at(-1);
  if (last !== void 0) return last;
  throw new UnsendableRequestError(`Cannot ${action} the text: it holds no request`);
}
// lib/display/bundle.ts
/** The method by which a value shows itself, in every kernel that knows it. */
const DISPLAY = Symbol.for("Jupyter.display");
// lib/display/visible.ts
const HIDDEN = /\r\n|[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu;
/** Text over several lines, in which nothing acts: only tab and line feed are left as they are. */
function toVisibleText(text) {
  return text.replace(HIDDEN, (found) => {
    if (found === "\r\n") return "\n";
    return found === "\n" || found === "	" ? found : toSymbol(found);
  });
}
/** Text for one line, in which nothing acts and nothing breaks the line. */
function toVisibleLine(text) {
  return text.replace(HIDDEN, (found) => (found === "\r\n" ? "␍␊" : toSymbol(found)));
}
function toSymbol(character) {
  const code = character.charCodeAt(0);
  if (code < 32) return String.fromCharCode(9216 + code);
  if (code === 127) return "␡";
  if (code >= 55296 && code <= 57343) return "�";
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}
const ambiguousRanges = [
  161, 161, 164, 164, 167, 168, 170, 170, 173, 174, 176, 180, 182, 186, 188, 191, 198, 198, 208,
  208, 215, 216, 222, 225, 230, 230, 232, 234, 236, 237, 240, 240, 242, 243, 247, 250, 252, 252,
  254, 254, 257, 257, 273, 273, 275, 275, 283, 283, 294, 295, 299, 299, 305, 307, 312, 312, 319,
  322, 324, 324, 328, 331, 333, 333, 338, 339, 358, 359, 363, 363, 462, 462, 464, 464, 466, 466,
  468, 468, 470, 470, 472, 472, 474, 474, 476, 476, 593, 593, 609, 609, 708, 708, 711, 711, 713,
  715, 717, 717, 720, 720, 728, 731, 733, 733, 735, 735, 768, 879, 913, 929, 931, 937, 945, 961,
  963, 969, 1025, 1025, 1040, 1103, 1105, 1105, 8208, 8208, 8211, 8214, 8216, 8217, 8220, 8221,
  8224, 8226, 8228, 8231, 8240, 8240, 8242, 8243, 8245, 8245, 8251, 8251, 8254, 8254, 8308, 8308,
  8319, 8319, 8321, 8324, 8364, 8364, 8451, 8451, 8453, 8453, 8457, 8457, 8467, 8467, 8470, 8470,
  8481, 8482, 8486, 8486, 8491, 8491, 8531, 8532, 8539, 8542, 8544, 8555, 8560, 8569, 8585, 8585,
  8592, 8601, 8632, 8633, 8658, 8658, 8660, 8660, 8679, 8679, 8704, 8704, 8706, 8707, 8711, 8712,
  8715, 8715, 8719, 8719, 8721, 8721, 8725, 8725, 8730, 8730, 8733, 8736, 8739, 8739, 8741, 8741,
  8743, 8748, 8750, 8750, 8756, 8759, 8764, 8765, 8776, 8776, 8780, 8780, 8786, 8786, 8800, 8801,
  8804, 8807, 8810, 8811, 8814, 8815, 8834, 8835, 8838, 8839, 8853, 8853, 8857, 8857, 8869, 8869,
  8895, 8895, 8978, 8978, 9312, 9449, 9451, 9547, 9552, 9587, 9600, 9615, 9618, 9621, 9632, 9633,
  9635, 9641, 9650, 9651, 9654, 9655, 9660, 9661, 9664, 9665, 9670, 9672, 9675, 9675, 9678, 9681,
  9698, 9701, 9711, 9711, 9733, 9734, 9737, 9737, 9742, 9743, 9756, 9756, 9758, 9758, 9792, 9792,
  9794, 9794, 9824, 9825, 9827, 9829, 9831, 9834, 9836, 9837, 9839, 9839, 9886, 9887, 9919, 9919,
  9926, 9933, 9935, 9939, 9941, 9953, 9955, 9955, 9960, 9961, 9963, 9969, 9972, 9972, 9974, 9977,
  9979, 9980, 9982, 9983, 10045, 10045, 10102, 10111, 11094, 11097, 12872, 12879, 57344, 63743,
  65024, 65039, 65533, 65533, 127232, 127242, 127248, 127277, 127280, 127337, 127344, 127373,
  127375, 127376, 127387, 127404, 917760, 917999, 983040, 1048573, 1048576, 1114109,
];
const fullwidthRanges = [12288, 12288, 65281, 65376, 65504, 65510];
const wideRanges = [
  4352, 4447, 8986, 8987, 9001, 9002, 9193, 9196, 9200, 9200, 9203, 9203, 9725, 9726, 9748, 9749,
  9776, 9783, 9800, 9811, 9855, 9855, 9866, 9871, 9875, 9875, 9889, 9889, 9898, 9899, 9917, 9918,
  9924, 9925, 9934, 9934, 9940, 9940, 9962, 9962, 9970, 9971, 9973, 9973, 9978, 9978, 9981, 9981,
  9989, 9989, 9994, 9995, 10024, 10024, 10060, 10060, 10062, 10062, 10067, 10069, 10071, 10071,
  10133, 10135, 10160, 10160, 10175, 10175, 11035, 11036, 11088, 11088, 11093, 11093, 11904, 11929,
  11931, 12019, 12032, 12245, 12272, 12287, 12289, 12350, 12353, 12438, 12441, 12543, 12549, 12591,
  12593, 12686, 12688, 12773, 12783, 12830, 12832, 12871, 12880, 42124, 42128, 42182, 43360, 43388,
  44032, 55203, 63744, 64255, 65040, 65049, 65072, 65106, 65108, 65126, 65128, 65131, 94176, 94180,
  94192, 94198, 94208, 101594, 101631, 101664, 101760, 101874, 101888, 102801, 102816, 102866,
  110576, 110579, 110581, 110587, 110589, 110590, 110592, 110888, 110898, 110898, 110928, 110930,
  110933, 110933, 110948, 110952, 110960, 111355, 119552, 119638, 119648, 119670, 126980, 126980,
  127183, 127183, 127374, 127374, 127377, 127386, 127406, 127406, 127488, 127490, 127504, 127547,
  127552, 127560, 127568, 127569, 127584, 127589, 127744, 127776, 127789, 127797, 127799, 127868,
  127870, 127891, 127904, 127946, 127951, 127955, 127968, 127984, 127988, 127988, 127992, 128062,
  128064, 128064, 128066, 128252, 128255, 128317, 128331, 128334, 128336, 128359, 128378, 128378,
  128405, 128406, 128420, 128420, 128507, 128591, 128640, 128709, 128716, 128716, 128720, 128722,
  128725, 128729, 128732, 128735, 128747, 128748, 128756, 128764, 128986, 128986, 128992, 129003,
  129008, 129008, 129292, 129338, 129340, 129349, 129351, 129535, 129648, 129660, 129664, 129734,
  129736, 129736, 129740, 129757, 129759, 129771, 129775, 129786, 131072, 196605, 196608, 262141,
];
// node_modules/get-east-asian-width/utilities.js
/**
Binary search on a sorted flat array of [start, end] pairs.

@param {number[]} ranges - Flat array of inclusive [start, end] range pairs, e.g. [0, 5, 10, 20].
@param {number} codePoint - The value to search for.
@returns {boolean} Whether the value falls within any of the ranges.
*/
const isInRange = (ranges, codePoint) => {
  let low = 0;
  let high = Math.floor(ranges.length / 2) - 1;
  while (low <= high) {
    const mid = Math.floor((low + high) / 2);
    const i = mid * 2;
    if (codePoint < ranges[i]) high = mid - 1;
    else if (codePoint > ranges[i + 1]) low = mid + 1;
    else return true;
  }
  return false;
};
// node_modules/get-east-asian-width/lookup.js
const commonCjkCodePoint = 19968;
const [wideFastPathStart, wideFastPathEnd] = /* #__PURE__ */ findWideFastPathRange(wideRanges);
function findWideFastPathRange(ranges) {
  let fastPathStart = ranges[0];
  let fastPathEnd = ranges[1];
  for (let index = 0; index < ranges.length; index += 2) {
    const start = ranges[index];
    const end = ranges[index + 1];
    if (commonCjkCodePoint >= start && commonCjkCodePoint <= end) return [start, end];
    if (end - start > fastPathEnd - fastPathStart) {
      fastPathStart = start;
      fastPathEnd = end;
    }
  }
  return [fastPathStart, fastPathEnd];
}
const isAmbiguous = (codePoint) => {
  if (codePoint < 161 || codePoint > 1114109) return false;
  return isInRange(ambiguousRanges, codePoint);
};
const isFullwidth = (codePoint) => {
  if (codePoint < 12288 || codePoint > 65510) return false;
  return isInRange(fullwidthRanges, codePoint);
};
const isWide = (codePoint) => {
  if (codePoint >= wideFastPathStart && codePoint <= wideFastPathEnd) return true;
  if (codePoint < 4352 || codePoint > 262141) return false;
  return isInRange(wideRanges, codePoint);
};
// node_modules/get-east-asian-width/index.js
function validate(codePoint) {
  if (!Number.isSafeInteger(codePoint))
    throw new TypeError(`Expected a code point, got \`${typeof codePoint}\`.`);
}
function eastAsianWidth(codePoint, { ambiguousAsWide = false } = {}) {
  validate(codePoint);
  if (isFullwidth(codePoint) || isWide(codePoint) || (ambiguousAsWide && isAmbiguous(codePoint)))
    return 2;
  return 1;
}
// lib/display/width.ts
const NARROW = /^[\x20-\x7e\u00a1-\u02ff\u2010-\u2027\u2190-\u21ff\u2400-\u257f]*$/;
let segmenter;
let invisible;
let emoji;
/** How many columns a terminal gives to a text without control characters. */
function textWidth(text) {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}
/** The text, cut to at most so many columns; what is cut is replaced by `…`. */
function cutToWidth(text, columns) {
  if (text.length <= columns && NARROW.test(text)) return text;
  const head = text.slice(0, columns * 16 + 64);
  let width = 0;
  let fitting = 0;
  for (const { segment, index } of graphemes(head)) {
    width += graphemeWidth(segment);
    if (width > columns) return `${head.slice(0, fitting)}…`;
    if (width < columns) fitting = index + segment.length;
  }
  return head.length === text.length ? text : `${head.slice(0, fitting)}…`;
}
/** The text with blanks up to so many columns, behind it or before it. */
function padToWidth(text, columns, side) {
  const blanks = " ".repeat(Math.max(0, columns - textWidth(text)));
  return side === "left" ? blanks + text : text + blanks;
}
/** The pieces of a text that a person takes for one character. */
function graphemes(text) {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
/** How many columns one grapheme takes. */
function graphemeWidth(grapheme) {
  if (grapheme.length === 1 && NARROW.test(grapheme)) return 1;
  invisible ??= /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}]*$/u;
  if (invisible.test(grapheme)) return 0;
  emoji ??= /^\p{Emoji_Presentation}|^\p{Emoji}.*[\ufe0f\u20e3\u200d]/su;
  if (emoji.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
// lib/display/caret.ts
const TAB = "    ";
/**
 * Draws where a fault lies: the line with its number, carets under the stretch that is meant, what
 * is wrong, and what to do.
 *
 * @param source The whole source text.
 * @param fault What is wrong and where.
 * @param width Columns of the drawing; a longer line is shown in a window around the stretch.
 */
function drawFault(source, fault, width) {
  const start = clamp(fault.span.start, source.length);
  const from = source.lastIndexOf("\n", start - 1) + 1;
  const newline = source.indexOf("\n", from);
  const line = source.slice(from, newline === -1 ? source.length : newline).replace(/\r$/, "");
  const number = String(fault.line);
  const gutter = " ".repeat(number.length);
  const view = windowOf(
    line,
    start - from,
    clamp(fault.span.end, source.length) - from,
    width - number.length - 4,
  );
  return [
    `${number} │ ${view.text}`.trimEnd(),
    `${gutter} │ ${" ".repeat(view.column)}${"^".repeat(view.carets)}`,
    ...fault.message.split("\n").map((text) => `${gutter} │ ${toVisibleLine(text)}`),
    ...(fault.hint ?? "")
      .split("\n")
      .filter(Boolean)
      .map((text) => `${gutter} = ${toVisibleLine(text)}`),
  ];
}
/** The part of a line around a stretch, in columns of a terminal. */
function windowOf(line, start, end, width) {
  const room = Math.max(20, width);
  const begin = boundary(line, Math.max(0, start - room));
  const lead = show$1(line.slice(begin, Math.min(start, line.length)));
  const span = show$1(line.slice(start, Math.min(Math.max(end, start), line.length, start + room)));
  const rest = show$1(line.slice(Math.max(end, start), Math.max(end, start) + room));
  const before = lastColumns(
    lead,
    span === "" ? room - 12 : Math.max(8, Math.floor(room / 2)),
    begin > 0,
  );
  const column = textWidth(before);
  const marked = firstColumns(span, room - column - 1, end - start > room);
  const carets = Math.max(1, textWidth(marked));
  const after =
    marked !== span || end - start > room
      ? ""
      : firstColumns(rest, room - column - carets, end + room < line.length);
  return {
    text: before + marked + after,
    column,
    carets,
  };
}
function show$1(text) {
  return toVisibleLine(text.replaceAll("	", TAB));
}
function firstColumns(text, columns, more) {
  if (textWidth(text) <= columns && !more) return text;
  let width = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}
function lastColumns(text, columns, more) {
  let left = textWidth(text);
  if (left <= columns && !more) return text;
  let from = 0;
  for (const { segment, index } of graphemes(text)) {
    if (left <= columns - 1) break;
    left -= graphemeWidth(segment);
    from = index + segment.length;
  }
  return `…${text.slice(from)}`;
}
function boundary(text, index) {
  const code = text.charCodeAt(index);
  return code >= 56320 && code <= 57343 ? index + 1 : index;
}
function clamp(offset, length) {
  return Math.min(Math.max(0, offset), length);
}
// lib/display/kinds.ts
/** Whether a value is an object of keys and values: a literal, a parsed one, or a class instance. */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** Whether a value is an object literal or what a JSON parser makes of one, in whatever realm. */
function isPlainObject(value) {
  if (!isRecord(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
/** Whether a value is a JSON number that is kept as its text. */
function isNumberText(value) {
  return (
    isRecord(value) &&
    value["isLosslessNumber"] === true &&
    typeof value.toString === "function" &&
    value.toString !== Object.prototype.toString &&
    !isPlainObject(value)
  );
}
/** What an object is an instance of, across realms: `Map`, `Date`, `Uint8Array`. */
function tagOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}
// lib/display/compact.ts
const DEEPEST$2 = 64;
/**
 * A value as JSON on one line, with the digits of its numbers, cut with `…`. The work is bounded by
 * the length asked for, not by the size of the value; a cycle is written until it is cut.
 */
function compactJson(value, length) {
  const parts = [];
  let written = 0;
  const put = (part) => {
    parts.push(part);
    written += part.length;
  };
  const full = () => written > length;
  const write = (item, depth) => {
    const scalar = toScalar(item, length);
    if (scalar !== void 0) put(scalar);
    else if (depth > DEEPEST$2) put("…");
    else if (Array.isArray(item)) writeList(item, depth);
    else writeObject(item, depth);
  };
  const writeList = (items, depth) => {
    put("[");
    for (let index = 0; index < items.length && !full(); index++) {
      if (index > 0) put(",");
      write(items[index], depth + 1);
    }
    put("]");
  };
  const writeObject = (object, depth) => {
    put("{");
    let first = true;
    for (const key in object) {
      if (full()) break;
      if (!Object.hasOwn(object, key)) continue;
      put(`${first ? "" : ","}${quote(key, length)}:`);
      write(Reflect.get(object, key), depth + 1);
      first = false;
    }
    put("}");
  };
  write(value, 0);
  return cutText(parts.join(""), length);
}
/** The first characters of a text, and `…` where there were more; no pair of surrogates is parted. */
function cutText(text, length) {
  if (text.length <= length) return text;
  let end = Math.max(0, length - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 55296 && last <= 56319) end--;
  return `${text.slice(0, end)}…`;
}
function toScalar(value, length) {
  switch (typeof value) {
    case "string":
      return quote(value, length);
    case "object":
      if (value === null) return "null";
      if (isNumberText(value)) return value.toString();
      if (value instanceof Date) return quote(dateText(value), length);
      return;
    case "function":
      return value.name === "" ? "function" : `function ${value.name}`;
    default:
      return String(value);
  }
}
/** A date in ISO 8601, or the words for one that is none. */
function dateText(date) {
  return Number.isNaN(date.getTime()) ? "Invalid Date" : date.toISOString();
}
function quote(text, length) {
  return text.length > length
    ? JSON.stringify(text.slice(0, length)).slice(0, -1)
    : JSON.stringify(text);
}
// lib/display/limits.ts
/**
 * What is shown unless told otherwise: what fits a screen or two, and less than 256 KB in all forms
 * together.
 *
 * @example
 * ```ts
 * DEFAULT_LIMITS.rows; // 50
 * ```
 */
const DEFAULT_LIMITS = {
  rows: 50,
  columns: 30,
  cell: 80,
  table: 3e4,
  fields: 200,
  depth: 4,
  text: 2e4,
  line: 2e3,
  hex: 256,
  image: 12e4,
  json: 4e4,
  notes: 20,
  bundle: 22e4,
};
/** The same limits, each halved: the way down to a bundle that fits. */
function halve(limits) {
  const half = Object.entries(limits).map(([name, value]) => [name, Math.max(1, value >> 1)]);
  return {
    ...Object.fromEntries(half),
    bundle: limits.bundle,
  };
}
// lib/display/trace.ts
const ROOT = import.meta.url.replace(/(?:lib\/display|dist)\/(?!.*\/dist\/).*$/, "");
const FOREIGN =
  /\bnode:|\bext:|\(native\)|\[native code\]|\((?:unknown|:0)\)|<anonymous>\)?$|\/node_modules\/(?:tslab|ky)\//;
/**
 * The lines of an error's stack that lie in the user's code: no frames of restlab, of its engine or
 * of the runtime.
 *
 * @param error What was thrown.
 * @param isOwn Says of a further line that it is not the user's.
 */
function traceOf(error, isOwn = () => false) {
  const stack = Reflect.get(error, "stack");
  if (typeof stack !== "string") return [];
  const message = String(Reflect.get(error, "message") ?? "");
  const start = message === "" ? 0 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at |@/.test(line) && !isFrameOfOurs(line) && !isOwn(line));
}
function isFrameOfOurs(line) {
  if (FOREIGN.test(line)) return true;
  const path = ROOT.replace(/^file:\/\//, "");
  return ["lib/", "kernel/", "dist/"].some((folder) => line.includes(path + folder));
}
// lib/display/units.ts
const SIZES = ["kB", "MB", "GB", "TB"];
/** A size as a person says it, in decimal units: `512 bytes`, `1.2 kB`. */
function formatBytes(bytes) {
  if (bytes === 1) return "1 byte";
  if (bytes < 1e3) return `${bytes} bytes`;
  let value = bytes / 1e3;
  let unit = 0;
  while (value >= 999.5 && unit < SIZES.length - 1) {
    value /= 1e3;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${SIZES[unit]}`;
}
/** A duration as a person says it: `0.4 ms`, `12 ms`, `3.2 s`, `2 min 5 s`. */
function formatMilliseconds(milliseconds) {
  if (milliseconds < 9.95) return `${Math.round(milliseconds * 10) / 10} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59950) return `${(milliseconds / 1e3).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1e3);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
/** A count with its noun: `1 row`, `1,234 rows`. */
function formatCount(count, noun) {
  return `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}
/** A whole number with commas between its thousands, in whatever locale. */
function groupDigits(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
// lib/display/error.ts
const DEEPEST_CAUSE = 5;
/** Whether a value is an error, one of another realm included. */
function isError(value) {
  return value instanceof Error || tagOf(value) === "Error" || tagOf(value) === "DOMException";
}
/**
 * What is to be seen of an error: name and message, a caret drawing of each fault in its source
 * text, the trace through the user's code, and its causes.
 *
 * @param error What was thrown.
 */
function viewError$3(error, options = {}) {
  return viewOne(error, options, 0);
}
function viewOne(error, options, depth) {
  const limits = options.limits ?? DEFAULT_LIMITS;
  if (!isRecord(error))
    return [
      {
        kind: "error",
        name: "Thrown",
        message: cutText(String(error), limits.line),
      },
    ];
  const name = cutText(text(error["name"], "Error"), limits.cell);
  const message = cutText(text(error["message"], ""), limits.line);
  const faulty = isFaulty(error);
  const blocks = [
    {
      kind: "error",
      name,
      message: faulty ? headOf(error, message) : message,
    },
  ];
  if (faulty) blocks.push(...drawFaults(error, options.width ?? 100, limits));
  const trace = traceOf(error, options.isOwnFrame).slice(0, limits.notes);
  if (trace.length > 0)
    blocks.push({
      kind: "text",
      text: trace.map((line) => `    ${cutText(line, limits.line)}`).join("\n"),
    });
  const cause = error["cause"];
  if (isError(cause) && depth < DEEPEST_CAUSE)
    blocks.push(
      {
        kind: "note",
        level: "info",
        text: "Caused by",
      },
      ...viewOne(cause, options, depth + 1),
    );
  return blocks;
}
/** A message that only strings the faults together is not said twice: each stands in its drawing. */
function headOf({ faults }, message) {
  const [first] = faults;
  if (first === void 0 || !message.includes(first.message)) return message;
  const { line, column } = first;
  return faults.length === 1
    ? `line ${line}, column ${column}`
    : formatCount(faults.length, "fault");
}
function drawFaults({ source, faults }, width, limits) {
  const shown = faults.slice(0, limits.notes);
  const blocks = [
    {
      kind: "text",
      text: cutText(
        shown.map((fault) => drawFault(source, fault, width).join("\n")).join("\n\n"),
        limits.text,
      ),
    },
  ];
  const rest = faults.length - shown.length;
  if (rest > 0)
    blocks.push({
      kind: "note",
      level: "info",
      text: `And ${formatCount(rest, "more fault")}`,
    });
  return blocks;
}
function isFaulty(value) {
  const { source, faults } = value;
  return (
    typeof source === "string" &&
    Array.isArray(faults) &&
    faults.length > 0 &&
    faults.every(isFault)
  );
}
function isFault(value) {
  if (!isRecord(value) || !isRecord(value["span"])) return false;
  return (
    typeof value["message"] === "string" &&
    Number.isInteger(value["line"]) &&
    Number.isInteger(value["span"]["start"]) &&
    Number.isInteger(value["span"]["end"])
  );
}
function text(value, otherwise) {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
// lib/display/bytes.ts
const CHUNK = 32768;
/** Bytes in base64, as data URIs have them. */
function toBase64(bytes) {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
/** Bytes as a hex dump: offset, sixteen bytes, and what of them is printable ASCII. */
function toHexDump(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const row = [...bytes.subarray(start, start + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "."));
    lines.push(`${start.toString(16).padStart(8, "0")}  ${digits.padEnd(47)}  ${letters.join("")}`);
  }
  return lines.join("\n");
}
// lib/display/cell.ts
/** A value as the text of one cell; what it holds is folded to compact JSON. */
function toCell(value, length) {
  switch (typeof value) {
    case "string":
      return {
        text: cutText(value, length),
        numeric: false,
      };
    case "number":
    case "bigint":
      return {
        text: cutText(String(value), length),
        numeric: true,
      };
    case "undefined":
      return {
        text: "",
        numeric: false,
      };
    default:
      if (isNumberText(value))
        return {
          text: cutText(value.toString(), length),
          numeric: true,
        };
      if (value instanceof Date)
        return {
          text: dateText(value),
          numeric: false,
        };
      return {
        text: compactJson(value, length),
        numeric: false,
      };
  }
}
/** Whether a value fits one cell by its nature. */
function isScalar(value) {
  return (
    typeof value !== "object" || value === null || isNumberText(value) || value instanceof Date
  );
}
// lib/display/table.ts
/**
 * An array of objects as a table: its columns are the keys of the rows shown, in the order in which
 * they appear. A key that only rows further down have is not looked for: a million rows are not read.
 */
function viewTable$2(items, limits, budget = { rows: limits.table }) {
  const shown = items.slice(0, limits.rows);
  const keys = /* @__PURE__ */ new Set();
  for (const item of shown) for (const key in item) if (Object.hasOwn(item, key)) keys.add(key);
  const columns = [...keys].slice(0, limits.columns);
  const rows = [];
  for (const item of shown) {
    const row = columns.map((key) => toCell(own(item, key), limits.cell));
    budget.rows -= row.reduce((sum, cell) => sum + cell.text.length + 8, 0);
    if (budget.rows < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return {
    kind: "table",
    columns: columns.map((key) => cutText(key, limits.cell)),
    rows,
    total: items.length,
    totalColumns: keys.size,
  };
}
function own(item, key) {
  return Object.hasOwn(item, key) ? Reflect.get(item, key) : void 0;
}
// lib/display/structure.ts
/**
 * An object or an array, as a person reads it: an array of objects is a table, all else is keys and
 * values, folded out as far as the limits go.
 */
function viewStructure(value, limits) {
  return viewLevel(
    value,
    limits,
    {
      fields: limits.fields,
      rows: limits.table,
    },
    1,
  );
}
function viewLevel(value, limits, budget, level) {
  if (Array.isArray(value))
    return isTabular(value, limits.rows)
      ? viewTable$2(value, limits, budget)
      : viewList(value, limits, budget, level);
  return viewObject(value, limits, budget, level);
}
function viewObject(value, limits, budget, level) {
  const fields = [];
  let total = 0;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    total++;
    if (budget.fields <= 0) continue;
    fields.push(viewField(key, Reflect.get(value, key), limits, budget, level));
  }
  return {
    kind: "fields",
    of: "object",
    fields,
    total,
  };
}
function viewList(items, limits, budget, level) {
  const fields = [];
  for (let index = 0; index < items.length && index < limits.rows && budget.fields > 0; index++)
    fields.push(viewField(String(index), items[index], limits, budget, level));
  return {
    kind: "fields",
    of: "list",
    fields,
    total: items.length,
  };
}
function viewField(key, value, limits, budget, level) {
  budget.fields--;
  const name = cutText(key, limits.cell);
  if (isScalar(value) || level >= limits.depth || isEmpty(value) || isShortList(value))
    return {
      key: name,
      value: toCell(value, longest(value, limits)),
    };
  const nested = viewLevel(value, limits, budget, level + 1);
  return {
    key: name,
    value: {
      text: countOf(nested),
      numeric: false,
    },
    nested,
  };
}
/** A text that stands beside its key has the room that a cell of a table lacks. */
function longest(value, limits) {
  return typeof value === "string" ? limits.cell * 4 : limits.cell;
}
function isTabular(items, rows) {
  return items.length > 0 && items.slice(0, rows).every((item) => isPlainObject(item));
}
function isEmpty(value) {
  if (Array.isArray(value)) return value.length === 0;
  if (!isRecord(value)) return true;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
function isShortList(value) {
  if (!Array.isArray(value) || value.length > 10 || !value.every(isScalar)) return false;
  return value.every((item) => typeof item !== "string" || item.length <= 20);
}
function countOf(block) {
  const noun = block.kind === "table" ? "row" : block.of === "list" ? "item" : "key";
  return formatCount(block.total, noun);
}
// lib/display/text-view.ts
/** A text, cut where it is long, with a note of how much is not shown. */
function viewText$2(text, language, limits) {
  const shown = text.slice(0, limits.text);
  const block =
    language === void 0
      ? {
          kind: "text",
          text: shown,
        }
      : {
          kind: "text",
          text: shown,
          language,
        };
  if (shown.length === text.length) return [block];
  return [
    block,
    {
      kind: "note",
      level: "info",
      text: `${groupDigits(text.length - shown.length)} of ${groupDigits(text.length)} characters are not shown`,
    },
  ];
}
// lib/display/json-view.ts
/** A parsed JSON body: a table, keys and values, or the text of one value. */
function viewJson(value, limits) {
  if (value === void 0)
    return [
      {
        kind: "note",
        level: "info",
        text: "Empty body",
      },
    ];
  if (isScalar(value))
    return viewText$2(
      typeof value === "string" ? value : compactJson(value, limits.text),
      void 0,
      limits,
    );
  if (Array.isArray(value) && value.length === 0)
    return [
      {
        kind: "note",
        level: "info",
        text: "Empty list",
      },
    ];
  const block = viewStructure(value, limits);
  if (block.total === 0)
    return [
      {
        kind: "note",
        level: "info",
        text: "Empty object",
      },
    ];
  return [block];
}
/** A body that says it is JSON and is not: where it breaks, and its text. */
function viewJsonError(text, error, limits) {
  return [
    {
      kind: "note",
      level: "warning",
      text: cutText(error instanceof Error ? error.message : String(error), limits.line),
    },
    ...viewText$2(text, "json", limits),
  ];
}
// lib/display/body.ts
/** Which view a body gets, by its media type; the first that fits counts. */
const VIEWS$4 = [
  [/^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/, viewImage$2],
  [/[/+]json$/, viewJsonBody],
  [/^text\/html$|^application\/xhtml\+xml$/, textIn("html")],
  [/[/+]xml(?:-dtd)?$/, textIn("xml")],
  [/[/+]ya?ml$|^(?:text|application)\/x-yaml$/, textIn("yaml")],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/, textIn("javascript")],
  [/^text\/css$/, textIn("css")],
  [/^text\//, textIn(void 0)],
  [
    /^application\/(?:x-www-form-urlencoded|x-ndjson|jsonl|json-seq|graphql|sql|toml|http|pem-.*)$/,
    textIn(void 0),
  ],
  [/^$/, viewUnnamed],
];
/** The body of an answer, by its media type. */
function viewBody(exchange, limits) {
  if (exchange.bytes.length === 0)
    return [
      {
        kind: "note",
        level: "info",
        text: emptiness(exchange),
      },
    ];
  const blocks = (
    VIEWS$4.find(([mediaType]) => mediaType.test(exchange.mediaType))?.[1] ?? viewBinary
  )(exchange, limits);
  return exchange.cut ? [...blocks, cutNote(exchange)] : blocks;
}
function emptiness(exchange) {
  return exchange.request.method === "HEAD" ? "No body: the answer to HEAD has none" : "Empty body";
}
function cutNote(exchange) {
  return {
    kind: "note",
    level: "warning",
    text: `The body was longer than the cap: only its first ${formatBytes(exchange.bytes.length)} were read`,
  };
}
function viewJsonBody(exchange, limits) {
  let value;
  try {
    value = exchange.json;
  } catch (error) {
    return viewJsonError(exchange.text, error, limits);
  }
  return viewJson(value, limits);
}
function textIn(language) {
  return (exchange, limits) => viewText$2(exchange.text, language, limits);
}
function viewImage$2(exchange, limits) {
  const { mediaType, bytes } = exchange;
  const description = `${mediaType}, ${formatBytes(bytes.length)}`;
  if (bytes.length <= limits.image && !exchange.cut)
    return [
      {
        kind: "image",
        mediaType,
        base64: toBase64(bytes),
        description,
      },
    ];
  const most = formatBytes(limits.image);
  return [
    {
      kind: "note",
      level: "info",
      text: exchange.cut
        ? `An image that did not come whole is not shown: ${description}`
        : `An image of more than ${most} is not shown: ${description}`,
    },
  ];
}
function viewUnnamed(exchange, limits) {
  return exchange.bytes
    .subarray(0, 1024)
    .some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
    ? viewBinary(exchange, limits)
    : viewText$2(exchange.text, void 0, limits);
}
function viewBinary(exchange, limits) {
  const { bytes } = exchange;
  const type = exchange.mediaType === "" ? "unnamed media type" : exchange.mediaType;
  const shown = bytes.subarray(0, limits.hex);
  const more =
    bytes.length > shown.length ? `; its first ${formatBytes(shown.length)} are shown` : "";
  return [
    {
      kind: "note",
      level: "info",
      text: `Binary body: ${type}, ${formatBytes(bytes.length)}${more}`,
    },
    {
      kind: "text",
      text: toHexDump(shown),
    },
  ];
}
// lib/display/exchange.ts
/**
 * What is to be seen of a request and its answer: request line, redirect hops, status with its
 * class, time and size, warnings, headers, and the body by its media type.
 *
 * @param exchange The request and its answer.
 * @param limits How much is shown.
 */
function viewExchange(exchange, limits = DEFAULT_LIMITS) {
  const { request } = exchange;
  const cut = (text) => cutText(text, limits.line);
  return [
    {
      kind: "request",
      method: cut(request.method),
      url: cut(request.url),
    },
    ...viewRedirects(exchange, limits),
    {
      kind: "status",
      status: exchange.status,
      statusText: cut(exchange.statusText),
      statusClass: exchange.statusClass,
      facts: factsOf(exchange),
    },
    ...viewWarnings(exchange.warnings, limits),
    viewHeaders$3("Request headers", request.headers, limits),
    viewHeaders$3("Response headers", [...exchange.headers], limits),
    ...viewBody(exchange, limits),
  ];
}
/** A header list under its heading. */
function viewHeaders$3(title, headers, limits) {
  return {
    kind: "headers",
    title,
    headers: headers
      .slice(0, limits.fields)
      .map(([name, value]) => [cutText(name, limits.cell), cutText(value, limits.cell * 4)]),
    total: headers.length,
  };
}
function factsOf({ timing, sizes }) {
  const total = formatMilliseconds(timing.total);
  const headers = formatMilliseconds(timing.headers);
  const { body, encoded } = sizes.response;
  const size = formatBytes(body);
  return [
    total === headers ? total : `${total} (headers after ${headers})`,
    encoded === void 0 || encoded === body ? size : `${size} (${formatBytes(encoded)} sent)`,
  ];
}
function viewRedirects({ redirects }, limits) {
  const shown = redirects.slice(0, limits.notes).map((hop) => ({
    kind: "redirect",
    status: hop.status,
    statusText: cutText(hop.statusText, limits.cell),
    statusClass: hop.statusClass,
    method: hop.method,
    url: cutText(hop.url, limits.line),
    location: cutText(hop.location, limits.line),
  }));
  return [...shown, ...more(redirects.length - shown.length, "redirect")];
}
function viewWarnings(warnings, limits) {
  const shown = warnings.slice(0, limits.notes).map((text) => ({
    kind: "note",
    level: "warning",
    text: cutText(text, limits.line),
  }));
  return [...shown, ...more(warnings.length - shown.length, "warning")];
}
function more(count, noun) {
  if (count <= 0) return [];
  return [
    {
      kind: "note",
      level: "info",
      text: `And ${formatCount(count, `more ${noun}`)}`,
    },
  ];
}
// lib/display/escape.ts
const ENTITIES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Text as HTML, safe between tags and in a quoted attribute. */
function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
// lib/display/remarks.ts
/** What stands below a table in words: how many rows, and how much of it is not shown. */
function tableRemark(block) {
  const columns = block.totalColumns - block.columns.length;
  return partly(block.rows.length, block.total, "row") + hidden(columns, "column");
}
/** The same below a table whose heading has the count already: nothing where all of it is shown. */
function nestedTableRemark(block) {
  return block.rows.length === block.total && block.columns.length === block.totalColumns
    ? void 0
    : tableRemark(block);
}
/** What stands below keys and values where some are not shown, or nothing. */
function fieldsRemark(block) {
  const { length } = block.fields;
  if (length === block.total) return void 0;
  return partly(length, block.total, block.of === "list" ? "item" : "key");
}
/** The heading of a header list with its count. */
function headersTitle(block) {
  const { length } = block.headers;
  const count = length === block.total ? String(length) : `${length} of ${block.total}`;
  return `${block.title} (${count})`;
}
function partly(shown, total, noun) {
  if (shown === total) return formatCount(total, noun);
  return `${groupDigits(shown)} of ${formatCount(total, noun)} shown`;
}
function hidden(count, noun) {
  return count > 0 ? `, ${formatCount(count, `more ${noun}`)} not shown` : "";
}
// lib/display/html.ts
const VIEWS$3 = {
  request: viewRequest$1,
  redirect: viewRedirect$2,
  status: viewStatus$2,
  headers: viewHeaders$2,
  table: viewTable$1,
  fields: viewFields$2,
  text: viewText$1,
  image: viewImage$1,
  error: viewError$2,
  note: viewNote$1,
};
const CLASS_COLORS = {
  Informational: "#57606a",
  Successful: "#1a7f37",
  Redirection: "#0b6e8f",
  "Client error": "#9a5b00",
  "Server error": "#c02626",
  Unassigned: "#57606a",
};
const TABLE =
  '<table border="1" cellpadding="4" style="border-collapse:collapse;border-color:#8888;color:inherit;margin:4px 0">';
const LEFT = ' style="text-align:left"';
const RIGHT = ' style="text-align:right;font-variant-numeric:tabular-nums"';
const PRE =
  '<pre style="white-space:pre-wrap;overflow-wrap:anywhere;max-height:32em;overflow:auto;color:inherit;background:transparent;margin:4px 0">';
/** Blocks as HTML that needs no script, no style sheet and no request, on a light or a dark page. */
function toHtml(blocks) {
  return `<div class="restlab tex2jax_ignore mathjax_ignore" style="color:inherit;overflow-x:auto">\n${blocks.map((block) => VIEWS$3[block.kind](block)).join("\n")}\n</div>`;
}
function line(text) {
  return escapeHtml(toVisibleLine(text));
}
function viewRequest$1({ method, url }) {
  return `<h4 style="color:inherit;font-weight:normal;overflow-wrap:anywhere;margin:4px 0"><strong>${line(method)}</strong> ${line(url)}</h4>`;
}
function badge(status, statusText, statusClass) {
  return `<strong style="background:${CLASS_COLORS[statusClass] ?? CLASS_COLORS.Unassigned};color:#fff;padding:1px 6px;border-radius:3px">${statusText === "" ? String(status) : `${status} ${line(statusText)}`}</strong> · ${line(statusClass)}`;
}
function viewRedirect$2(block) {
  return `<p style="margin:4px 0;overflow-wrap:anywhere">${badge(block.status, block.statusText, block.statusClass)} · ${line(block.method)} ${line(block.url)} → ${line(block.location)}</p>`;
}
function viewStatus$2(block) {
  const facts = block.facts.map((fact) => ` · ${line(fact)}`).join("");
  return `<p style="margin:4px 0">${badge(block.status, block.statusText, block.statusClass)}${facts}</p>`;
}
function viewHeaders$2(block) {
  const rows = block.headers.map(
    ([name, value]) =>
      `<tr><th scope="row"${LEFT}>${line(name)}</th><td style="text-align:left;overflow-wrap:anywhere">${line(value)}</td></tr>`,
  );
  return `<details style="margin:4px 0"><summary>${line(headersTitle(block))}</summary>\n${TABLE}\n${rows.join("\n")}\n</table>\n</details>`;
}
function viewTable$1(block) {
  return layTable$2(block, tableRemark(block));
}
function layTable$2(block, remark) {
  const numeric = block.columns.map((_, index) => block.rows.some((row) => row[index]?.numeric));
  const head = block.columns.map(
    (column, index) => `<th scope="col"${numeric[index] ? RIGHT : LEFT}>${line(column)}</th>`,
  );
  const rows = block.rows.map((row) => `<tr>${row.map(viewCell).join("")}</tr>`);
  return `${TABLE}\n<thead><tr>${head.join("")}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>${remark === void 0 ? "" : `\n${small(remark)}`}`;
}
function viewCell(cell) {
  return `<td${cell.numeric ? RIGHT : LEFT}>${line(cell.text)}</td>`;
}
function viewFields$2(block) {
  const rows = block.fields.map(({ key, value, nested }) => {
    const content = nested === void 0 ? line(value.text) : nest(nested, value.text);
    return `<tr><th scope="row" style="text-align:left;vertical-align:top">${line(key)}</th><td${LEFT}>${content}</td></tr>`;
  });
  const remark = fieldsRemark(block);
  const below = remark === void 0 ? "" : `\n${small(remark)}`;
  return `${TABLE}\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>${below}`;
}
function nest(block, count) {
  const content =
    block.kind === "table" ? layTable$2(block, nestedTableRemark(block)) : viewFields$2(block);
  return `<details open><summary>${line(count)}</summary>\n${content}\n</details>`;
}
function viewText$1({ text }) {
  return `${PRE}${escapeHtml(toVisibleText(text))}</pre>`;
}
function viewImage$1({ mediaType, base64, description }) {
  return `<img alt="${line(description)}" src="data:${line(mediaType)};base64,${base64}" style="max-width:100%;max-height:480px">\n${small(description)}`;
}
function viewError$2({ name, message }) {
  const text = escapeHtml(toVisibleText(message));
  return `<p role="alert" style="margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;border-left:4px solid #c02626;padding-left:8px"><strong>${line(name)}</strong>: ${text}</p>`;
}
const LEVELS$2 = {
  info: "",
  warning: "Warning: ",
  error: "Error: ",
};
function viewNote$1({ level, text }) {
  if (level === "info") return small(text);
  return `<p role="note" style="margin:4px 0;overflow-wrap:anywhere;border-left:4px solid ${level === "error" ? "#c02626" : "#9a5b00"};padding-left:8px"><strong>${LEVELS$2[level]}</strong>${line(text)}</p>`;
}
function small(text) {
  return `<p style="margin:4px 0"><small>${line(text)}</small></p>`;
}
// lib/display/inspect.ts
const LENGTH = 4e3;
const ITEMS = 100;
const DEEPEST$1 = 3;
/**
 * Says what a value is on one line, much as a console does. It is there for hosts without a console
 * of their own; on Node pass `util.inspect`.
 */
function inspectPlainly(value) {
  return cutText(inspectLevel(value, 0, []), LENGTH);
}
function inspectLevel(value, depth, parents) {
  if (typeof value === "string")
    return depth === 0 ? value : JSON.stringify(cutText(value, LENGTH));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return describeFunction(value);
  if (typeof value !== "object" || value === null)
    return Object.is(value, -0) ? "-0" : String(value);
  if (parents.includes(value)) return "[Circular]";
  if (isNumberText(value)) return value.toString();
  const scalar = inspectBuiltIn(value);
  if (scalar !== void 0) return scalar;
  const name = nameOf(value);
  if (depth >= DEEPEST$1)
    return Array.isArray(value) ? "[Array]" : `[${name === "" ? "Object" : name}]`;
  const inner = (item) => inspectLevel(item, depth + 1, [...parents, value]);
  if (Array.isArray(value)) return around("[", listed(value, value.length, inner), "]");
  if (value instanceof Map) {
    const pairs = listed(value, value.size, ([key, item]) => `${inner(key)} => ${inner(item)}`);
    return `Map(${value.size}) ${around("{", pairs, "}")}`;
  }
  if (value instanceof Set)
    return `Set(${value.size}) ${around("{", listed(value, value.size, inner), "}")}`;
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) {
    const items = value;
    return `${name}(${items.length}) ${around("[", listed(items, items.length, inner), "]")}`;
  }
  const keys = Object.keys(value);
  const fields = listed(keys, keys.length, (key) => {
    return `${/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key)}: ${inner(Reflect.get(value, key))}`;
  });
  return (name === "" ? "" : `${name} `) + around("{", fields, "}");
}
function inspectBuiltIn(value) {
  if (value instanceof Date) return dateText(value);
  if (value instanceof RegExp || value instanceof URL) return String(value);
  if (value instanceof Error) return `[${value.name}: ${value.message}]`;
  return tagOf(value) === "Promise" ? "Promise" : void 0;
}
function describeFunction(value) {
  const name = String(Reflect.get(value, "name") ?? "") || "(anonymous)";
  const source = Function.prototype.toString.call(value);
  return /^class\b/.test(source) ? `[class ${name}]` : `[Function: ${name}]`;
}
function nameOf(value) {
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "Object" ? name : "";
}
function listed(items, total, show) {
  const shown = [];
  for (const item of items) {
    if (shown.length === ITEMS) break;
    shown.push(show(item));
  }
  return total > shown.length ? [...shown, `… ${total - shown.length} more`] : shown;
}
function around(open, items, close) {
  if (items.length === 0) return open + close;
  const blank = open === "{" ? " " : "";
  return `${open}${blank}${items.join(", ")}${blank}${close}`;
}
// lib/display/json.ts
const DEEPEST = 64;
/**
 * A copy of a value that JSON can hold, for `application/json`: big integers and numbers kept as
 * text become strings, so that their digits stay. It is `undefined` where the value is longer than
 * so many characters, too deep, cyclic or no data at all.
 */
function toJson(value, length) {
  let left = length;
  const spend = (characters) => {
    left -= characters + 1;
    if (left < 0) throw TOO_LONG;
  };
  const copy = (item, depth) => {
    if (depth > DEEPEST) throw TOO_LONG;
    if (typeof item === "string") {
      spend(item.length + 2);
      return item;
    }
    if (typeof item === "bigint" || isNumberText(item)) return copy(String(item), depth);
    if (item instanceof Date) return copy(dateText(item), depth);
    if (typeof item === "number" || typeof item === "boolean" || item === null) {
      spend(String(item).length);
      return item;
    }
    if (Array.isArray(item)) {
      spend(item.length + 2);
      return item.map((inner) => copy(inner, depth + 1));
    }
    if (typeof item !== "object") throw TOO_LONG;
    const result = {};
    for (const key in item) {
      if (!Object.hasOwn(item, key)) continue;
      spend(key.length + 3);
      const inner = Reflect.get(item, key);
      if (inner !== void 0) define(result, key, copy(inner, depth + 1));
    }
    return result;
  };
  try {
    return copy(value, 0);
  } catch (error) {
    if (error === TOO_LONG) return void 0;
    throw error;
  }
}
const TOO_LONG = Symbol("too long");
function define(object, key, value) {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
// lib/display/escape-markdown.ts
const PLAIN = /^(?:[A-Za-z0-9 ,.'"()%;?!/+-]|:(?=[ \d])|:$|[^\0-\x7f])*$/;
const LINK = /:\/\/|\bwww\./i;
const LINE_START = /^\s*(?:[-+]|\d+[.)])|^ {4}/;
/**
 * A text inside a line or a cell, in which nothing is markup. Plain words stay as they are, all
 * else becomes code, in which nothing is read: no link, no HTML, no formula.
 */
function escapeMarkdown(text) {
  const shown = toVisibleLine(text);
  return PLAIN.test(shown) && !LINK.test(shown) ? shown : toCode(text);
}
/** The same for a text that begins a line. */
function escapeMarkdownLine(text) {
  return LINE_START.test(text) ? toCode(text) : escapeMarkdown(text);
}
/** A text for one line or one cell as code. */
function toCode(text) {
  const shown = toVisibleLine(text);
  if (shown.trim() === "") return "";
  if (shown.includes("|")) return toEntities(shown);
  const ticks = "`".repeat(longestRun(shown) + 1);
  const pad = ticks.length > 1 || /^ .* $/.test(shown) ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}
/** A text over several lines, between fences that are longer than any in it. */
function fence(text, language) {
  const shown = toVisibleText(text);
  const ticks = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown}${shown.endsWith("\n") ? "" : "\n"}${ticks}`;
}
function toEntities(text) {
  return text.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
function longestRun(text) {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
// lib/display/markdown.ts
const VIEWS$2 = {
  request: viewRequest,
  redirect: viewRedirect$1,
  status: viewStatus$1,
  headers: viewHeaders$1,
  table: viewTable,
  fields: viewFields$1,
  text: viewText,
  image: viewImage,
  error: viewError$1,
  note: viewNote,
};
/** Blocks as Markdown (CommonMark with GitHub's tables) that reads well as text, too. */
function toMarkdown(blocks) {
  return blocks.map((block) => VIEWS$2[block.kind](block)).join("\n\n");
}
function viewRequest({ method, url }) {
  return `**${escapeMarkdown(method)}** ${toCode(url)}`;
}
function viewRedirect$1(block) {
  const from = `${escapeMarkdown(block.method)} ${toCode(block.url)}`;
  return `${statusOf$1(block)} · ${from} → ${toCode(block.location)}`;
}
function viewStatus$1(block) {
  return [statusOf$1(block), ...block.facts.map(escapeMarkdown)].join(" · ");
}
function statusOf$1({ status, statusText, statusClass }) {
  return `**${statusText === "" ? String(status) : `${status} ${escapeMarkdown(statusText)}`}** · ${escapeMarkdown(statusClass)}`;
}
function viewHeaders$1(block) {
  const lines = block.headers.map(
    ([name, value]) => `${toVisibleLine(name)}: ${toVisibleLine(value)}`,
  );
  return `${escapeMarkdown(headersTitle(block))}\n\n${fence(lines.join("\n"), "http")}`;
}
function viewTable(block) {
  return `${layTable$1(block)}\n\n${tableRemark(block)}`;
}
function layTable$1(block) {
  const numeric = block.columns.map((_, index) => block.rows.some((row) => row[index]?.numeric));
  return [
    block.columns.map(escapeMarkdown),
    numeric.map((right) => (right ? "---:" : ":---")),
    ...block.rows.map((row) => row.map((cell) => escapeMarkdown(cell.text))),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
function viewFields$1(block) {
  return listFields(block, "");
}
function listFields(block, indent) {
  const lines = block.fields.map(({ key, value, nested }) => {
    const name = `${indent}- **${escapeMarkdown(key)}**:`;
    if (nested === void 0) return `${name} ${escapeMarkdown(value.text)}`;
    if (nested.kind === "fields") return `${name}\n${listFields(nested, `${indent}  `)}`;
    return `${name}\n\n${indent}  ${viewTable(nested).replaceAll("\n", `\n${indent}  `)}\n`;
  });
  const remark = fieldsRemark(block);
  if (remark !== void 0) lines.push(`${indent}- ${remark}`);
  return lines.join("\n").replace(/[ \t]+$/gm, "");
}
function viewText({ text, language }) {
  return fence(text, language ?? "text");
}
function viewImage({ description }) {
  return `Image: ${escapeMarkdown(description)}`;
}
function viewError$1({ name, message }) {
  return `**${escapeMarkdown(name)}**\n\n${fence(message, "text")}`;
}
const LEVELS$1 = {
  warning: "**Warning:** ",
  error: "**Error:** ",
};
function viewNote({ level, text }) {
  return level === "info" ? escapeMarkdownLine(text) : LEVELS$1[level] + escapeMarkdown(text);
}
// lib/display/paint.ts
/** No dress at all. */
const PLAIN_PAINT = {
  method: same,
  url: same,
  status: same,
  fact: same,
  key: same,
  number: same,
  note: same,
};
function same(text) {
  return text;
}
// lib/display/value.ts
/**
 * A value of a program as blocks, or nothing where its plain text says it all: scalars, functions,
 * promises, what is empty.
 */
function viewValue(value, limits) {
  if (isScalar(value) || typeof value !== "object" || value === null) return [];
  const view = Object.hasOwn(VIEWS$1, tagOf(value)) ? VIEWS$1[tagOf(value)] : void 0;
  if (view !== void 0) return view(value, limits);
  if (ArrayBuffer.isView(value)) return viewBytes(value, limits);
  const block = viewStructure(value, limits);
  return block.total === 0 ? [] : [block];
}
/** Whether a value is a request with its answer, whichever copy of the library made it. */
function isExchange(value) {
  return (
    isRecord(value) &&
    isRecord(value["request"]) &&
    typeof value["request"]["url"] === "string" &&
    Array.isArray(value["request"]["headers"]) &&
    typeof value["status"] === "number" &&
    typeof value["statusClass"] === "string" &&
    ArrayBuffer.isView(value["bytes"]) &&
    isRecord(value["timing"]) &&
    isRecord(value["sizes"]) &&
    Array.isArray(value["redirects"]) &&
    Array.isArray(value["warnings"])
  );
}
const none = () => [];
/** What needs a view of its own, by its tag, which holds across realms. */
const VIEWS$1 = {
  Map: (value, limits) => viewMap(value, limits),
  Set: (value, limits) => viewSet(value, limits),
  Headers: (value, limits) => [viewHeaders$3("Headers", [...value], limits)],
  RegExp: none,
  URL: none,
  Promise: none,
  WeakMap: none,
  WeakSet: none,
  WeakRef: none,
};
function viewMap(map, limits) {
  const object = Object.create(null);
  for (const [key, value] of map) {
    const name = typeof key === "string" ? key : compactJson(key, limits.cell);
    object[name] = value;
  }
  return map.size === 0 ? [] : [viewStructure(object, limits)];
}
function viewSet(set, limits) {
  return set.size === 0 ? [] : [viewStructure([...set], limits)];
}
function viewBytes(view, limits) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return [
    {
      kind: "note",
      level: "info",
      text: formatBytes(bytes.length),
    },
    {
      kind: "text",
      text: toHexDump(bytes.subarray(0, limits.hex)),
    },
  ];
}
// lib/display/rich.ts
/**
 * What is to be seen of a value that has a view of its own in every form, plain text included: a
 * request with its answer, a list of them, an error. It is `undefined` for all other values.
 */
function viewRich(value, options = {}) {
  if (isExchange(value)) return viewExchange(value, options.limits);
  if (isExchangeList(value)) return viewExchanges(value, options);
  return isError(value) ? viewError$3(value, options) : void 0;
}
function isExchangeList(value) {
  return Array.isArray(value) && isExchange(value[0]) && value.every(isExchange);
}
function viewExchanges(exchanges, options) {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const shown = exchanges.slice(0, limits.notes);
  const blocks = shown.flatMap((exchange) => viewExchange(exchange, limits));
  if (shown.length < exchanges.length) {
    const text = `${groupDigits(shown.length)} of ${formatCount(exchanges.length, "answer")} shown`;
    blocks.push({
      kind: "note",
      level: "info",
      text,
    });
  }
  return blocks;
}
// lib/display/show-itself.ts
/** The method by which a value shows itself; an Exchange has one, yet it leads back to this folder. */
function displayMethod(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return;
  const method = Reflect.get(value, DISPLAY);
  return typeof method === "function" && !isExchange(value) ? method.bind(value) : void 0;
}
/** What a value said of itself, where it is a bundle: an object whose keys are media types. */
function toBundle(value) {
  if (!isRecord(value)) return void 0;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.includes("/"))) return void 0;
  const plain = value["text/plain"];
  return {
    ...value,
    "text/plain": typeof plain === "string" ? plain : "",
  };
}
// lib/display/text-table.ts
const NARROWEST = 6;
const GAP = "  ";
/** A table in columns, cut so that each row fits the width. */
function layTable(block, { width, paint, nested }) {
  const count = Math.min(block.columns.length, Math.floor((width + 2) / 8));
  const head = block.columns.slice(0, count).map(toVisibleLine);
  const rows = block.rows.map((row) =>
    row.slice(0, count).map((cell) => ({
      text: toVisibleLine(cell.text),
      numeric: cell.numeric,
    })),
  );
  const widths = shareWidths(
    head.map((column, index) =>
      rows.reduce(
        (most, row) => Math.max(most, textWidth(row[index]?.text ?? "")),
        textWidth(column),
      ),
    ),
    width - 2 * (count - 1),
  );
  const numeric = head.map((_, index) => rows.some((row) => row[index]?.numeric));
  const lay = (text, index, right) => {
    const columns = widths[index] ?? NARROWEST;
    return padToWidth(cutToWidth(text, columns), columns, right ? "left" : "right");
  };
  const shown = {
    ...block,
    columns: block.columns.slice(0, count),
  };
  const remark = nested === true ? nestedTableRemark(shown) : tableRemark(shown);
  return [
    head.map((column, index) => paint.key(lay(column, index, numeric[index] === true))).join(GAP),
    paint.fact(widths.map((columns) => "─".repeat(columns)).join(GAP)),
    ...rows.map((row) =>
      row
        .map((cell, index) => {
          const text = lay(cell.text, index, cell.numeric);
          return cell.numeric ? paint.number(text) : text;
        })
        .join(GAP)
        .trimEnd(),
    ),
    ...(remark === void 0 ? [] : [paint.fact(remark)]),
  ];
}
/** Widths that fit: narrow columns keep theirs, wide ones share what is left. */
function shareWidths(natural, room) {
  const widths = natural.slice();
  const byWidth = natural
    .map((width, index) => ({
      width,
      index,
    }))
    .sort((a, b) => a.width - b.width);
  let left = room;
  byWidth.forEach(({ width, index }, position) => {
    const share = Math.floor(left / (byWidth.length - position));
    widths[index] = Math.min(width, Math.max(share, 1));
    left -= widths[index] ?? 0;
  });
  return widths;
}
// lib/display/text.ts
const VIEWS = {
  request: ({ method, url }, { paint }) => [
    `${paint.method(toVisibleLine(method))} ${paint.url(toVisibleLine(url))}`,
  ],
  redirect: viewRedirect,
  status: viewStatus,
  headers: viewHeaders,
  table: layTable,
  fields: (block, layout) => viewFields(block, layout),
  text: ({ text }) => [toVisibleText(text).replace(/\n$/, "")],
  image: ({ description }, { paint }) => [paint.fact(`[image: ${toVisibleLine(description)}]`)],
  error: viewError,
  note: ({ level, text }, { paint }) => [paint.note(LEVELS[level] + toVisibleLine(text), level)],
};
const LEVELS = {
  info: "",
  warning: "Warning: ",
  error: "Error: ",
};
/** Blocks as plain text in columns, for a console, a diff or a reader without pictures. */
function toText(blocks, options = {}) {
  const layout = {
    width: Math.max(20, options.width ?? 100),
    paint: options.paint ?? PLAIN_PAINT,
    headers: options.headers ?? "listed",
  };
  const lines = [];
  let before;
  for (const block of blocks) {
    if (before !== void 0 && isApart(before, block.kind, layout)) lines.push("");
    const view = VIEWS[block.kind];
    for (const line of view(block, layout)) lines.push(line);
    before = block.kind;
  }
  return lines.join("\n");
}
/** Whether a blank line stands between two blocks. */
function isApart(before, kind, { headers }) {
  if (kind === "headers") return headers === "listed";
  if (before === "headers" || kind === "request") return true;
  return IS_BODY[kind] && before !== "error" && before !== "note";
}
const IS_BODY = {
  request: false,
  redirect: false,
  status: false,
  headers: false,
  table: true,
  fields: true,
  text: true,
  image: true,
  error: false,
  note: false,
};
function statusOf({ status, statusText, statusClass }, paint) {
  const words = statusText === "" ? String(status) : `${status} ${toVisibleLine(statusText)}`;
  return paint.status(`${words} · ${toVisibleLine(statusClass)}`, statusClass);
}
function viewRedirect(block, { paint }) {
  const location = paint.url(toVisibleLine(block.location));
  return [`${statusOf(block, paint)}${paint.fact(" → ")}${location}`];
}
function viewStatus(block, { paint }) {
  const facts = block.facts.map((fact) => ` · ${toVisibleLine(fact)}`).join("");
  return [statusOf(block, paint) + paint.fact(facts)];
}
function viewHeaders(block, { width, paint, headers }) {
  const title = headersTitle(block);
  if (headers === "folded") {
    const names = block.headers.map(([name]) => toVisibleLine(name)).join(", ");
    return [paint.fact(cutToWidth(names === "" ? title : `${title}: ${names}`, width))];
  }
  const lines = block.headers.map(([name, value]) => {
    const shown = cutToWidth(toVisibleLine(name), width - 8);
    return `  ${paint.key(shown)}: ${cutToWidth(toVisibleLine(value), Math.max(8, width - textWidth(shown) - 4))}`;
  });
  return [paint.fact(title), ...lines];
}
function viewFields(block, layout) {
  const { width, paint } = layout;
  const keys = block.fields.map(({ key }) => cutToWidth(toVisibleLine(key), Math.floor(width / 3)));
  const flat = keys.filter((_, index) => block.fields[index]?.nested === void 0);
  const column = Math.min(
    28,
    flat.reduce((widest, key) => Math.max(widest, textWidth(key)), 0),
  );
  const lines = block.fields.flatMap(({ value, nested }, index) => {
    const key = keys[index] ?? "";
    if (nested === void 0) {
      const room = Math.max(8, width - Math.max(column, textWidth(key)) - 2);
      const text = cutToWidth(toVisibleLine(value.text), room);
      const shown = value.numeric ? paint.number(text) : text;
      return [`${paint.key(padToWidth(key, column, "right"))}  ${shown}`.trimEnd()];
    }
    const inner = {
      ...layout,
      width: Math.max(20, width - 2),
    };
    const below =
      nested.kind === "table"
        ? layTable(nested, {
            ...inner,
            nested: true,
          })
        : viewFields(nested, inner);
    return [
      `${paint.key(key)} ${paint.fact(`(${value.text})`)}`,
      ...below.map((line) => `  ${line}`),
    ];
  });
  const remark = fieldsRemark(block);
  return remark === void 0 ? lines : [...lines, paint.fact(remark)];
}
function viewError({ name, message }, { paint }) {
  const head = paint.note(toVisibleLine(name), "error");
  return [message === "" ? head : `${head}: ${toVisibleText(message)}`];
}
// lib/display/render.ts
/**
 * Shows a value in every form that fits it: a request with its answer, a list of them, an error,
 * data, or whatever shows itself by `Symbol.for("Jupyter.display")`. The forms together stay below
 * the limit in bytes, whatever the value is. `undefined` gives an empty text.
 *
 * @param value What is to be shown. Of a promise, and of a value that shows itself later, there is
 *   only what it looks like now; {@link renderBundleAsync} waits.
 * @param options How it is shown.
 * @example
 * ```ts
 * renderBundle("abc")["text/plain"]; // "abc"
 * ```
 */
function renderBundle(value, options = {}) {
  if (value === void 0) return { "text/plain": "" };
  return orItsError(options, () => {
    const shown = displayMethod(value)?.();
    if (shown instanceof Promise) shown.catch(() => void 0);
    return toBundle(shown) ?? renderWithin(value, options);
  });
}
/**
 * Shows a value as {@link renderBundle} does, once it and what it says of itself are there.
 *
 * @param value What is to be shown, or a promise of it; one that fails is shown as its error.
 * @param options How it is shown.
 */
async function renderBundleAsync(value, options = {}) {
  try {
    const settled = await value;
    return toBundle(await displayMethod(settled)?.()) ?? renderBundle(settled, options);
  } catch (error) {
    return renderBundle(toError(error), options);
  }
}
/** A getter or a proxy of a value may throw: then that is what there is to see. */
function orItsError(options, render) {
  try {
    return render();
  } catch (error) {
    return renderWithin(toError(error), options);
  }
}
function toError(thrown) {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
function renderWithin(value, options) {
  let limits = options.limits ?? DEFAULT_LIMITS;
  let bundle = renderOnce(value, {
    ...options,
    limits,
  });
  for (let round = 0; sizeOf(bundle) > limits.bundle && round < 16; round++) {
    limits = halve(limits);
    bundle = renderOnce(value, {
      ...options,
      limits,
    });
  }
  return bundle;
}
function renderOnce(value, options) {
  const rich = viewRich(value, options);
  const blocks = rich ?? viewValue(value, options.limits);
  const plain = rich === void 0 ? inspected(value, options) : layOut(rich, options);
  if (blocks.length === 0) return { "text/plain": plain };
  const json = rich === void 0 ? toJson(value, options.limits.json) : bodyOf(value, options);
  return {
    "text/plain": plain,
    "text/html": toHtml(blocks),
    "text/markdown": toMarkdown(blocks),
    ...(json === void 0 || options.json === false ? {} : { "application/json": json }),
  };
}
function bodyOf(value, { json, limits }) {
  if (json === false || !isExchange(value) || !/[/+]json$/.test(value.mediaType)) return void 0;
  if (value.bytes.length > limits.json * 4) return void 0;
  try {
    return toJson(value.json, limits.json);
  } catch {
    return;
  }
}
function layOut(blocks, { width }) {
  return toText(blocks, width === void 0 ? {} : { width });
}
function inspected(value, { inspect = inspectPlainly, limits }) {
  const text = typeof value === "string" ? value : inspect(value);
  const shown = toVisibleText(cutText(text, limits.text));
  const rest = text.length - limits.text;
  return rest > 0 ? `${shown}\n${formatCount(rest, "more character")}` : shown;
}
/** At least as many bytes as the bundle has in UTF-8, exact where it is long. */
function sizeOf(bundle) {
  let size = 0;
  for (const part of Object.values(bundle)) {
    const text = typeof part === "string" ? part : JSON.stringify(part);
    size += text.length < 1e4 ? text.length * 3 : new TextEncoder().encode(text).length;
  }
  return size;
}
// lib/mod.ts
/**
 * restlab, the library: a client whose requests are plain HTTP text with placeholders, and whose
 * answers show themselves.
 *
 * ```ts
 * import { createClient } from "restlab";
 *
 * const lab = createClient();
 * lab.setVar("user", { id: 7 });
 * lab.render("GET http://localhost/users/{{user.id}}").url; // "http://localhost/users/7"
 * ```
 *
 * @module
 */
var lib_exports = /* @__PURE__ */ __exportAll({
  InvalidHeaderError: () => InvalidHeaderError,
  NoResponseError: () => NoResponseError,
  RequestSyntaxError: () => RequestSyntaxError,
  TemplateSyntaxError: () => TemplateSyntaxError,
  UnresolvedPlaceholderError: () => UnresolvedPlaceholderError,
  UnsendableRequestError: () => UnsendableRequestError,
  client: () => client,
  createClient: () => createClient,
  interpolate: () => interpolate,
  isExchange: () => isExchange,
  jupyterDisplay: () => jupyterDisplay,
  parseRequests: () => parseRequests,
  renderBundle: () => renderBundle,
  renderBundleAsync: () => renderBundleAsync,
  renderJson: () => renderJson,
  startsAsRequest: () => startsAsRequest,
  statusClass: () => statusClass,
  version: () => version,
});
/**
 * Creates a client with variables and a history of its own.
 *
 * @param options Time limits, default headers, what `fetch` to use; see {@link ClientOptions}.
 * @throws {TypeError} An option is not what it should be.
 * @example
 * ```ts
 * const lab = createClient();
 * lab.setVar("name", "Ada");
 * lab.render("GET http://localhost/{{name}}").url; // "http://localhost/Ada"
 * ```
 */
function createClient(options = {}) {
  return createClientWith(options, (exchange) => renderBundle(exchange));
}
/** A client to begin with, shared by everything that imports it. */
const client = createClient();
// kernel/session/guards.ts
/**
 * Keeps what cells leave behind from ending the process: rejections that nobody handles and
 * exceptions in timers are shown by their cell, and `process.exit` is the session's to answer.
 *
 * @returns What takes the guards off again.
 */
function installGuards() {
  const onUncaught = (error) => {
    if (error instanceof CellExit) return;
    const output = currentOutput() ?? latestOutput();
    if (output !== void 0) output.fail(error);
    else rethrow(error);
  };
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  const { exit } = process;
  process.exit = (status) => {
    const output = currentOutput();
    if (output?.exit === void 0) return exit(status);
    const code = Number(status ?? process.exitCode ?? 0);
    output.exit(code);
    throw new CellExit(code);
  };
  /** An error from outside of cells ends the process as if nobody had listened. */
  function rethrow(error) {
    undo();
    setImmediate(() => {
      throw error;
    });
  }
  function undo() {
    process.off("uncaughtException", onUncaught);
    process.off("unhandledRejection", onUncaught);
    process.exit = exit;
  }
  return undo;
}
// kernel/session/output.ts
/** The cell whose code is running here, through timers, promises and callbacks. */
const running = new AsyncLocalStorage();
/** The output of the cell whose code calls this, or nothing outside of cells. */
function currentOutput() {
  return running.getStore();
}
let latest;
/** The cell that code belongs to whose own cell is unknown: the one that was started last. */
function latestOutput() {
  return latest;
}
/** Runs code as that of a cell. */
function runInCell(output, action) {
  latest = output;
  return running.run(output, action);
}
/** Runs code as none of a cell's, though a cell has called it. */
function runOutsideCells(action) {
  return running.run(void 0, action);
}
/** The output of one cell, with a memory of characters that are cut between two writes. */
function createCellOutput(sink, hooks) {
  const decoders = /* @__PURE__ */ new Map();
  const { prepare, exit } = hooks;
  return {
    prepare,
    exit,
    write: (name, chunk, encoding) => {
      send(name, typeof chunk === "string" ? decodeText(chunk, encoding) : decode(name, chunk));
    },
    fail: (error) => send("stderr", `${hooks.describe(error)}\n`),
  };
  function send(name, text) {
    if (text !== "") runOutsideCells(() => sink.stream(name, text));
  }
  function decode(name, bytes) {
    const decoder = decoders.get(name) ?? new StringDecoder("utf8");
    decoders.set(name, decoder);
    return decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}
function decodeText(text, encoding = "utf8") {
  return encoding === "utf8" || encoding === "utf-8"
    ? text
    : Buffer.from(text, encoding).toString("utf8");
}
let captures = 0;
let restore = () => void 0;
/**
 * Sends what cells print to their sinks until the returned function is called; what is printed
 * outside of cells goes where it went before.
 */
function captureOutput() {
  captures += 1;
  if (captures === 1) restore = install();
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    captures -= 1;
    if (captures > 0) return;
    restore();
    latest = void 0;
  };
}
function install() {
  const installed = [
    installConsole(),
    installStream("stdout", process.stdout),
    installStream("stderr", process.stderr),
    installGuards(),
  ];
  return () => {
    for (const undo of installed) undo();
  };
}
function installConsole() {
  const original = globalThis.console;
  const cells = new Console({
    stdout: sinkStream("stdout"),
    stderr: sinkStream("stderr"),
  });
  const inCell = /* @__PURE__ */ new Map();
  globalThis.console = new Proxy(original, {
    get: (target, property) => {
      if (currentOutput() === void 0) return Reflect.get(target, property);
      const known = inCell.get(property);
      if (known !== void 0) return known;
      const method = Reflect.get(cells, property);
      if (typeof method !== "function") return method ?? Reflect.get(target, property);
      const prepared = (...values) => {
        currentOutput()?.prepare(values);
        return Reflect.apply(method, cells, values);
      };
      inCell.set(property, prepared);
      return prepared;
    },
    set: (target, property, value) => {
      inCell.delete(property);
      return Reflect.set(currentOutput() === void 0 ? target : cells, property, value);
    },
  });
  return () => {
    globalThis.console = original;
  };
}
function sinkStream(name) {
  return new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => {
      currentOutput()?.write(name, chunk, encoding);
      done();
    },
  });
}
function installStream(name, stream) {
  const original = stream.write;
  stream.write = function write(chunk, ...rest) {
    const output = currentOutput();
    if (output === void 0) return Reflect.apply(original, this, [chunk, ...rest]);
    const [encoding] = rest.filter((value) => typeof value === "string");
    output.write(name, chunk, encoding);
    const done = rest.find((value) => typeof value === "function");
    if (done !== void 0) queueMicrotask(done);
    return true;
  };
  return () => {
    stream.write = original;
  };
}
// kernel/session/show.ts
/** A value whose bundle is made when it is first asked for. */
function show(value) {
  let bundle;
  return {
    value,
    bundle: () => {
      bundle ??= renderBundle(value, { inspect });
      return bundle;
    },
  };
}
// kernel/session/run-request.ts
/**
 * Sends the requests of a cell one after the other. All answers but the last are shown as they
 * come; the last one is the result.
 */
async function runRequest(client, text, sink, signal) {
  let last;
  const onExchange = (exchange) => {
    if (last !== void 0) sink.display(show(last));
    last = exchange;
  };
  try {
    await client.sendAll(text, {
      signal,
      onExchange,
    });
  } catch (error) {
    if (last !== void 0) sink.display(show(last));
    throw error;
  }
  return last === void 0 ? void 0 : show(last);
}
// kernel/session/trace.ts
const PLACE = /^(.*?)\(?((?:file:\/\/)?[^\s()]+):(\d+):(\d+)\)?$/;
/** Turns what a cell has thrown, an error or not, into what a front end shows. */
function toCellError(thrown, locate) {
  if (!isErrorLike(thrown)) {
    const message = inspect(thrown);
    return {
      name: "Thrown",
      message,
      traceback: [`Thrown: ${message}`],
      cause: thrown,
    };
  }
  mapStack(thrown, locate);
  const text = renderBundle(thrown, { inspect })["text/plain"];
  return {
    name: thrown.name === "" ? "Error" : thrown.name,
    message: thrown.message,
    traceback: text.split("\n"),
    cause: thrown,
  };
}
/**
 * Rewrites the stack of an error, and of what caused it, so that it names the lines that the user
 * wrote. Frames below the user's code are left out. A stack that was rewritten before stays.
 */
function mapStack(error, locate, seen = /* @__PURE__ */ new Set()) {
  if (!isErrorLike(error) || seen.has(error)) return;
  seen.add(error);
  mapStack(error.cause, locate, seen);
  if (error instanceof AggregateError)
    for (const inner of error.errors) mapStack(inner, locate, seen);
  const { stack } = error;
  if (typeof stack !== "string" || mapped.get(error) === stack) return;
  const lines = stack
    .split("\n")
    .filter((line) => /^\s*at .|.@/.test(line))
    .map((frame) => ({
      frame,
      written: mapFrame(frame.trim(), locate),
    }));
  const last = lines.findLastIndex(({ written }) => written !== void 0);
  const kept = lines.slice(0, last + 1).map(({ frame, written }) => written ?? frame.trim());
  const head = error.message === "" ? error.name : `${error.name}: ${error.message}`;
  try {
    error.stack = [head, ...kept.map((line) => `    ${line}`)].join("\n");
    mapped.set(error, error.stack);
  } catch {}
}
const mapped = /* @__PURE__ */ new WeakMap();
function mapFrame(frame, locate) {
  const match = PLACE.exec(frame);
  if (match === null) return void 0;
  const [, before = "", file = "", line, column] = match;
  const place = locate({
    file: file.replace(/^file:\/\//, ""),
    line: Number(line),
    column: Number(column),
  });
  if (place === void 0) return void 0;
  const name = before.replace(/^(at )?/, "").replace(/^(async )?(Proxy|Object)\./, "$1");
  const where = `${place.file}:${place.line}:${place.column}`;
  return name.trim() === "" || name.trim() === "<anonymous>"
    ? `at ${where}`
    : `at ${name.trim()} (${where})`;
}
function isErrorLike(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    (value instanceof Error ||
      (typeof value.message === "string" && typeof value.name === "string"))
  );
}
// kernel/session/session.ts
/** Opens a session. TypeScript is loaded when the first cell, or completion, needs it. */
async function createSession(options) {
  const { platform } = options;
  const client = options.client ?? createOwnClient(options);
  let evaluator;
  let loaded;
  const locate = (frame) => loaded?.locate(frame);
  const release = captureOutput();
  const hooks = {
    exit: options.onExit,
    prepare: (values) => {
      for (const value of values) if (value instanceof Error) mapStack(value, locate);
    },
    describe: (error) => `Uncaught ${toCellError(error, locate).traceback.join("\n")}`,
  };
  let queue = Promise.resolve();
  let generation = 0;
  let count = 0;
  let isClosed = false;
  let interruptRunning;
  async function loadEvaluator() {
    const { createTslabEvaluator } = await import("./tslab-evaluator-Bv2luPqo.js");
    const { findLibraryTypes } = await import("./library-types-CvN7VneZ.js");
    loaded = createTslabEvaluator({
      directory: platform.directory,
      running: /* @__PURE__ */ new Map([
        [
          "restlab",
          {
            ...lib_exports,
            client,
          },
        ],
      ]),
      libraryTypes: options.libraryTypes ?? findLibraryTypes(),
      globals: {
        ...options.globals,
        client,
      },
      globalTypes: options.globalTypes ?? "",
    });
    return loaded;
  }
  function withEvaluator() {
    evaluator ??= loadEvaluator();
    return evaluator;
  }
  async function runCell(code, sink, { signal, name }) {
    const controller = new AbortController();
    const interruptCell = (reason) => {
      controller.abort(reason);
      client.abort(reason);
      loaded?.interrupt(reason);
    };
    const onAbort = () => interruptCell(new InterruptedError());
    signal?.addEventListener("abort", onAbort);
    interruptRunning = interruptCell;
    count += 1;
    try {
      const cell = kindOfCell(code);
      const output = createCellOutput(sink, hooks);
      return await KINDS[cell.kind]({
        cell,
        sink,
        output,
        signal: controller.signal,
        name: name ?? `cell ${count}`,
      });
    } catch (error) {
      return {
        status: "error",
        error: toCellError(controller.signal.aborted ? controller.signal.reason : error, locate),
      };
    } finally {
      signal?.removeEventListener("abort", onAbort);
      interruptRunning = void 0;
    }
  }
  const KINDS = {
    empty: async () => ({ status: "ok" }),
    request: async ({ cell, sink, signal }) => {
      const result = await runRequest(client, cell.text, sink, signal);
      return result === void 0
        ? { status: "ok" }
        : {
            status: "ok",
            result,
          };
    },
    typescript: async ({ cell, output, signal, name }) => {
      const ready = await withEvaluator();
      signal.throwIfAborted();
      const ended = await runInCell(output, () => ready.evaluate(cell.text, name));
      if (ended.status === "error") throw ended.thrown;
      return ended.hasValue
        ? {
            status: "ok",
            result: show(ended.value),
          }
        : { status: "ok" };
    },
  };
  return {
    client,
    execute: (code, sink, given = {}) => {
      const mine = generation;
      const run = queue.then(() =>
        isClosed || mine !== generation || given.signal?.aborted === true
          ? { status: "aborted" }
          : runCell(code, sink, given),
      );
      queue = run;
      return run;
    },
    interrupt: () => {
      generation += 1;
      interruptRunning?.(new InterruptedError());
    },
    complete: async (code, position) => {
      const cell = kindOrNothing(code);
      if (cell?.kind !== "typescript")
        return {
          start: position,
          end: position,
          candidates: [],
        };
      return (await withEvaluator()).complete(cell.text, position);
    },
    inspect: async (code, position) => {
      const cell = kindOrNothing(code);
      if (cell?.kind !== "typescript") return void 0;
      return (await withEvaluator()).inspect(cell.text, position);
    },
    isComplete: async (code) => {
      const cell = kindOrNothing(code);
      if (cell === void 0) return { status: "invalid" };
      if (cell.kind !== "typescript") return { status: "complete" };
      return (await withEvaluator()).isComplete(cell.text);
    },
    warmUp: async () => {
      await withEvaluator();
    },
    reset: async () => {
      loaded?.reset();
      client.clearVars();
      client.clearHistory();
      count = 0;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      interruptRunning?.(new InterruptedError());
      await queue;
      loaded?.close();
      release();
    },
  };
}
function createOwnClient({ platform, timeout }) {
  const { readFile } = platform;
  return createClient({
    ...(timeout === void 0 ? {} : { timeout }),
    ...(readFile === void 0 ? {} : { readFile }),
  });
}
function kindOrNothing(code) {
  try {
    return kindOfCell(code);
  } catch {
    return;
  }
}
// test/session/.scratch/t5.ts
const directory = mkdtempSync("/tmp/far-");
const log = console.log;
const s = await createSession({ platform: { directory } });
let n = 0;
const t0 = performance.now();
await s.warmUp();
log("warm", performance.now() - t0);
async function run(code, wait = 0) {
  const t = performance.now();
  const out = [];
  const o = await s.execute(code, {
    stream: (n, t) => out.push(n[3] + ":" + t),
    display: (x) => out.push("D:" + x.bundle()["text/plain"]),
  });
  if (wait) await new Promise((r) => setTimeout(r, wait));
  log(`--[${++n}] ${JSON.stringify(code).slice(0, 100)} ${(performance.now() - t).toFixed(1)}ms`);
  if (out.length) log("  out", JSON.stringify(out));
  if (o.status === "error")
    log(o.error.name, "|", o.error.message, "|\n" + o.error.traceback.join("\n"));
  else if (o.status === "ok") log("  =", o.result?.bundle()["text/plain"]);
  else log(o.status);
}
await run("1+1");
await run("1+1");
await run("2+1");
await run("typeof Bun !== 'undefined'");
await run("typeof Deno !== 'undefined' && typeof Deno.version.deno");
for (const g of [
  "fetch",
  "URL",
  "Headers",
  "Response",
  "AbortController",
  "Buffer",
  "process",
  "structuredClone",
  "TextEncoder",
  "console",
  "setTimeout",
  "performance",
  "crypto",
  "client",
  "queueMicrotask",
  "Blob",
  "FormData",
  "WebSocket",
  "EventTarget",
  "atob",
])
  await run(`const t_${g}: { nope: 1 } = ${g}`);
await s.close();
