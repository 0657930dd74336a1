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
   * Generates the value of a placeholder, for example of `$random` with `.integer(1, 6)`.
   *
   * @throws {UnresolvedPlaceholderError} It has no value.
   */
  generate(name: string, argument: string): string;
  /** The value of a variable for this request, or `undefined`. */
  getVar(name: string): unknown;
  /**
   * Sets a variable for this request only.
   *
   * @throws {TypeError} The value cannot be rendered.
   */
  setVar(name: string, value: unknown): void;
  /**
   * Changes the request that is sent. The values are sent as they are: no placeholder in them is filled.
   *
   * @throws {TypeError} The method or a header is not valid.
   */
  change(changes: RequestChanges): void;
}

/** What a script changes of a request. */
export interface RequestChanges {
  /** The method. */
  readonly method?: string | undefined;
  /** The URL. */
  readonly url?: string | undefined;
  /** The headers by their names, in place of all of the same name; a list is sent as several, `undefined` removes them. */
  readonly headers?: ReadonlyMap<string, string | readonly string[] | undefined> | undefined;
  /** The body. */
  readonly body?: string | undefined;
}

/** A script of a request text that is to be run. */
export interface ScriptRun {
  /** The client whose objects the script uses. */
  readonly dialect: "jetbrains" | "httpyac";
  /** Before the request, after its response, or an expression of `?? js`, whose value is returned. */
  readonly kind: "before" | "after" | "expression";
  /** JavaScript. */
  readonly code: string;
  /** Where the code begins. */
  readonly location: AssertionLocation;
  /** The request; `undefined` for a script that belongs to none. */
  readonly request?: ScriptRequest | undefined;
  /** The response, if there is one. */
  readonly exchange?: Exchange | undefined;
}

/** How a script has ended. */
export interface ScriptEnd {
  /** The tests and assertions of the script, in order. */
  readonly results: readonly AssertionResult[];
  /** The value of an expression. */
  readonly value?: unknown;
  /** Whether the request is not to be sent. */
  readonly isCancelled?: true | undefined;
  /** What the script has thrown outside of its tests. */
  readonly thrown?:
    | { readonly message: string; readonly location?: AssertionLocation | undefined }
    | undefined;
}

/**
 * Runs a script. It rejects only if the code that sends the request was ended, such as by an interrupt:
 * then the request ends as well.
 */
export type RunScript = (run: ScriptRun) => Promise<ScriptEnd>;
