/** What to do where a path chooses among values, as JSONPath does. */
export const JSON_PATH: string =
  "Of JSONPath only names and indexes are known. Choose the value in a TypeScript cell, " +
  'for example client.setVar("id", client.responses.login.json.items.find((it) => it.a === 1).id)';

/** What to do where a path selects in XML. */
export const XPATH: string =
  "XPath is not known. Take the value in a TypeScript cell, " +
  'for example client.setVar("id", /<id>(.*?)</.exec(client.responses.login.text)[1])';
