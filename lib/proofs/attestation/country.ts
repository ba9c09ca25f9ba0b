import { type Address, stringToHex } from "viem";
import { countrySignalHash, merkleRoot, scopeWord, walletNullifier } from "../derivations";
import { ProofInputError } from "../errors";
import { COUNTRY_MAX, type CountryPublicInputs, encodeCountryPublicInputs } from "../layouts/country";
import { signedDigest } from "../signed-digest";
import type { Attester } from "../trust/attesters";
import { bounded, bytesOf } from "../words";
import {
  checkClaim,
  readAttestation,
  readUserSignature,
  resolveScope,
  type Trusted,
  walletCircuitInputs,
} from "./wallet";
import { type CountryWireInputs, SCOPE_MAX_BYTES } from "./wire";

const CIRCUIT = "partner_country_attestation";

/** Inputs of circuits/bin/partner_country_attestation. */
export type CountryCircuitInputs = Awaited<ReturnType<typeof buildCountryInputs>>["inputs"];

/**
 * Builds the circuit inputs of partner_country_attestation. Recomputes every value of the request.
 * @throws ProofInputError with code and wire field; its message contains no private input.
 */
export async function buildCountryInputs({ wire, attester, scopes }: Trusted & { wire: CountryWireInputs }) {
  const countries = checkCountryList(wire.country_list);
  const list = { countries, isIncluded: wire.is_included };
  const { scope, word } = resolveScope(wire, scopes);
  const attestation = await readAttestation(wire, attester);
  checkMembership(attestation.country, list);

  const facts = countryFacts({ user: wire.user_address, scope, list, attester });
  checkClaim("signal_hash", wire.signal_hash, facts.signalHash);
  checkClaim("nullifier", wire.nullifier, facts.nullifier);
  const publicInputs = encodeCountryPublicInputs(facts);
  const user = await readUserSignature(wire, signedDigest(CIRCUIT, publicInputs));
  const codes = countries.map((country) => bytesOf(stringToHex(country)));
  return {
    inputs: {
      ...walletCircuitInputs({ attester, attestation, user, scope: word, nullifier: facts.nullifier }),
      signal_hash: bytesOf(facts.signalHash),
      merkle_root: bytesOf(facts.merkleRoot),
      countries: bounded(codes, COUNTRY_MAX, [0, 0]),
      is_included: wire.is_included,
      scope_string: bounded(bytesOf(stringToHex(scope)), SCOPE_MAX_BYTES, 0),
    },
    facts,
    publicInputs,
  };
}

/**
 * Checks a country list by the rules of the circuit and returns a copy.
 * @throws ProofInputError COUNTRY_LIST_INVALID, field country_list.
 */
export function checkCountryList(list: readonly string[]): string[] {
  const refuse = (message: string) => new ProofInputError("COUNTRY_LIST_INVALID", "country_list", message);
  if (list.length < 1 || list.length > COUNTRY_MAX) throw refuse(`must name 1 to ${COUNTRY_MAX} countries`);
  if (!list.every((code) => /^[A-Z]{2}$/.test(code))) {
    throw refuse("must hold ISO 3166-1 alpha-2 codes: two letters A to Z");
  }
  if (new Set(list).size !== list.length) throw refuse("must not name a country twice");
  return [...list];
}

/**
 * Checks that an attested country agrees with a list. The error does not reveal the country.
 * @throws ProofInputError COUNTRY_NOT_PROVEN, field country_list.
 */
export function checkMembership(country: string | null, { countries, isIncluded }: CountryList): void {
  if (country === null || countries.includes(country) !== isIncluded) {
    throw new ProofInputError(
      "COUNTRY_NOT_PROVEN",
      "country_list",
      "the attested country does not agree with country_list and is_included",
    );
  }
}

/** A list of countries, and whether the attested one is in it. */
export type CountryList = { countries: readonly string[]; isIncluded: boolean };

/** Returns the public facts of this wallet's country proof. Needs neither its attestation nor its signature. */
export function countryFacts(statement: {
  user: Address;
  scope: string;
  list: CountryList;
  attester: Attester;
}): CountryPublicInputs {
  const { user, scope, list, attester } = statement;
  const signalHash = countrySignalHash(user, scope, CIRCUIT);
  const word = scopeWord(scope);
  return {
    signalHash,
    merkleRoot: merkleRoot(attester.signers),
    countries: [...list.countries],
    isIncluded: list.isIncluded,
    scope: word,
    nullifier: walletNullifier(user, signalHash, word),
  };
}
