import { type Address, createPublicClient, type Hex, http } from "viem";
import { z } from "zod";
import { DevelopmentRegistry } from "@/contracts";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";

/** An attestation as the registry's public index lists it: checksummed addresses, and times in seconds, 0 for never. */
export type IndexedAttestation = Awaited<ReturnType<RegistryIndex["find"]>>[number];

/** Capitalization does not matter here: the caller compares it. */
const filterSchema = z.object({
  recipient: addressSchema.optional(),
  attester: addressSchema.optional(),
  schemaId: hex32Schema.optional(),
});

/**
 * The attestations of one chain. Every query reads the registry's logs and the current state of each attestation, so
 * nothing can go stale.
 */
export class RegistryIndex {
  readonly client;
  readonly #registry: Address;

  constructor(rpcUrl: string, registry: Address) {
    this.#registry = registry;
    // Batched: a query may need one call per attestation.
    this.client = createPublicClient({ transport: http(rpcUrl, { batch: true }), pollingInterval: 50 });
  }

  /** Returns the attestations that match, oldest first. A value that no log can have finds nothing. */
  async find(wanted: { recipient?: string; attester?: string; schemaId?: string }) {
    const filter = filterSchema.safeParse(wanted);
    if (!filter.success) return [];
    const { recipient, attester, schemaId } = filter.data;
    const logs = await this.client.getContractEvents({
      address: this.#registry,
      abi: DevelopmentRegistry.abi,
      eventName: "Attested",
      args: { recipient, attester, schemaUID: schemaId },
      fromBlock: 0n,
      strict: true,
    });
    return Promise.all(logs.map((log) => this.#read(log.args.uid, log.transactionHash)));
  }

  async #read(uid: Hex, txid: Hex) {
    const attestation = await this.client.readContract({
      address: this.#registry,
      abi: DevelopmentRegistry.abi,
      functionName: "getAttestation",
      args: [uid],
    });
    const { schema, recipient, attester, refUID, revocable, data } = attestation;
    return {
      ...{ id: uid, schemaId: schema, recipient, attester, refUID, revocable, data, txid },
      time: Number(attestation.time),
      expirationTime: Number(attestation.expirationTime),
      revocationTime: Number(attestation.revocationTime),
      revoked: attestation.revocationTime !== 0n,
    };
  }
}
