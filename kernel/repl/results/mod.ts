/**
 * How results are written without a prompt: in the form and style of the command line, streams as they arrive, and
 * details of the connection.
 *
 * @module
 */

export { createLiveBody } from "./live-body.ts";
export { bodyStyle, type Pretty } from "./pretty-body.ts";
export { connectionLines } from "./write-connection.ts";
export { describeShowError, type Form, type ResultOutput, WRITE_RESULT } from "./write-result.ts";
