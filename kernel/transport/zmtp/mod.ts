/**
 * ZMTP 3.0 (RFC 23 of ZeroMQ): greeting, commands, frames and messages, from bytes to data and back.
 */

export { EndpointError, ProtocolError } from "./errors.ts";
export {
  type Command,
  encodeCommand,
  encodeError,
  encodeReady,
  latin1,
  parseCommand,
  parseProperties,
} from "./zmtp-command.ts";
export { createFrameDecoder, type Frame } from "./zmtp-frame.ts";
export { encodeGreeting, GREETING_SIZE, parseGreeting } from "./zmtp-greeting.ts";
export { type EncodedMessage, encodeMessage, totalLength } from "./zmtp-message.ts";
