/** A request in flight. */
export interface PendingRequest {
  /** The method. */
  readonly method: string;
  /** The URL as written. */
  readonly url: string;
  /** When sending began. */
  readonly startedAt: Date;
  /** The timeout in milliseconds; absent if there is none. */
  readonly timeout?: number;
  /** Bytes of the body received so far, if its progress is observed. */
  readonly received?: number;
  /** Bytes of the whole body, if known. */
  readonly total?: number;
  /** Whether it is a WebSocket that has been opened. */
  readonly isOpen?: boolean;
}

/** Whether no part of the response has arrived, as far as the progress is observed. */
export function isWaitedFor({ received = 0, isOpen = false }: PendingRequest): boolean {
  return received === 0 && !isOpen;
}

/** Describes a request without its query and user name, which may be credentials. */
export function describeRequest({ method, url }: Pick<PendingRequest, "method" | "url">): string {
  return `${method} ${url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//")}`;
}
