import { type Address, createPublicClient, type Hex, http, isAddress, isHex } from "viem";
import { DevelopmentRegistry } from "@/contracts";

/** One attestation as the registry's public index lists it. */
export interface IndexedAttestation {
  id: Hex;
  schemaId: Hex;
  /** Checksummed, as the real index keeps addresses. */
  recipient: Address;
  attester: Address;
  /** Seconds; 0 for never. */
  time: number;
  expirationTime: number;
  revocationTime: number;
  refUID: Hex;
  revocable: boolean;
  revoked: boolean;
  /** Hash of the transaction that attested. */
  txid: Hex;
  data: Hex;
}

/** Narrows what is read; a value that no log can have finds nothing. */
export interface IndexFilter {
  recipient?: string;
  attester?: string;
  schemaId?: string;
}

/**
 * The attestations of one chain, read anew for every question: from the logs of the registry, and from the registry
 * what has become of each. No state, so nothing to go stale.
 */
export class RegistryIndex {
  readonly client;

  constructor(
    rpcUrl: string,
    private readonly registry: Address,
  ) {
    // Batched: a question may need one call per attestation.
    this.client = createPublicClient({ transport: http(rpcUrl, { batch: true }), pollingInterval: 50 });
  }

  /** Attestations that match, oldest first. */
  async find(filter: IndexFilter): Promise<IndexedAttestation[]> {
    const { recipient, attester, schemaId } = filter;
    if (!isNothingOr(recipient, isAnyAddress) || !isNothingOr(attester, isAnyAddress)) return [];
    if (!isNothingOr(schemaId, isWord)) return [];
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
    const said = await this.client.readContract({
      address: this.registry,
      abi: DevelopmentRegistry.abi,
      functionName: "getAttestation",
      args: [uid],
    });
    const { schema, recipient, attester, refUID, revocable, data } = said;
    return {
      ...{ id: uid, schemaId: schema, recipient, attester, refUID, revocable, data, txid },
      time: Number(said.time),
      expirationTime: Number(said.expirationTime),
      revocationTime: Number(said.revocationTime),
      revoked: said.revocationTime !== 0n,
    };
  }
}

function isNothingOr<T extends string>(
  value: string | undefined,
  is: (value: string) => value is T,
): value is T | undefined {
  return value === undefined || is(value);
}

function isWord(value: string): value is Hex {
  return isHex(value, { strict: true }) && value.length === 66;
}

/** Whatever its capitals: the caller compares them. */
function isAnyAddress(value: string): value is Address {
  return isAddress(value, { strict: false });
}
