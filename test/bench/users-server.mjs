// A server that costs as little as possible: prints its port, then answers every request alike.
import { createServer } from "node:http";

const body = JSON.stringify([
  { id: 1, name: "Ada", email: "ada@example.com" },
  { id: 2, name: "Grace", email: "grace@example.com" },
]);
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
