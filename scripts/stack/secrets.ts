import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import webPush from "web-push";
import { z } from "zod";
import { parseJson } from "@/lib/json";

const secret = z.string().min(32);
const rsaKey = z.looseObject({ kty: z.literal("RSA"), kid: z.string(), n: z.string(), d: z.string() });

/** Secrets of one installation. All are random and permanent: sessions and user IDs must survive a restart. */
const secretsSchema = z.object({
  SESSION_SECRET: secret,
  USER_ID_SECRET: secret,
  IDP_COOKIE_KEY: secret,
  /** The key pair with which browsers subscribe to push messages. */
  VAPID_PUBLIC_KEY: z.string(),
  VAPID_PRIVATE_KEY: z.string(),
  VAPID_SUBJECT: z.string(),
  /** Private RS256 JWKs of the development identity provider. */
  idpSigningKeys: z.array(rsaKey).min(1),
});
export type Secrets = z.infer<typeof secretsSchema>;

/**
 * Reads the secrets file and adds missing secrets. Only the owner can read the file.
 * @throws Error when the file exists but is not valid; it is not overwritten then
 */
export async function loadSecrets(file: string): Promise<Secrets> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = await readFile(file, "utf8").catch(() => null);
  const known = z.record(z.string(), z.unknown()).safeParse(text === null ? {} : parseJson(text));
  if (!known.success) throw new Error(`${file} is not valid JSON. Move it away to create new secrets.`);
  const whole = secretsSchema.safeParse(known.data);
  const parsed = whole.success ? whole : secretsSchema.safeParse({ ...generateSecrets(), ...known.data });
  if (!parsed.success) {
    const fields = parsed.error.issues.map((i) => i.path.join(".")).join(", ");
    throw new Error(`${file} has invalid values (${fields}). Move it away to create new ones.`);
  }
  const complete = JSON.stringify(parsed.data, null, 2);
  if (complete !== text) await writeFile(file, complete, { mode: 0o600 });
  await chmod(file, 0o600);
  return parsed.data;
}

function generateSecrets(): Secrets {
  const random = () => randomBytes(32).toString("hex");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 0x10001 });
  const jwk = {
    ...privateKey.export({ format: "jwk" }),
    kid: randomBytes(8).toString("hex"),
    use: "sig",
    alg: "RS256",
  };
  const vapid = webPush.generateVAPIDKeys();
  return {
    SESSION_SECRET: random(),
    USER_ID_SECRET: random(),
    IDP_COOKIE_KEY: random(),
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: "mailto:operator@parley.example",
    idpSigningKeys: [rsaKey.parse(jwk)],
  };
}
