import type { Generated, GeneratedPlaceholder, Scope } from "../interpolation/mod.ts";

/** The tokens of JetBrains' `{{$auth.token("name")}}`, by `Security.Auth` of an environment file. */
export interface Logins {
  /** Gets the tokens that placeholders ask for, as far as the settings of their logins are there. */
  prepare(
    placeholders: readonly GeneratedPlaceholder[],
    scope: Scope,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The token that was got, or what keeps it from being there. */
  valueOf(argument: string, scope: Scope): Generated;
  /** As {@link Logins.valueOf}, a stand-in being given for a token that can be got. */
  check(argument: string, scope: Scope): Generated;
}
