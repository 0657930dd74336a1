/** The hint for a path that selects among values in an unsupported way. */
export const JSON_PATH: string =
  "JSONPath is supported with names, indexes, slices, *, .. and filters that compare, after a $ as in " +
  "{{login.response.body.$.items[?(@.a==1)].id}}. Select anything else in a TypeScript cell";

/** The hint for a negative index. */
export const FROM_THE_END: string = "After a $ it counts from the end, as in {{list.$[-1]}}";

/** The hint for a path that selects in XML. */
export const XPATH: string =
  "XPath is not supported. Select the value in a TypeScript cell, " +
  'for example client.setVar("id", /<id>(.*?)</.exec(client.responses.login.text)[1])';
