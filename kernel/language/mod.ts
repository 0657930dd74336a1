/**
 * What front ends and notebooks are told about the language of restlab's cells. It depends on nothing, because a
 * kernel replies with it before it loads anything else.
 */

export {
  KERNEL_LANGUAGE,
  LANGUAGE_INFO,
  NOTEBOOK_METADATA,
  REQUEST_LANGUAGE,
} from "./language-info.ts";
