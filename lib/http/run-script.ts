import type { AssertionLocation, AssertionResult } from "../assertions/mod.ts";
import type { Exchange } from "../exchange/mod.ts";

/** A text of a request, before and after its placeholders have values. */
export interface WrittenText {
  /** As it is written. */
  readonly raw: string;
  /** With the values of its placeholders; those without a value stay. */
  render(): string;
}

/** A request as a script sees it. */
export interface ScriptRequest {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: WrittenText;
  /** The headers in order. */
  readonly headers: readonly { readonly name: string; readonly value: WrittenText }[];
  /** The body; an empty text if there is none. */
  readonly body: WrittenText;
  /**
   * Fills the placeholders of a text.
   *
   * @throws {UnresolvedPlaceholderError} A placeholder has no value.
   */
  render(text: string): string;
  /** The value of a variable for this request, or `undefined`. */
  getVar(name: string): unknown;
  /**
   * Sets a variable for this request only.
   *
   * @throws {TypeError} The value cannot be rendered.
   */
  setVar(name: string, value: unknown): void;
}

/** A script of a request text that is to be run. */
export interface ScriptRun {
  /** Before the request, after its response, or an expression of `?? js`, whose value is returned. */
  readonly kind: "before" | "after" | "expression";
  /** JavaScript. */
  readonly code: string;
  /** Where the code begins. */
  readonly location: AssertionLocation;
  /** The request. */
  readonly request: ScriptRequest;
  /** The response, if there is one. */
  readonly exchange?: Exchange;
}

/** How a script has ended. */
export interface ScriptEnd {
  /** The tests and assertions of the script, in order. */
  readonly results: readonly AssertionResult[];
  /** The value of an expression. */
  readonly value?: unknown;
  /** What the script has thrown outside of its tests. */
  readonly thrown?: { readonly message: string; readonly location?: AssertionLocation };
}

/**
 * Runs a script. It rejects only if the code that sends the request was ended, such as by an interrupt:
 * then the request ends as well.
 */
export type RunScript = (run: ScriptRun) => Promise<ScriptEnd>;
