import {
  bodyLength,
  createRowReader,
  describeSaved,
  toVisibleText,
} from "../../lib/display/mod.ts";
import {
  type Client,
  type Exchange,
  isExchange,
  parseRequests,
  type ResponseHead,
  type Secrets,
  type StreamMasker,
} from "../../lib/mod.ts";
import type { OutputStream, Platform } from "../platform/mod.ts";
import type { BodySink, OutputSink, Shown } from "../session/cell/mod.ts";
import { type Cell, isSecretField } from "../session/mod.ts";
import {
  createProgress,
  createTerminalPrinter,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";
import type { ReplOptions } from "./command.ts";
import { connectionLines } from "./connection-lines.ts";
import { masked } from "./requests.ts";
import type { EntryOutput } from "./runner.ts";
import {
  type BodyStyle,
  bodyStyle,
  describeShowError,
  prettyBody,
  type ResultOutput,
  WRITE_RESULT,
} from "./write-result.ts";

/** How many bytes of a body that is written as it arrives are kept for later requests to refer to. */
const MAX_KEPT = 256 * 1024 * 1024;
const PREVIEW = 64 * 1024;

/** The output of a script: results on standard output, errors and progress on standard error. */
export class ScriptOutput implements EntryOutput {
  readonly progress: Progress;
  readonly errors: TerminalPrinter;
  readonly #options: ReplOptions;
  readonly #client: Client;
  readonly #platform: Platform;
  readonly #stdout: OutputStream;
  readonly #result: ResultOutput;
  readonly #live: LiveBody;
  /** Whether a result could not be written whole, or an error was not caught. */
  hasFailed = false;
  /** Whether results are not written any more, since Ctrl-C has ended the script. */
  isInterrupted = false;
  /** Called after an error that no entry has caught. */
  onUncaught: () => void = () => undefined;
  /** The last exchange of the history that `--verbose` has shown. */
  #shown: Exchange | undefined;

  constructor(options: ReplOptions, client: Client, platform: Platform) {
    const { secrets } = client;
    const style = bodyStyle(options.pretty, platform.stdout);
    const color = options.pretty === undefined ? platform.stdout.color : style.color;
    const stdout = { ...withoutBuffering(platform.stdout), color };
    const printer = createTerminalPrinter(stdout, { secrets });
    const { isTerminal } = stdout;
    this.#options = options;
    this.#client = client;
    this.#platform = platform;
    this.#stdout = stdout;
    this.progress = createProgress(platform.stderr);
    this.errors = createTerminalPrinter(platform.stderr, { secrets });
    this.#result = { printer, isTerminal, style, secrets, write: (data) => this.#write(data) };
    this.#live = createLiveBody(
      (text) => {
        this.progress.clear();
        stdout.write(text);
        this.progress.written(text);
      },
      style,
      isTerminal ? secrets : undefined,
    );
  }

  started(): void {
    // Each entry writes on from where the one before it ended.
  }

  sinkFor(cell: Cell, isLast: boolean): OutputSink {
    return {
      stream: (name, piece) => {
        this.progress.clear();
        const stream = this.#platform[name];
        const shown = stream.isTerminal ? this.#result.printer.visible(piece) : piece;
        stream.write(shown, true);
        this.progress.written(piece);
      },
      display: (shown) => this.#writeResult(shown),
      uncaught: (error) => {
        // A loop in a timer was ended at Ctrl-C, which this thread has yet to hear of.
        if (error.name === "InterruptedError") this.isInterrupted = true;
        else this.errors.error(error);
        this.hasFailed = true;
        this.onUncaught();
      },
      bodies: this.#options.form === "body" ? this.#bodySinkFor(cell, isLast) : undefined,
    };
  }

  /** Writes what was held back of a stream, and what `--verbose` shows. */
  ended(): void {
    this.#live.end();
    const { history } = this.#client;
    // The history forgets its first ones: places in it change.
    const from = this.#shown === undefined ? 0 : history.lastIndexOf(this.#shown) + 1;
    for (const exchange of this.#options.verbose ? history.slice(from) : []) {
      const mask = (text: string): string => this.#client.secrets.mask(text);
      for (const line of connectionLines(exchange, mask)) {
        this.errors.line(this.#hide(line));
      }
    }
    this.#shown = history.at(-1);
  }

  async result(shown: Shown | undefined): Promise<boolean> {
    if (shown !== undefined && !this.isInterrupted) this.#writeResult(shown);
    return !this.hasFailed;
  }

  aborted(): void {
    // The exit status says it.
  }

  #writeResult({ value, display = value }: Pick<Shown, "value" | "display">): void {
    const { form } = this.#options;
    this.progress.clear();
    try {
      WRITE_RESULT[form](form === "shown" ? display : value, this.#result);
    } catch (error) {
      this.#fail(describeShowError(error));
      return;
    }
    // The other forms show the warnings of the exchange.
    const isData = form === "body" || form === "json";
    if (isData && isExchange(value) && value.cut && !value.saved) this.#fail(describeCut(value));
  }

  #bodySinkFor({ source }: Cell, isLast: boolean): BodySink {
    const whole = (value: Exchange): void => {
      const { saved } = value;
      if (saved === undefined) this.#writeResult({ value });
      else this.errors.line(describeSaved(saved, value.timing.total));
    };
    const { isTerminal, style } = this.#result;
    if (isTerminal || style.format || style.color) {
      const begins = ({ mediaType }: Pick<ResponseHead, "mediaType">): boolean => {
        const isStream = createRowReader(mediaType) !== undefined;
        if (isStream) this.#live.begin(mediaType);
        return isStream;
      };
      const write = async (bytes: Uint8Array): Promise<void> => this.#live.write(bytes);
      return { keepBytes: MAX_KEPT, begins, write, whole };
    }
    // Only later requests can refer to the body.
    const keepBytes = isLast && isOneRequest(source) ? PREVIEW : MAX_KEPT;
    return { keepBytes, write: this.#stdout.writeBytes, whole };
  }

  #write(data: string | Uint8Array): void {
    if (typeof data === "string") this.#stdout.write(data);
    else void this.#stdout.writeBytes(data);
  }

  #fail(message: string): void {
    this.hasFailed = true;
    this.errors.line(message);
  }

  /** Hides the value of a credential header, even one that is too short to be searched for. */
  #hide(line: string): string {
    const [, head = "", name = "", value = ""] = /^([<>] ([^:\s]+): )(.*)$/s.exec(line) ?? [];
    return isSecretField(name, value, this.#client.secrets) ? `${head}${masked(value)}` : line;
  }
}

