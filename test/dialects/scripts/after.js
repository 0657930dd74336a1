client.global.set("first", response.body[0].id);
