import { standInVariables } from "@/lib/settings/development";
import { readSettings } from "@/lib/settings/read";
import { createProvider } from "./provider";
import { createIdpServer } from "./server";

/** Entry point of the identity provider's process. The stack passes all settings in the environment. */
const settings = readSettings(standInVariables.idp, process.env);

const provider = createProvider({
  issuer: settings.IDP_ISSUER,
  signingKeys: settings.IDP_SIGNING_KEYS,
  cookieKey: settings.IDP_COOKIE_KEY,
  clientOrigins: [...settings.IDP_CLIENT_ORIGINS],
});
provider.on("server_error", (_ctx, error) => console.error(error));

const server = createIdpServer(provider, settings.IDP_SUGGESTIONS);
server.listen(settings.IDP_PORT, "127.0.0.1", () =>
  console.log(`identity provider listens on ${settings.IDP_ISSUER}`),
);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
