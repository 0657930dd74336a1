/** A prompt for a value. */
export interface Question {
  /** The variable that gets the answer. */
  readonly name: string;
  /** The question. */
  readonly description: string;
  /** Whether the answer is hidden while it is typed. */
  readonly secret: boolean;
  /** The value of an empty answer. */
  readonly defaultValue?: string;
}

/** Where a client gets values that are not variables. */
export interface ScopeOptions {
  /**
   * Asks a person for a value, for `# @prompt name` and `{{$input …}}`; `undefined` means no answer.
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
   * Makes generated values repeatable: clients with the same seed generate the same values, in order.
   * It does not affect the time; `now` does.
   *
   * @example
   * ```ts
   * const numbers = (seed: string) => createClient({ seed }).render("GET http://x/{{$randomInt}}").url;
   * numbers("a") === numbers("a"); // true
   * ```
   */
  readonly seed?: number | string;
  /**
   * The clock of `{{$timestamp}}` and other dates.
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
   * `{{$faker.person.firstName}}`: `() => import("@faker-js/faker")`. `undefined` means that it cannot be
   * loaded here but may be where the text is sent: `check` then accepts such data.
   */
  readonly loadFaker?: () => Promise<unknown>;
  /**
   * Variables of the program, such as those of TypeScript cells. A placeholder finds one if nothing else has its
   * name; its value is read whenever it is used.
   *
   * @example
   * ```ts
   * const lab = createClient({ cellVariables: new Map([["page", { limit: 3 }]]) });
   * lab.render("GET http://localhost/?limit={{page.limit}}").url; // "http://localhost/?limit=3"
   * lab.origin("page"); // { kind: "typescript", secret: false }
   * ```
   */
  readonly cellVariables?: Pick<ReadonlyMap<string, unknown>, "get" | "has" | "keys">;
  /** Writes a file, for `save`. */
  readonly writeFile?: (path: string, text: string) => Promise<void>;
  /**
   * The folder of environment files, or several, the nearest first: its values take precedence. The working
   * folder by default. Messages name files of the first of several folders without it.
   */
  readonly environmentFolder?: string | readonly string[];
}
