import { reasonPhrase, respondJson } from "./respond.ts";

/** One fault of a body (`pointer`, RFC 6901) or of a query (`parameter`). */
export type ProblemPart =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string };

interface ProblemOptions {
  readonly errors?: readonly ProblemPart[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the document. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Ends a route with a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(status: number, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.options = options;
  }

  toResponse(): Response {
    const { errors, headers, members } = this.options;
    return respondJson(
      this.status,
      {
        type: "about:blank",
        title: reasonPhrase(this.status),
        status: this.status,
        detail: this.message,
        ...members,
        ...(errors && { errors }),
      },
      { ...headers, "Content-Type": "application/problem+json" },
    );
  }
}
