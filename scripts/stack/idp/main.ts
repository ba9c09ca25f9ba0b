import { z } from "zod";
import { parseJson } from "@/lib/json";
import { createProvider } from "./provider";
import { createIdpServer } from "./server";

/** Entry point of the identity provider's process. The stack passes all settings in the environment. */
const env = z
  .object({
    IDP_PORT: z.coerce.number().int().min(1).max(65_535),
    IDP_ISSUER: z.url(),
    /** A JSON array of private RSA JWKs. */
    IDP_SIGNING_KEYS: z
      .string()
      .transform(parseJson)
      .pipe(z.array(z.looseObject({ kty: z.literal("RSA"), kid: z.string() }))),
    IDP_COOKIE_KEY: z.string().min(32),
    IDP_CLIENT_ORIGINS: z.string().transform((v) => v.split(",").filter(Boolean)),
    IDP_SUGGESTIONS: z
      .string()
      .default("")
      .transform((v) => v.split(",").filter(Boolean)),
  })
  .parse(process.env);

const provider = createProvider({
  issuer: env.IDP_ISSUER,
  signingKeys: env.IDP_SIGNING_KEYS,
  cookieKey: env.IDP_COOKIE_KEY,
  clientOrigins: env.IDP_CLIENT_ORIGINS,
});
provider.on("server_error", (_ctx, error) => console.error(error));

const server = createIdpServer(provider, env.IDP_SUGGESTIONS);
server.listen(env.IDP_PORT, "127.0.0.1", () => console.log(`identity provider listens on ${env.IDP_ISSUER}`));

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
