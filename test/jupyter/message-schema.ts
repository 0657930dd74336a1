/** A message as a client receives it. */
export interface Received {
  readonly channel: string;
  readonly topic: string;
  readonly header: Fields;
  readonly parent: Fields;
  readonly metadata: Fields;
  readonly content: Fields;
  /** When it arrived, by `performance.now()`. */
  readonly at: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Checks a value and returns its errors, by path. */
type Check = (value: unknown, path: string) => readonly string[];

const is =
  (type: string, test: (value: unknown) => boolean): Check =>
  (value, path) =>
    test(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${type}`];

const text = is("text", (value) => typeof value === "string");
const filled = is("filled text", (value) => typeof value === "string" && value !== "");
const integer = is("an integer from 0", (value) => Number.isInteger(value) && Number(value) >= 0);
const flag = is("true or false", (value) => typeof value === "boolean");
const dict = is(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
const iso = is(
  "an ISO 8601 time with its zone",
  (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
);
const version = is("a version", (value) => /^\d+\.\d+(\.\d+)?$/.test(String(value)));
const one = (...words: readonly string[]): Check =>
  is(`one of ${words.join(", ")}`, (value) => words.includes(value as string));

const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => check(item, `${path}[${index}]`))
      : [`${path} is ${JSON.stringify(value)}, not a list`];

const valuesOf =
  (check: Check): Check =>
  (value, path) =>
    dict(value, path).length > 0
      ? dict(value, path)
      : Object.entries(value as Fields).flatMap(([key, item]) => check(item, `${path}.${key}`));

/** An object with these fields and, unless `open`, no others. A name with `?` is optional. */
const fields =
  (shape: Readonly<Record<string, Check>>, open = false): Check =>
  (value, path) => {
    if (dict(value, path).length > 0) return dict(value, path);
    const object = value as Fields;
    const known = Object.entries(shape).map(([key, check]) => {
      const name = key.replace(/\?$/, "");
      if (object[name] === undefined && key.endsWith("?")) return [];
      return check(object[name], `${path}.${name}`);
    });
    const names = Object.keys(shape).map((key) => key.replace(/\?$/, ""));
    const extra = Object.keys(object).filter((key) => !open && !names.includes(key));
    return [...known.flat(), ...extra.map((key) => `${path}.${key} is not in the specification`)];
  };

const ERROR = { ename: filled, evalue: text, traceback: list(text) };
const failed = { status: one("error"), ...ERROR };
const bundle = (value: unknown, path: string): readonly string[] => [
  ...dict(value, path),
  ...text((value as Fields | undefined)?.["text/plain"], `${path}["text/plain"]`),
  ...Object.keys((value as Fields | undefined) ?? {}).flatMap((type) =>
    /^[\w.+-]+\/[\w.+-]+$/.test(type) ? [] : [`${path} has "${type}", which is no media type`],
  ),
];
const DATA = { data: bundle, metadata: dict };
const transient = fields({ "display_id?": filled });

/** A reply whose shape depends on its status. */
const byStatus =
  (shapes: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    const status = String((value as Fields | undefined)?.["status"]);
    return shapes[status]?.(value, path) ?? [`${path}.status is "${status}"`];
  };
const reply = (shape: Readonly<Record<string, Check>>): Check =>
  byStatus({ ok: fields({ status: one("ok"), ...shape }), error: fields(failed) });

/** The contents by message type. */
const CONTENTS: Readonly<Record<string, Check>> = {
  status: fields({ execution_state: one("starting", "busy", "idle") }),
  stream: fields({ name: one("stdout", "stderr"), text: filled }),
  display_data: fields({ ...DATA, "transient?": transient }),
  update_display_data: fields({ ...DATA, transient: fields({ display_id: filled }) }),
  execute_input: fields({ code: text, execution_count: integer }),
  execute_result: fields({ ...DATA, execution_count: integer, "transient?": transient }),
  error: fields(ERROR),
  clear_output: fields({ wait: flag }),
  iopub_welcome: fields({ subscription: text }),
  comm_close: fields({ comm_id: filled, data: dict }),
  input_request: fields({ prompt: text, password: flag }),
  execute_reply: byStatus({
    ok: fields({
      status: one("ok"),
      execution_count: integer,
      payload: list(fields({ source: filled }, true)),
      user_expressions: valuesOf(
        byStatus({ ok: fields({ status: one("ok"), ...DATA }), error: fields(failed) }),
      ),
    }),
    error: fields({ ...failed, execution_count: integer }),
    aborted: fields({ status: one("aborted") }),
  }),
  kernel_info_reply: reply({
    protocol_version: version,
    implementation: filled,
    implementation_version: version,
    language_info: fields({
      name: filled,
      version,
      mimetype: filled,
      file_extension: is("an extension", (value) => /^\.\w+$/.test(String(value))),
      pygments_lexer: filled,
      codemirror_mode: dict,
      nbconvert_exporter: filled,
    }),
    banner: text,
    debugger: flag,
    help_links: list(fields({ text: filled, url: filled })),
    supported_features: list(filled),
  }),
  complete_reply: reply({
    matches: list(text),
    cursor_start: integer,
    cursor_end: integer,
    metadata: dict,
  }),
  inspect_reply: reply({ found: flag, data: dict, metadata: dict }),
  is_complete_reply: byStatus({
    complete: fields({ status: filled }),
    invalid: fields({ status: filled }),
    unknown: fields({ status: filled }),
    incomplete: fields({ status: filled, indent: text }),
  }),
  history_reply: reply({
    history: list(
      is("a history entry", (value) => {
        const [session, line, input] = value as [unknown, unknown, unknown];
        const [only, output] = Array.isArray(input) ? input : [input, null];
        const isOutput = output === null || typeof output === "string";
        return [session, line].every(Number.isInteger) && typeof only === "string" && isOutput;
      }),
    ),
  }),
  comm_info_reply: reply({ comms: dict }),
  interrupt_reply: reply({}),
  shutdown_reply: reply({ restart: flag }),
};

const HEADER = fields({
  msg_id: filled,
  msg_type: filled,
  session: filled,
  username: text,
  date: iso,
  version,
});
const WITHOUT_PARENT = ["iopub_welcome", "shutdown_reply"];

/** What is wrong with a message, or nothing. */
export function problemsOf({ header, parent, metadata, content }: Received): readonly string[] {
  const type = String(header["msg_type"]);
  const check = CONTENTS[type];
  const isOrphan =
    Object.keys(parent).length === 0 &&
    !WITHOUT_PARENT.includes(type) &&
    content["execution_state"] !== "starting";
  return [
    ...HEADER(header, "header"),
    ...dict(metadata, "metadata"),
    ...(isOrphan ? [`${type} has no parent header`] : []),
    ...(check === undefined ? [`"${type}" is no known type`] : check(content, type)),
  ];
}
