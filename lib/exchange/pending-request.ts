/** A request that is on its way. */
export interface PendingRequest {
  /** Its method. */
  readonly method: string;
  /** Its URL as it was written. */
  readonly url: string;
  /** When it began. */
  readonly startedAt: Date;
  /** Bytes of the body that have come, where somebody watches. */
  readonly received?: number;
  /** Bytes of the body that there will be, where that is known. */
  readonly total?: number;
}
