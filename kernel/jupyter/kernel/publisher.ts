import { randomUUID } from "node:crypto";
import type { OutputSink, Shown } from "../../session/mod.ts";
import type { DataContent, ErrorContent, Message, Publications } from "../messages/mod.ts";
import type { Channels } from "../sockets/mod.ts";

/** Publishes the output of one cell, while it runs and after. */
export interface CellPublisher extends OutputSink {
  /** Shows a value that can be replaced by the identifier that is returned. */
  displayWithId(shown: Shown, id?: string): string;
  update(id: string, shown: Shown): void;
  /** Removes the cell's output, at once or when the next output comes. */
  clear(wait: boolean): void;
  input(code: string, count: number): void;
  result(data: DataContent, count: number): void;
  error(content: ErrorContent): void;
}

/** Creates the publisher of a cell; a silent cell publishes nothing. */
export function createPublisher(
  channels: Channels,
  request: Message,
  silent: boolean,
): CellPublisher {
  const publish = <Type extends keyof Publications>(type: Type, content: Publications[Type]) => {
    if (!silent) channels.publish(type, content, request);
  };
  return {
    stream: (name, text) => {
      if (!silent && text !== "") channels.stream(name, text, request);
    },
    display: (shown) => publish("display_data", { ...toData(shown), transient: {} }),
    displayWithId: (shown, id = randomUUID()) => {
      publish("display_data", { ...toData(shown), transient: { display_id: id } });
      return id;
    },
    update: (id, shown) =>
      publish("update_display_data", { ...toData(shown), transient: { display_id: id } }),
    clear: (wait) => publish("clear_output", { wait }),
    input: (code, count) => publish("execute_input", { code, execution_count: count }),
    result: (data, count) =>
      publish("execute_result", { ...data, transient: {}, execution_count: count }),
    error: (content) => publish("error", content),
  };
}

/** Converts a value to the protocol's MIME bundle. */
export function toData(shown: Shown): DataContent {
  return { data: { ...shown.bundle() }, metadata: shown.metadata };
}
