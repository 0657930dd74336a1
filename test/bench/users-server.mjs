// A server that costs as little as possible: prints its port, then answers `/user/…` with one user and all other
// requests with two.
import { createServer } from "node:http";

const users = [
  { id: 1, name: "Ada", email: "ada@example.com" },
  { id: 2, name: "Grace", email: "grace@example.com" },
];
const [one, all] = [JSON.stringify(users[0]), JSON.stringify(users)];
const server = createServer(({ url }, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(url.startsWith("/user/") ? one : all);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
