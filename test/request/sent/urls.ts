import type { SentCase } from "./sent-case.ts";

const get = (target: string): string => `GET {{server}}${target}`;

/** URLs of which a part is not sent, or not as it is written. */
export const URLS: readonly SentCase[] = [
  {
    text: get("/s?q={{x}}&n=1"),
    values: { x: "C#" },
    sends: "GET /s?q=C HTTP",
    says: [
      'The value of {{x}} contains "#": "#&n=1" is a fragment of the URL, which is not sent. Write {{%x}} to percent-encode the value',
    ],
  },
  {
    text: get("/orders/{{order.id}}/items"),
    values: { order: { id: "#1001.1" } },
    sends: "GET /orders/ HTTP",
    says: ['The value of {{order.id}} contains "#": "#1001.1/items" is a fragment'],
  },
  { text: get("/s?q={{%x}}&n=1"), values: { x: "C#" }, sends: "GET /s?q=C%23&n=1 HTTP" },
  { text: get("/s?q=C%23&n=1"), sends: "GET /s?q=C%23&n=1 HTTP" },
  { text: get("/page#top"), sends: "GET /page HTTP" },
  { text: get("/page#top{{x}}"), values: { x: "#" }, sends: "GET /page HTTP" },
  {
    text: get("/s?q=C#&n=1"),
    sends: "GET /s?q=C HTTP",
    says: ['"#&n=1" is a fragment of the URL, which is not sent. Write %23 to send a #'],
  },
  {
    text: get("/s#frag?q=1"),
    sends: "GET /s HTTP",
    says: ['"#frag?q=1" is a fragment of the URL'],
  },
  {
    text: get("/s\n  ?q={{x}}\n  &n=1"),
    values: { x: "a#b" },
    sends: "GET /s?q=a HTTP",
    says: ['The value of {{x}} contains "#": "#b&n=1" is a fragment'],
  },
  {
    text: get("/a{{x}}b"),
    values: { x: "\t" },
    sends: "GET /ab HTTP",
    says: ["The URL contains a tab or a line break, which the URL parser removes"],
  },
  {
    text: get("/{{:id}}/{{}}"),
    sends: "GET /%7B%7B:id%7D%7D/%7B%7B%7D%7D HTTP",
    says: ['"{{:id}}" is sent as it is written', '"{{}}" is sent as it is written'],
  },
];
