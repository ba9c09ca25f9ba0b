import { type Address, createWalletClient, type Hex, http, recoverTypedDataAddress } from "viem";
import { transferTypes } from "../eip3009";
import { hexSchema } from "../hex";
import type { PaymentSigner, TransferTypedData } from "./wallets";

/** A person may have to approve the signature at the service. */
const TIMEOUT_MS = 2 * 60 * 1000;

export type RemoteSignerOptions = {
  /** Address of the service: HTTPS, or HTTP on this machine where a token goes with it. */
  url: string;
  /** Account of the service that is to pay. */
  address: Address;
  /** Sent as `Authorization: Bearer`; never shown in an error. */
  token?: string;
  /** Milliseconds for one signature; default two minutes. */
  timeoutMs?: number;
};

export type RemoteSignerCode =
  /** The service gave no signature: it refused, is away, or took too long. */
  | "SIGNER_UNAVAILABLE"
  /** What it gave was not signed by the account that was asked. */
  | "SIGNATURE_WRONG"
  /** The address of the service would show the token to others on the way, or is none. */
  | "SIGNER_URL_INVALID";

/** The managed wallet did not sign. Nothing was sent to the prover. The service's own words are not repeated. */
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
 * A managed wallet behind JSON-RPC `eth_signTypedData_v4` with params [address, JSON text], the call that wallet daemons
 * and signing services share (MetaMask's reference, EIP-1193 providers, Privy, Foundry). It is told the payment and
 * nothing of what is proven. Pass it to `payingWallet`.
 * @throws RemoteSignerError SIGNER_URL_INVALID; the others from `signTypedData`
 */
export function remoteSigner({ url, address, token, timeoutMs }: RemoteSignerOptions): PaymentSigner {
  checkUrl(url, token !== undefined);
  const client = createWalletClient({
    account: address,
    transport: http(url, {
      fetchOptions: {
        // A redirect would take the token elsewhere.
        redirect: "error",
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      },
      // Asked once: a second request may be a second signature.
      retryCount: 0,
      timeout: timeoutMs ?? TIMEOUT_MS,
    }),
  });
  return {
    address,
    async signTypedData({ domain, message }) {
      const data: TransferTypedData = {
        domain,
        types: transferTypes,
        primaryType: "TransferWithAuthorization",
        message,
      };
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
