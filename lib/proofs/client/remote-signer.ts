import { type Address, createWalletClient, type Hex, http, recoverTypedDataAddress } from "viem";
import { hexSchema } from "../hex";
import type { PaymentSigner, TransferTypedData } from "./wallets";

/** A signature, or a signed transaction, is far smaller. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Long enough for a person to approve the signature at the service. */
const TIMEOUT_MS = 2 * 60 * 1000;

export type RemoteSignerOptions = {
  /** URL of the service: HTTPS, or HTTP on this machine or without a token. */
  url: string;
  /** The account that signs. */
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
export function remoteSigner(options: RemoteSignerOptions): PaymentSigner {
  const { address } = options;
  const client = signerClient(options);
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

/**
 * Makes a client of a signing service. Its answers are bounded in time and size, and to be checked; its errors may hold
 * the service's words and its URL.
 * @throws RemoteSignerError SIGNER_URL_INVALID
 */
export function signerClient({ url, address, token, timeoutMs }: RemoteSignerOptions) {
  checkUrl(url, token !== undefined);
  return createWalletClient({
    account: address,
    transport: http(url, {
      fetchFn: fetchBounded,
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
}

/** Reads the whole body, while the transport's time limit runs: that ends with the response's head. */
async function fetchBounded(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) controller.error(new Error("the answer is too large"));
      else controller.enqueue(chunk);
    },
  });
  const body = await new Response(response.body?.pipeThrough(bound)).text();
  return new Response(body, { status: response.status, headers: response.headers });
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
