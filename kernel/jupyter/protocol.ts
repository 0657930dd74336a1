/**
 * The contents of the messages, by message type, field names as the protocol spells them.
 *
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html
 */

/** The version of the specification that this kernel implements. */
export const PROTOCOL_VERSION = "5.5";

/** Any JSON object. */
export type Dict = Readonly<Record<string, unknown>>;

/** The header of a message; further fields are kept, since parent headers are copies. */
export interface Header {
  readonly msg_id: string;
  readonly msg_type: string;
  readonly session: string;
  readonly username: string;
  readonly date: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** What went wrong, in replies with status `error` and in `error` messages. */
export interface ErrorContent {
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

/** The reply to a request that failed. */
export type ErrorReply = { readonly status: "error" } & ErrorContent;

/** `execute_request`, with the defaults of the specification filled in. */
export interface ExecuteRequest {
  readonly code: string;
  readonly silent: boolean;
  readonly store_history: boolean;
  readonly user_expressions: Readonly<Record<string, string>>;
  readonly allow_stdin: boolean;
  readonly stop_on_error: boolean;
}

/** The result of a user expression. */
export type UserExpression = ({ readonly status: "ok" } & DataContent) | ErrorReply;

export type ExecuteReply =
  | ({ readonly execution_count: number } & (
      | {
          readonly status: "ok";
          readonly payload: readonly Dict[];
          readonly user_expressions: Readonly<Record<string, UserExpression>>;
        }
      | ErrorReply
    ))
  | { readonly status: "aborted" };

/** A value by media type. */
export interface DataContent {
  readonly data: Dict;
  readonly metadata: Dict;
}

/** `display_data` and `update_display_data`. */
interface DisplayContent extends DataContent {
  readonly transient: { readonly display_id?: string };
}

export interface KernelInfo {
  readonly status: "ok";
  readonly protocol_version: string;
  readonly implementation: string;
  readonly implementation_version: string;
  readonly language_info: {
    readonly name: string;
    readonly version: string;
    readonly mimetype: string;
    readonly file_extension: string;
    readonly pygments_lexer: string;
    readonly codemirror_mode: Dict;
    readonly nbconvert_exporter: string;
  };
  readonly banner: string;
  readonly debugger: boolean;
  readonly help_links: readonly { readonly text: string; readonly url: string }[];
  readonly supported_features: readonly string[];
}

/** An entry of the history: session, line, and the input, or the input with its output. */
export type HistoryItem = readonly [
  session: number,
  line: number,
  input: string | readonly [input: string, output: string | null],
];

/** The messages on iopub, by message type. */
export interface Publications {
  readonly status: { readonly execution_state: "starting" | "busy" | "idle" };
  readonly stream: { readonly name: "stdout" | "stderr"; readonly text: string };
  readonly display_data: DisplayContent;
  readonly update_display_data: DisplayContent;
  readonly execute_input: { readonly code: string; readonly execution_count: number };
  readonly execute_result: DisplayContent & { readonly execution_count: number };
  readonly error: ErrorContent;
  readonly clear_output: { readonly wait: boolean };
  readonly shutdown_reply: { readonly status: "ok"; readonly restart: boolean };
  readonly comm_close: { readonly comm_id: string; readonly data: Dict };
}

/** Replies, by message type. */
export interface Replies {
  readonly complete_reply:
    | {
        readonly status: "ok";
        readonly matches: readonly string[];
        readonly cursor_start: number;
        readonly cursor_end: number;
        readonly metadata: Dict;
      }
    | ErrorReply;
  readonly inspect_reply:
    | ({ readonly status: "ok"; readonly found: boolean } & DataContent)
    | ErrorReply;
  readonly interrupt_reply: { readonly status: "ok" } | ErrorReply;
  readonly shutdown_reply: { readonly status: "ok"; readonly restart: boolean };
}
