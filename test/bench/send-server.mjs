// Answers every request alike, prints its port, and counts connections: GET /connections.
import { createServer } from "node:http";

const body = JSON.stringify([
  { id: 1, name: "Ada", email: "ada@example.com" },
  { id: 2, name: "Grace", email: "grace@example.com" },
]);
let connections = 0;
const server = createServer((request, response) => {
  request.resume();
  response.setHeader("Content-Type", "application/json");
  if (request.url === "/connections") response.end(String(connections));
  else response.end(body);
});
server.keepAliveTimeout = 60_000;
server.on("connection", () => connections++);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
