import { privateKeyToAccount } from "viem/accounts";
import { type PayingWallet, payingWallet, RemoteSignerError, remoteSigner } from "@/lib/proofs/client";
import { type AttestationWallet, attestationWallet } from "@/lib/proofs/client/attested";
import { checkSettings, type Environment } from "@/lib/settings/read";
import { proveVariables } from "@/lib/settings/tools";
import { type Options, UsageError } from "./options";

const CHOICES = "set PAYMENT_PRIVATE_KEY, or name a managed wallet with --payment-wallet remote:<url>";

/**
 * Returns the wallet that pays. No other wallet ever replaces it, in particular not ATTESTATION_KEY.
 * @throws UsageError when none or two are set; it repeats no key and no token
 */
export function payerOf({ paymentWallet }: Pick<Options, "paymentWallet">, env: Environment): PayingWallet {
  const { PAYMENT_PRIVATE_KEY: key, PAYMENT_ADDRESS: address, PAYMENT_SIGNER_TOKEN: token } = settingsOf(env);
  if (paymentWallet === null) {
    if (!key) throw new UsageError(`Choose the wallet that pays: ${CHOICES}.`);
    return payingWallet(privateKeyToAccount(key));
  }
  if (key) throw new UsageError(`Two wallets are set to pay: ${CHOICES}, not both.`);
  if (!address) throw new UsageError("Set PAYMENT_ADDRESS to the managed wallet's account that pays.");
  try {
    return payingWallet(remoteSigner({ url: paymentWallet, address, token }));
  } catch (error) {
    if (error instanceof RemoteSignerError) throw new UsageError(`--payment-wallet: ${error.message}.`);
    throw error;
  }
}

/** Returns the wallet whose attestation is proven. @throws UsageError */
export function holderOf(env: Environment): AttestationWallet {
  const { ATTESTATION_KEY: key } = settingsOf(env);
  if (!key)
    throw new UsageError("Set ATTESTATION_KEY in the environment: the attested wallet signs the statement.");
  return attestationWallet(privateKeyToAccount(key));
}

/** @throws UsageError naming the wrong variables, never their values */
function settingsOf(env: Environment) {
  const { values, problems } = checkSettings(proveVariables, env);
  if (!values || problems.length > 0) throw new UsageError(`${problems.join("; ")}.`);
  return values;
}
