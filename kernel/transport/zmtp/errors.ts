/** A peer broke the wire protocol; its connection ends and nothing else is disturbed. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** An endpoint cannot be bound; the kernel cannot start on it. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  /** The endpoint as it was asked for, for example `tcp://127.0.0.1:5555`. */
  readonly endpoint: string;
  /** What stands in the way. */
  readonly reason: string;
  /** The system's error code, for example `EADDRINUSE`; empty where the text itself is at fault. */
  readonly code: string;

  constructor(endpoint: string, reason: string, code = "", options?: ErrorOptions) {
    super(`Binding "${endpoint}" failed: ${reason}`, options);
    this.endpoint = endpoint;
    this.reason = reason;
    this.code = code;
  }
}
