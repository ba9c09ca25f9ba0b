import { entropyToMnemonic, mnemonicToEntropy, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english";
import { keepSecret, readSecret } from "./secret";

/** Words of a recovery phrase, as BIP-39 has them for 256 bits. */
export const PHRASE_WORDS = 24;

/** Returns the words that bring the secret back on another device; null without a secret. */
export async function showPhrase(userId: string): Promise<string[] | null> {
  const secret = await readSecret(userId);
  return secret && entropyToMnemonic(secret, wordlist).split(" ");
}

/** Returns a phrase as it is read from what somebody typed; null when it is none. */
export function phraseIn(text: string): string | null {
  const phrase = text.normalize("NFKD").trim().toLowerCase().split(/\s+/).join(" ");
  const isWhole = phrase.split(" ").length === PHRASE_WORDS;
  return isWhole && validateMnemonic(phrase, wordlist) ? phrase : null;
}

/** Puts the secret of a phrase in the place of the one that is here. @throws Error when it is no phrase */
export async function restoreSecret(userId: string, phrase: string): Promise<void> {
  const known = phraseIn(phrase);
  if (!known) throw new Error("these are not the words of a phrase");
  await keepSecret(userId, mnemonicToEntropy(known, wordlist), { isSaved: true, isPasskey: false });
}
