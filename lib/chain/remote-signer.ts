import {
  type Address,
  type Hex,
  type NonceManager,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  toHex,
} from "viem";
import { type LocalAccount, privateKeyToAccount, privateKeyToAddress, toAccount } from "viem/accounts";
import { z } from "zod";
import { RemoteSignerError, signerClient } from "@/lib/proofs/client/remote-signer";
import { hexSchema } from "@/lib/proofs/hex";
import type { SigningKey } from "@/lib/settings/keys";

/** A wallet's row is locked while its next transaction is signed. */
const TIMEOUT_MS = 5_000;

/** Half the order of secp256k1: nodes refuse signatures above it (EIP-2). */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Web3Signer and anvil answer with the signed transaction, Geth and Clef with an object that has it. */
const answerSchema = z.union([hexSchema, z.object({ raw: hexSchema }).transform(({ raw }) => raw)]);

interface SignerOptions {
  readonly nonceManager?: NonceManager;
  /** Milliseconds that a remote signer has; default 5 s. */
  readonly timeoutMs?: number;
}

/** Returns the account that a signing key is for. */
export function addressOf(key: SigningKey): Address {
  return typeof key === "string" ? privateKeyToAddress(key) : key.address;
}

/**
 * Returns an account that signs EIP-1559 transactions: with a private key in memory, or by JSON-RPC `eth_signTransaction`
 * of a remote signer (Web3Signer, Clef, bridges to a KMS), which signs nothing else for us. Of a remote signer's answer only
 * the signature is used, once it proves to be the account's for exactly the transaction that was asked for.
 * @throws RemoteSignerError for the signer's URL; signing throws the other ones
 */
export function signerOf(key: SigningKey, { nonceManager, timeoutMs }: SignerOptions = {}): LocalAccount {
  if (typeof key === "string") return privateKeyToAccount(key, { nonceManager });
  const { address } = key;
  const client = signerClient({ ...key, timeoutMs: timeoutMs ?? TIMEOUT_MS });
  const request = async (params: SignParameters): Promise<unknown> =>
    await client.request<SignMethod>({ method: "eth_signTransaction", params: [params] });
  return toAccount({
    address,
    nonceManager,
    signTransaction: (transaction) => sign(transaction, address, request),
    signMessage: refuse,
    signTypedData: refuse,
  });
}

async function refuse(): Promise<never> {
  throw new Error("the accounts of services sign transactions only");
}

/** The transaction as JSON-RPC has it. */
type SignParameters = Readonly<Record<string, Hex | undefined>>;
interface SignMethod {
  Method: "eth_signTransaction";
  Parameters: [SignParameters];
  ReturnType: unknown;
}

/** @throws RemoteSignerError SIGNER_UNAVAILABLE, SIGNATURE_WRONG */
async function sign(
  transaction: TransactionSerializable,
  address: Address,
  request: (params: SignParameters) => Promise<unknown>,
): Promise<Hex> {
  const unsigned = serializeTransaction(transaction);
  const asked = parseTransaction(eip1559(unsigned));
  const answer = await request({
    from: address,
    to: asked.to ?? undefined,
    data: asked.data ?? "0x",
    ...{ value: toHex(asked.value ?? 0n), gas: toHex(asked.gas ?? 0n), nonce: toHex(asked.nonce ?? 0) },
    maxFeePerGas: toHex(asked.maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: toHex(asked.maxPriorityFeePerGas ?? 0n),
    chainId: toHex(asked.chainId),
  }).catch(() => {
    throw new RemoteSignerError("SIGNER_UNAVAILABLE", "the remote signer did not sign the transaction");
  });
  try {
    const { r, s, yParity } = parseTransaction(eip1559(answerSchema.parse(answer)));
    if (r === undefined || s === undefined || yParity === undefined || BigInt(s) > LARGEST_S)
      throw wrong(address);
    // Over what we asked for: another transaction's signature is by another account.
    const signed = serializeTransaction(transaction, { r, s, yParity });
    const signer = await recoverTransactionAddress({ serializedTransaction: eip1559(signed) });
    if (signer.toLowerCase() !== address.toLowerCase()) throw wrong(address);
    return signed;
  } catch {
    throw wrong(address);
  }
}

function wrong(address: Address): RemoteSignerError {
  const message = `the remote signer's answer is not this transaction, signed by ${address}`;
  return new RemoteSignerError("SIGNATURE_WRONG", message);
}

/** @throws Error for another type of transaction */
function eip1559(serialized: Hex): `0x02${string}` {
  if (!serialized.startsWith("0x02")) throw new Error("not an EIP-1559 transaction");
  return `0x02${serialized.slice(4)}`;
}
