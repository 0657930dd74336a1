import type { Generated, GeneratedPlaceholder, Scope } from "../interpolation/mod.ts";

/** The tokens of JetBrains' `{{$auth.token("name")}}`, from `Security.Auth` of an environment file. */
export interface Logins {
  /** Gets the tokens that placeholders need, as far as the settings of their logins are known. */
  prepare(
    placeholders: readonly GeneratedPlaceholder[],
    scope: Scope,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The token, or why there is none. */
  valueOf(argument: string, scope: Scope): Generated;
  /** Like {@link Logins.valueOf}, with a stand-in for a token that can be obtained. */
  check(argument: string, scope: Scope): Generated;
}
