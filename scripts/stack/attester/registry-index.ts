import { type Address, createPublicClient, type Hex, http, isAddress, isHex } from "viem";
import { DevelopmentRegistry } from "@/contracts";

/** An attestation as the registry's public index lists it. */
export interface IndexedAttestation {
  id: Hex;
  schemaId: Hex;
  /** Checksummed, as in the real index. */
  recipient: Address;
  attester: Address;
  /** Seconds; 0 for never. */
  time: number;
  expirationTime: number;
  revocationTime: number;
  refUID: Hex;
  revocable: boolean;
  revoked: boolean;
  /** Hash of the attesting transaction. */
  txid: Hex;
  data: Hex;
}

/** Narrows a search. A value that no log can have finds nothing. */
export interface IndexFilter {
  recipient?: string;
  attester?: string;
  schemaId?: string;
}

/**
 * The attestations of one chain. Every query reads the registry's logs and the current state of each attestation, so
 * nothing can go stale.
 */
export class RegistryIndex {
  readonly client;

  constructor(
    rpcUrl: string,
    private readonly registry: Address,
  ) {
    // Batched: a query may need one call per attestation.
    this.client = createPublicClient({ transport: http(rpcUrl, { batch: true }), pollingInterval: 50 });
  }

  /** Returns the attestations that match, oldest first. */
  async find(filter: IndexFilter): Promise<IndexedAttestation[]> {
    const { recipient, attester, schemaId } = filter;
    if (!isUndefinedOr(recipient, isAnyAddress) || !isUndefinedOr(attester, isAnyAddress)) return [];
    if (!isUndefinedOr(schemaId, isWord)) return [];
    const logs = await this.client.getContractEvents({
      address: this.registry,
      abi: DevelopmentRegistry.abi,
      eventName: "Attested",
      args: { recipient, attester, schemaUID: schemaId },
      fromBlock: 0n,
      strict: true,
    });
    return Promise.all(logs.map((log) => this.read(log.args.uid, log.transactionHash)));
  }

  private async read(uid: Hex, txid: Hex): Promise<IndexedAttestation> {
    const attestation = await this.client.readContract({
      address: this.registry,
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

function isUndefinedOr<T extends string>(
  value: string | undefined,
  is: (value: string) => value is T,
): value is T | undefined {
  return value === undefined || is(value);
}

function isWord(value: string): value is Hex {
  return isHex(value, { strict: true }) && value.length === 66;
}

/** Accepts any capitalization: the caller compares it. */
function isAnyAddress(value: string): value is Address {
  return isAddress(value, { strict: false });
}
