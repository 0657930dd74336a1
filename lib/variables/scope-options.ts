/** A value that somebody is asked for. */
export interface Question {
  /** The variable that the answer is for. */
  readonly name: string;
  /** What to ask, in words. */
  readonly description: string;
  /** Whether the answer is to be hidden while it is typed. */
  readonly secret: boolean;
  /** What no answer stands for. */
  readonly defaultValue?: string;
}

/** Where a client gets values from that no variable holds. */
export interface ScopeOptions {
  /**
   * Asks somebody for a value, for `# @prompt name` and `{{$input …}}`; `undefined` is no answer.
   * Without it such values have to be variables.
   *
   * @example
   * ```ts
   * const lab = createClient({ ask: async ({ description }) => `answer to ${description}` });
   * const exchange = await lab.send(`
   * # @prompt who Your name
   * GET http://127.0.0.1:8787/echo?who={{who}}`);
   * exchange.request.writtenUrl; // "http://127.0.0.1:8787/echo?who=answer to Your name"
   * ```
   */
  readonly ask?: (question: Question) => Promise<string | undefined>;
  /**
   * The environment of the process, for `{{$env.NAME}}` and `{{$processEnv NAME}}`.
   *
   * @example
   * ```ts
   * const lab = createClient({ processEnv: { STAGE: "test" } });
   * lab.render("GET http://localhost/{{$env.STAGE}}").url; // "http://localhost/test"
   * ```
   */
  readonly processEnv?: { readonly [name: string]: string | undefined };
  /**
   * Makes generated values repeat: clients with the same seed generate the same ones, in order. The
   * time is no part of it; `now` is.
   *
   * @example
   * ```ts
   * const numbers = (seed: string) => createClient({ seed }).render("GET http://x/{{$randomInt}}").url;
   * numbers("a") === numbers("a"); // true
   * ```
   */
  readonly seed?: number | string;
  /**
   * The clock of `{{$timestamp}}` and its like.
   *
   * @example
   * ```ts
   * const lab = createClient({ now: () => new Date("2024-01-31T12:00:00Z") });
   * lab.render("GET http://x/{{$datetime \"YYYY-MM-DD\" 1 M}}").url; // "http://x/2024-02-29"
   * ```
   */
  readonly now?: () => Date;
  /**
   * Loads `@faker-js/faker` when a text first asks for realistic data, such as
   * `{{$faker.person.firstName}}`: `() => import("@faker-js/faker")`. What gives `undefined` says that it
   * cannot be had here, and may be where a text is sent: `check` takes such data to be there.
   */
  readonly loadFaker?: () => Promise<unknown>;
  /** Writes a file, for `save`. */
  readonly writeFile?: (path: string, text: string) => Promise<void>;
  /** The folder in which environment files are looked for; the working folder when left out. */
  readonly environmentFolder?: string;
}
