// A provider of logins on a free port of loopback: npm's oidc-provider with its pages for development.
// Usage: node provider.mjs REDIRECT CLIENT_ID CLIENT_SECRET. It prints its issuer.
import { createServer } from "node:http";

import { Provider } from "oidc-provider";

const [redirect, clientId, secret] = process.argv.slice(2);
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: secret, redirect_uris: [redirect] }],
  });
  provider.on("server_error", (_, error) => console.error(error));
  server.on("request", provider.callback());
  console.log(issuer);
});
