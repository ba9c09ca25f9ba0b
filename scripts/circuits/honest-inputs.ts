import { generateKeyPairSync } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { build as attestationWitness, toInputMap } from "@/circuits/soundness";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { buildOidcInputs } from "@/lib/proofs/oidc/inputs";
import { claimsOf } from "../stack/idp/accounts";

const ISSUER = "https://issuer.example";
const CLIENT = "honest";

async function oidcInputs() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...(await exportJWK(publicKey)), kty: "RSA", kid: "honest", use: "sig", alg: "RS256" };
  const jwt = await new SignJWT({
    ...claimsOf("somebody.with.a.name@company.example"),
    nonce: "0x".padEnd(64, "5"),
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "honest" })
    .setIssuer(ISSUER)
    .setAudience(CLIENT)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(privateKey);
  const provider = "provider_a";
  const built = await buildOidcInputs({
    jwt,
    jwks: { keys: [key] },
    issuer: { issuer: ISSUER, provider, webClientId: CLIENT, deviceClientId: CLIENT },
    scope: "honest",
    provider,
  });
  return built.inputs;
}

/**
 * Creates inputs that satisfy a circuit, signed with test keys. A proof of them says nothing about anyone.
 * @param build selects the attester contract and chain
 */
export async function honestInputs(
  circuit: CircuitId,
  build: Deployment["mode"],
): Promise<Record<string, unknown>> {
  if (circuit === "oidc_domain_attestation") return { ...(await oidcInputs()) };
  return toInputMap((await attestationWitness(circuit, build)).inputs);
}