/** Text and bytes keep their order only if neither is held back. */
function withoutBuffering(stream: OutputStream): OutputStream {
  return { ...stream, write: (text) => stream.write(text, true) };
}

function isOneRequest(text: string): boolean {
  try {
    return parseRequests(text).length === 1;
  } catch {
    // The fault is reported when the text is run.
    return false;
  }
}

function describeCut(exchange: Exchange): string {
  const reason = exchange.cutReason ?? `It has ${bodyLength(exchange)} bytes`;
  return `The body written is incomplete. ${reason}`;
}

/** Writes the text of a stream while it arrives. */
interface LiveBody {
  /** Begins another body. */
  begin(mediaType: string): void;
  write(bytes: Uint8Array): void;
  /** Writes what was held back. */
  end(): void;
}

/**
 * Creates a writer of streams.
 *
 * @param secrets Masked at a terminal; a pipe gets data unchanged.
 */
function createLiveBody(
  write: (text: string) => void,
  style: BodyStyle,
  secrets: Secrets | undefined,
): LiveBody {
  let decoder = new TextDecoder();
  let masker: StreamMasker | undefined;
  let type = "";
  const emit = (text: string): void => {
    if (text === "") return;
    write(prettyBody(secrets === undefined ? text : toVisibleText(text), type, style));
  };
  const end = (): void => {
    const rest = decoder.decode();
    emit(masker === undefined ? rest : masker.write(rest) + masker.end());
    masker = undefined;
  };
  return {
    begin: (mediaType) => {
      end();
      decoder = new TextDecoder();
      masker = secrets?.openStream();
      type = mediaType;
    },
    write: (bytes) => {
      const text = decoder.decode(bytes, { stream: true });
      // What may begin a secret is not held back: an event has to be seen when it comes.
      emit(masker === undefined ? text : masker.write(text) + masker.release());
    },
    end,
  };
}
