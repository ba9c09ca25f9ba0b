import { parseTransaction } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { TrustUnavailableError } from "../errors";
import { AttestationWorld } from "../testing/attestation-world";
import { developmentSigners, person, signedAttestation, stranger } from "../testing/attestations";
import { attestedCircuits } from "../trust/attesters";
import { checkAttestation } from "./find";

let world: AttestationWorld;
const check = (rawTransaction: `0x${string}`, recipient = person.address) =>
  checkAttestation({
    deployment: world.deployment,
    circuit: world.circuit,
    rawTransaction,
    recipient,
    fetch: world.fetch,
    now: () => 1_900_000_000_000,
  });

describe.each(attestedCircuits)("checking an attestation of %s before payment", (circuit) => {
  beforeEach(() => {
    world = new AttestationWorld(circuit);
  });
  const refusal = (code: string) => ({ name: "ProofInputError", code, field: "raw_transaction" });

  it("lets the newest standing one pass, asking the server's node", async () => {
    await world.attest();
    const { raw } = await world.attest();
    await world.attest({ recipient: stranger.address });
    await check(raw);
    expect(world.seen.some(({ host }) => host === "rpc.test")).toBe(true);
    expect(world.seen.some(({ host }) => host === "public-rpc.test")).toBe(false);
  });

  it("refuses one that was signed and never sent", async () => {
    const [signer] = developmentSigners(circuit);
    if (!signer) expect.fail("no signer");
    const country = circuit === "partner_country_attestation" ? "FR" : undefined;
    const { attester } = world;
    const raw = await signedAttestation({ attester, signer, recipient: person.address, country });
    await expect(check(raw)).rejects.toMatchObject(refusal("ATTESTATION_NOT_FOUND"));
  });

  it("refuses one that failed on its chain", async () => {
    const { raw } = await world.attest({ reverted: true });
    await expect(check(raw)).rejects.toMatchObject(refusal("ATTESTATION_REVERTED"));
  });

  it("refuses a transaction that attested nothing of this kind to this wallet", async () => {
    for (const odd of [{ times: 0 }, { by: stranger.address }, { schema: `0x${"01".repeat(32)}` as const }]) {
      const { raw } = await world.attest(odd);
      await expect(check(raw)).rejects.toMatchObject(refusal("ATTESTATION_NOT_FOUND"));
    }
    const { raw } = await world.attest({ recipient: stranger.address });
    await expect(check(raw)).rejects.toMatchObject(refusal("WRONG_RECIPIENT"));
  });

  it("does not take another contract's word for the registry's", async () => {
    const { raw } = await world.attest({ registry: stranger.address });
    await expect(check(raw)).rejects.toMatchObject(refusal("ATTESTATION_NOT_FOUND"));
  });

  it("refuses one that was revoked or has run out", async () => {
    const revoked = await world.attest();
    world.revoke(revoked.uids[0] ?? "0x");
    await expect(check(revoked.raw)).rejects.toMatchObject(refusal("ATTESTATION_REVOKED"));
    const old = await world.attest({ expirationTime: 1_899_999_999 });
    await expect(check(old.raw)).rejects.toMatchObject(refusal("ATTESTATION_REVOKED"));
  });

  it("refuses one with a successor, also one of the same second, and one that was revoked since", async () => {
    const first = await world.attest();
    const second = await world.attest({ time: first.time });
    await expect(check(first.raw)).rejects.toMatchObject(refusal("ATTESTATION_SUPERSEDED"));
    await check(second.raw);
    const third = await world.attest();
    world.revoke(third.uids[0] ?? "0x");
    await expect(check(second.raw)).rejects.toMatchObject(refusal("ATTESTATION_SUPERSEDED"));
  });

  it("refuses a superseded one also where the index lists only its successor", async () => {
    const first = await world.attest({ unlisted: true });
    await world.attest();
    await expect(check(first.raw)).rejects.toMatchObject(refusal("ATTESTATION_SUPERSEDED"));
  });

  it("lets one transaction with several attestations pass by its last", async () => {
    const { raw, uids } = await world.attest({ times: 3 });
    await check(raw);
    world.revoke(uids[0] ?? "0x");
    await check(raw);
    world.revoke(uids[2] ?? "0x");
    await expect(check(raw)).rejects.toMatchObject(refusal("ATTESTATION_REVOKED"));
  });

  it("does not decide while the index is behind: it could hide a successor", async () => {
    const { raw } = await world.attest({ unlisted: true });
    await expect(check(raw)).rejects.toBeInstanceOf(TrustUnavailableError);
    await world.attest({ time: 1_700_000_000 });
    await expect(check(raw)).rejects.toBeInstanceOf(TrustUnavailableError);
  });

  it("does not decide while chain or index cannot be asked", async () => {
    const { raw } = await world.attest();
    for (const host of ["rpc.test", "index.test", "explorer.test"]) {
      world.answers.set(host, () => new Response("busy", { status: 503 }));
      const outcome = check(raw);
      const isAsked =
        host === "rpc.test" || world.attester.source === (host === "index.test" ? "graphql" : "explorer");
      if (isAsked) await expect(outcome).rejects.toBeInstanceOf(TrustUnavailableError);
      else await outcome;
      world.answers.delete(host);
    }
  });

  it("refuses what is no transaction of the attester before it asks anybody", async () => {
    const { raw } = await world.attest();
    const { nonce } = parseTransaction(z.templateLiteral(["0x02", z.string()]).parse(raw));
    const foreign = await signedAttestation({
      attester: world.attester,
      signer: stranger,
      recipient: person.address,
      country: circuit === "partner_country_attestation" ? "FR" : undefined,
      over: { nonce },
    });
    await expect(check(foreign)).rejects.toMatchObject(refusal("ATTESTER_NOT_TRUSTED"));
    expect(world.seen).toHaveLength(0);
  });
});
