import { type Address, createWalletClient, type Hex, http, recoverTypedDataAddress } from "viem";
import { hexSchema } from "../hex";
import type { PaymentSigner, TransferTypedData } from "./wallets";

/** Long enough for a person to approve the signature at the service. */
const TIMEOUT_MS = 2 * 60 * 1000;

export type RemoteSignerOptions = {
  /** URL of the service: HTTPS, or HTTP on this machine or without a token. */
  url: string;
  /** The account that pays. */
  address: Address;
  /** Sent as `Authorization: Bearer`; never in an error. */
  token?: string;
  /** Milliseconds for one signature; default two minutes. */
  timeoutMs?: number;
};

type RemoteSignerCode =
  /** The service returned no signature: it refused, is unreachable, or took too long. */
  | "SIGNER_UNAVAILABLE"
  /** The signature is not from the requested account. */
  | "SIGNATURE_WRONG"
  /** The URL is invalid or would expose the token in transit. */
  | "SIGNER_URL_INVALID";

/** The managed wallet did not sign, and nothing was sent to the prover. Never repeats the service's message. */
export class RemoteSignerError extends Error {
  override readonly name = "RemoteSignerError";
  constructor(
    readonly code: RemoteSignerCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Makes a signer of a managed wallet behind JSON-RPC `eth_signTypedData_v4` with params [address, JSON text], the call
 * that wallet daemons and signing services share (MetaMask's reference, EIP-1193 providers, Privy, Foundry). The service
 * sees the payment and nothing about the proof. Pass the result to `payingWallet`.
 * @throws RemoteSignerError SIGNER_URL_INVALID; `signTypedData` throws the others
 */
export function remoteSigner({ url, address, token, timeoutMs }: RemoteSignerOptions): PaymentSigner {
  checkUrl(url, token !== undefined);
  const client = createWalletClient({
    account: address,
    transport: http(url, {
      fetchOptions: {
        // A redirect would send the token elsewhere.
        redirect: "error",
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      },
      // No retries: a second request may cause a second signature.
      retryCount: 0,
      timeout: timeoutMs ?? TIMEOUT_MS,
    }),
  });
  return {
    address,
    async signTypedData(data) {
      const signature = await client.signTypedData(data).catch(() => {
        throw new RemoteSignerError("SIGNER_UNAVAILABLE", "the managed wallet did not sign the payment");
      });
      if (!(await isSignedBy(address, data, signature))) {
        throw new RemoteSignerError(
          "SIGNATURE_WRONG",
          `the managed wallet's signature is not one of ${address}`,
        );
      }
      return signature;
    },
  };
}

function checkUrl(text: string, withToken: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHere = url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && (isHere || !withToken));
  if (isSafe) return;
  throw new RemoteSignerError(
    "SIGNER_URL_INVALID",
    "the managed wallet's address must be an https URL; http without a token, or on this machine",
  );
}

async function isSignedBy(address: Address, data: TransferTypedData, answer: unknown): Promise<boolean> {
  const signature = hexSchema.safeParse(answer);
  if (!signature.success) return false;
  const signer: Hex | null = await recoverTypedDataAddress({ ...data, signature: signature.data }).catch(
    () => null,
  );
  return signer?.toLowerCase() === address.toLowerCase();
}
