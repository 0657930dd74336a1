/** A request in flight. */
export interface PendingRequest {
  /** The method. */
  readonly method: string;
  /** The URL as written. */
  readonly url: string;
  /** When sending began. */
  readonly startedAt: Date;
  /** How long its answer is waited for at most, in milliseconds; absent without a limit. */
  readonly timeout?: number;
  /** Bytes of the body received so far, if its progress is observed. */
  readonly received?: number;
  /** Bytes of the whole body, if known. */
  readonly total?: number;
}

/** Describes a request without its query and user name, which may be credentials. */
export function describeRequest({ method, url }: Pick<PendingRequest, "method" | "url">): string {
  return `${method} ${url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//")}`;
}
