import type { Hex } from "viem";
import { PublicInputError } from "../errors";
import { boundedText, byteWords, formatWords, layoutRows, WordReader } from "../words";

export const COUNTRY_MAX = 10;

/** 150 words (design page "Circuits"). */
export const countryLayout = layoutRows(
  ["signal_hash", 32, "byte"],
  ["merkle_root", 32, "byte"],
  ["countries", COUNTRY_MAX * 2, "ascii"],
  ["countries_len", 1, "length"],
  ["is_included", 1, "flag"],
  ["scope", 32, "byte"],
  ["nullifier", 32, "byte"],
);

/** The public facts of a partner_country_attestation proof. */
export type CountryPublicInputs = {
  /** keccak256 of packed (wallet address, scope string, circuit id). */
  signalHash: Hex;
  /** Root over the attester addresses; check that it is a trusted one. */
  merkleRoot: Hex;
  /** 1 to 10 distinct ISO 3166-1 alpha-2 codes in the order given. */
  countries: string[];
  /** Whether the holder's country is in the list. */
  isIncluded: boolean;
  scope: Hex;
  nullifier: Hex;
};

/** Encodes the words of a country proof. @throws RangeError for more than ten countries. */
export function encodeCountryPublicInputs(facts: CountryPublicInputs): Hex[] {
  const storage = boundedText(facts.countries.join(""), COUNTRY_MAX * 2).slice(0, -1);
  return formatWords([
    ...byteWords(facts.signalHash),
    ...byteWords(facts.merkleRoot),
    ...storage,
    BigInt(facts.countries.length),
    facts.isIncluded ? 1n : 0n,
    ...byteWords(facts.scope),
    ...byteWords(facts.nullifier),
  ]);
}

/**
 * Decodes the words of a country proof.
 * @throws PublicInputError naming field and rule if a word is not canonical.
 */
export function decodeCountryPublicInputs(input: string | readonly string[]): CountryPublicInputs {
  const read = new WordReader(countryLayout, input);
  const letters = String.fromCharCode(...read.bounded("countries", 1, COUNTRY_MAX, 2));
  if (!/^[A-Z]+$/.test(letters))
    throw new PublicInputError("countries", "must be codes of two letters A to Z");
  const countries = letters.match(/../g) ?? [];
  if (new Set(countries).size !== countries.length) {
    throw new PublicInputError("countries", "must not repeat a country");
  }
  return {
    signalHash: read.bytes("signal_hash"),
    merkleRoot: read.bytes("merkle_root"),
    countries,
    isIncluded: read.uint("is_included", 0, 1) === 1,
    scope: read.bytes("scope"),
    nullifier: read.bytes("nullifier"),
  };
}
