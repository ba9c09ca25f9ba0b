import { describe, expect, it } from "vitest";
import { seal } from "@/lib/proofs/sealing";
import { createInputOpener, readEncryptionKey } from "./encryption";
import { StartRefusedError } from "./env";
import { newEncryptionKey } from "./testing/encryption-key";

describe("PROVER_ENCRYPTION_KEY", () => {
  it("is the private key alone, or its JWK", async () => {
    const { text, publicKey } = await newEncryptionKey();
    const jwk = { kty: "OKP", crv: "X25519", d: text };
    for (const written of [
      text,
      ` ${text}\n`,
      JSON.stringify(jwk),
      JSON.stringify({ ...jwk, x: publicKey }),
    ]) {
      const key = await readEncryptionKey(written);
      expect(key.publicKey).toBe(publicKey);
      const opener = createInputOpener(key);
      expect(await opener.open("c", { encrypted: await seal(publicKey, "c", { a: 1 }) })).toEqual({ a: 1 });
    }
  });

  it("is refused when it is something else, without being repeated", async () => {
    const { text } = await newEncryptionKey();
    const { publicKey: other } = await newEncryptionKey();
    const jwk = { kty: "OKP", crv: "X25519", d: text };
    for (const wrong of [
      "",
      "secret",
      text.slice(1),
      "{",
      JSON.stringify({ ...jwk, crv: "Ed25519" }),
      JSON.stringify({ ...jwk, x: other }),
    ]) {
      const error = await readEncryptionKey(wrong).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(StartRefusedError);
      expect(String(error)).toContain("PROVER_ENCRYPTION_KEY");
      if (wrong.length > 8) expect(String(error)).not.toContain(wrong.slice(0, 8));
    }
  });
});
