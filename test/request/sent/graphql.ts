import type { SentCase } from "./sent-case.ts";

const graphql = (body: string): string => `GRAPHQL {{server}}/g\n\n${body}`;
const QUERY = "query A($a: Int) { a(x: $a) }";
const SENT = `{"query": "${QUERY}", "operationName": "A"`;
const WITH = (variables: string): string => `${SENT}, "variables": ${variables}}`;

/** Where a query ends and its variables begin, and values in its strings. */
export const GRAPHQL: readonly SentCase[] = [
  ...["\n", "\n\n", "\n\n// note\n", "\n\n# note\n", "\n\n/* a\nb */ ", "\n# {\n", " "].map(
    (gap): SentCase => ({ text: graphql(`${QUERY}${gap}{"a": 1}`), sends: WITH('{"a": 1}') }),
  ),
  { text: graphql(`${QUERY}\n\n{}`), sends: WITH("{}") },
  { text: graphql(`${QUERY}\n\n{{v}}`), values: { v: { a: 1 } }, sends: WITH('{\n  "a": 1\n}') },
  { text: graphql(`${QUERY}\n{"a": {{n}}}`), values: { n: 5 }, sends: WITH('{"a": 5}') },
  { text: graphql(`${QUERY}\n{"a": "{{n}}"}`), values: { n: 'q"' }, sends: WITH('{"a": "q\\""}') },
  { text: graphql(`${QUERY}\n# end`), sends: `${SENT}}` },
  {
    text: graphql('{ a(x: {k: "}"}) @b(c: "{") { d } }\n{"e": 1}'),
    sends: '@b(c: \\"{\\") { d } }", "variables": {"e": 1}}',
  },
  { text: graphql("fragment F on A { b }\n\n{ a { ...F } }"), sends: '{ a { ...F } }"}' },
  {
    text: graphql('query A { a }\nmutation B { b }\n{"c": 1}'),
    sends: 'mutation B { b }", "variables": {"c": 1}}',
  },
  { text: graphql('{{q}}\n\n{"a": 1}'), values: { q: "{ b }" }, sends: '{ b }", "variables"' },
  {
    text: graphql(`${QUERY}\n{"a": 1,,}`),
    says: ['The JSON of the variables is not valid: expected a quoted key, found ","'],
  },
  {
    text: graphql(`${QUERY}\n\n{a: 1}`),
    says: ['The JSON of the variables is not valid: expected a quoted key, found "a"'],
  },
  {
    text: graphql(`${QUERY}\n\n{"a": {{n}}}`),
    values: { n: "x" },
    says: ["in {{n}}, which became x"],
  },
  { text: graphql(`${QUERY}\n\nhello`), says: ['Cannot tell what "hello" below the query is'] },
  { text: graphql(`${QUERY}\n\n[1]`), says: ['Cannot tell what "[1]" below the query is'] },
  {
    text: graphql('{ a(x: "{{s}}") }'),
    values: { s: 'q"\\\n' },
    sends: JSON.stringify('{ a(x: "q\\"\\\\\\n") }'),
  },
  {
    text: graphql('{ a(x: """{{s}}""", y: """ {{s}}.""") }'),
    values: { s: 'q""" "' },
    sends: JSON.stringify('{ a(x: """q\\""" "\n""", y: """ q\\""" ".""") }'),
  },
  {
    text: graphql('{ a # it\'s "quoted\n(x: "{{s}}") }'),
    values: { s: 'q"' },
    sends: JSON.stringify('{ a # it\'s "quoted\n(x: "q\\"") }'),
  },
];
