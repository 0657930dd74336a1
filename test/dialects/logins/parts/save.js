client.global.set("auth_token", response.body.token);
