// A server that costs as little as possible: prints its port, then answers `/user/…` with one user, `/list/8` with a
// listing of 8 MB, `/token` with another token each time, and all other requests with two users.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const users = [
  { id: 1, name: "Ada", email: "ada@example.com" },
  { id: 2, name: "Grace", email: "grace@example.com" },
];
const [one, all] = [JSON.stringify(users[0]), JSON.stringify(users)];
const server = createServer(({ url }, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(bodyOf(url));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

function bodyOf(url) {
  if (url.startsWith("/user/")) return one;
  if (url.startsWith("/list/")) return listOf(Number(url.slice(6)) * 1e6);
  if (url.startsWith("/token")) return JSON.stringify({ token: randomUUID() });
  return all;
}

function listOf(size) {
  const count = Math.round(size / (one.length + 1));
  return `[${Array.from({ length: count }, () => one).join(",")}]`;
}
