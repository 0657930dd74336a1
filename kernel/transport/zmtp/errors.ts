/** A peer broke the wire protocol; only its connection ends. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** An endpoint cannot be bound. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  /** The endpoint as it was given, for example `tcp://127.0.0.1:5555`. */
  readonly endpoint: string;
  readonly reason: string;
  /** The system's error code, for example `EADDRINUSE`; empty if the endpoint itself is invalid. */
  readonly code: string;

  constructor(endpoint: string, reason: string, code = "", options?: ErrorOptions) {
    super(`Binding "${endpoint}" failed: ${reason}`, options);
    this.endpoint = endpoint;
    this.reason = reason;
    this.code = code;
  }
}
