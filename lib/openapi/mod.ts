/**
 * OpenAPI 3.0 and 3.1: reads a description, and compares exchanges with it. It opens no files and no connections.
 */

export {
  createOpenApiChecker,
  type OpenApiChecker,
  type OpenApiFinding,
} from "./check-exchange.ts";
export { type Description, OpenApiError, readDescription } from "./description.ts";
