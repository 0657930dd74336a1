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

/** The hint for a path that several values match. */
export const EACH: string =
  'JetBrains\' client sends the request once for each value: write "# @loop for item of list" above it, and ' +
  "{{item.name}}. After a $, the first match is used, as in {{list.$[*].name}}";

/** The hint for an expression, which is JavaScript in httpYac. */
export const EXPRESSION: string =
  "JavaScript in placeholders, as in httpYac, and expressions of resterm are not run. Set a variable in a TypeScript cell, for example " +
  'client.setVar("id", value.toUpperCase()), or write \\{{ for literal braces';
