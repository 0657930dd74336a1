/** What to do where a path chooses among values in a way that is not known. */
export const JSON_PATH: string =
  "JSONPath is supported with names, indexes, slices, *, .. and filters that compare, after a $ as in " +
  "{{login.response.body.$.items[?(@.a==1)].id}}. Select anything else in a TypeScript cell";

/** What to do where an index is negative. */
export const FROM_THE_END: string = "After a $ it counts from the end, as in {{list.$[-1]}}";

/** What to do where a path selects in XML. */
export const XPATH: string =
  "XPath is not supported. Select the value in a TypeScript cell, " +
  'for example client.setVar("id", /<id>(.*?)</.exec(client.responses.login.text)[1])';
