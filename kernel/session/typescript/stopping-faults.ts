import type { Compiler, Diagnostic } from "../compiler/mod.ts";

/**
 * Whether a fault stops a cell: its syntax, or a name that means nothing. Any other is about types, of which
 * a person who explores an API cannot be expected to write all.
 *
 * @see https://github.com/microsoft/TypeScript/blob/v5.9.3/src/compiler/diagnosticMessages.json
 */
export function stopsCell(compiler: Compiler, { code, messageText }: Diagnostic): boolean {
  if (code === MISSING_PROPERTY) {
    // `fetch` gives JSON as `unknown`: nothing is known of it, so no name can be wrong.
    return !OF_UNKNOWN_TYPE.test(compiler.flattenDiagnosticMessageText(messageText, "\n"));
  }
  return (FIRST_OF_SYNTAX <= code && code < FIRST_OF_TYPES) || NAME_FAULTS.has(code);
}

const MISSING_PROPERTY = 2339;
const OF_UNKNOWN_TYPE = /on type '(?:unknown|object|\{\})'\.$/;

const FIRST_OF_SYNTAX = 1000;
const FIRST_OF_TYPES = 2000;

const NAME_FAULTS: ReadonlySet<number> = new Set([
  // Cannot find name, namespace, global; did you mean.
  ...[2304, 2503, 2552, 2662, 2663, 2833, 18004],
  // Cannot find name: the compiler suggests another library or package.
  ...[2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2867, 2868],
  // A property does not exist; did you mean; another library has it.
  ...[2550, 2551, 2568, 2570, 2576, 2812],
  // A module cannot be found, is not one, or does not export the name.
  ...[2305, 2306, 2307, 2459, 2460, 2497, 2613, 2614, 2616, 2617, 2694, 2724, 2732, 2792],
  // A type is used as a value, a value as a type, a namespace as either.
  ...[2693, 2708, 2709, 2749],
  // A name is declared twice, or used before its declaration.
  ...[2300, 2393, 2440, 2448, 2449, 2450, 2451, 2567],
  // A constant, function, class, enum, namespace or import is assigned to.
  ...[2364, 2357, 2539, 2588, 2628, 2629, 2630, 2631, 2632],
]);
