/**
 * What is written of results without a prompt: in the form and style of the command line, while a stream
 * arrives, and of its connection.
 *
 * @module
 */

export { createLiveBody } from "./live-body.ts";
export { bodyStyle, type Pretty } from "./pretty-body.ts";
export { connectionLines } from "./write-connection.ts";
export { describeShowError, type Form, type ResultOutput, WRITE_RESULT } from "./write-result.ts";
