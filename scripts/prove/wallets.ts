import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { privateKeySchema } from "@/lib/chain/keys";
import { type PayingWallet, payingWallet, RemoteSignerError, remoteSigner } from "@/lib/proofs/client";
import { type AttestationWallet, attestationWallet } from "@/lib/proofs/client/attested";
import { addressSchema } from "@/lib/proofs/hex";
import type { Environment } from "../stack/settings";
import { type Options, UsageError } from "./options";

const CHOICES = "set PAYMENT_PRIVATE_KEY, or name a managed wallet with --payment-wallet remote:<url>";

/**
 * Returns the wallet that pays. No other wallet ever replaces it, in particular not ATTESTATION_KEY.
 * @throws UsageError when none or two are set; it repeats no key and no token
 */
export function payerOf({ paymentWallet }: Pick<Options, "paymentWallet">, env: Environment): PayingWallet {
  const { PAYMENT_PRIVATE_KEY: key, PAYMENT_ADDRESS, PAYMENT_SIGNER_TOKEN: token } = env;
  if (paymentWallet === null) {
    if (!key) throw new UsageError(`Choose the wallet that pays: ${CHOICES}.`);
    return payingWallet(accountOf("PAYMENT_PRIVATE_KEY", key));
  }
  if (key) throw new UsageError(`Two wallets are set to pay: ${CHOICES}, not both.`);
  const address = addressSchema.safeParse(PAYMENT_ADDRESS);
  if (!address.success) {
    throw new UsageError(
      "Set PAYMENT_ADDRESS to the managed wallet's account that pays, 0x and 40 hex digits.",
    );
  }
  try {
    return payingWallet(
      remoteSigner({ url: paymentWallet, address: address.data, token: token || undefined }),
    );
  } catch (error) {
    if (error instanceof RemoteSignerError) throw new UsageError(`--payment-wallet: ${error.message}.`);
    throw error;
  }
}

/** Returns the wallet whose attestation is proven. @throws UsageError */
export function holderOf(env: Environment): AttestationWallet {
  const key = env.ATTESTATION_KEY;
  if (!key)
    throw new UsageError("Set ATTESTATION_KEY in the environment: the attested wallet signs the statement.");
  return attestationWallet(accountOf("ATTESTATION_KEY", key));
}

/** @throws UsageError naming the variable, never its value */
function accountOf(variable: "ATTESTATION_KEY" | "PAYMENT_PRIVATE_KEY", text: string): PrivateKeyAccount {
  const key = privateKeySchema.safeParse(text.startsWith("0x") ? text : `0x${text}`);
  if (!key.success) throw new UsageError(`${variable} is not a private key: 64 hex digits.`);
  return privateKeyToAccount(key.data);
}
