const nock = require("nock");
const { createClient } = require("restlab");

const reqheaders = { authorization: "Bearer t-0123456789", "x-a": "1" };
nock("http://api.test", { reqheaders })
  .get("/users")
  .reply(200, [{ id: 1 }]);
createClient()
  .send("GET http://api.test/users\nAuthorization: Bearer t-0123456789\nX-A: 1")
  .then(({ json }) => console.log(JSON.stringify(json)));
