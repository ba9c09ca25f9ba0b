import { type Hex, keccak256, zeroHash } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProofInputCode } from "../errors";
import { developmentSigners, person, signedAttestation, stranger } from "../testing/attestations";
import { refused as expectRefusal } from "../testing/refused";
import { countryWire, eligibilityWire, highS, personalSign } from "../testing/wallet-wires";
import { attestersOf } from "../trust/attesters";
import { hashesOf, readAction } from "./action";
import { buildCountryInputs } from "./country";
import { buildEligibilityInputs } from "./eligibility";
import type { CountryWireInputs, EligibilityWireInputs } from "./wire";

const development = attestersOf("development");
const attester = development.partner_country_attestation;
const other = keccak256("0x07");
let honest: CountryWireInputs;
let identity: EligibilityWireInputs;
beforeAll(async () => {
  honest = await countryWire();
  identity = await eligibilityWire({ circuit: "network_eligibility" });
});

const refused = (run: Promise<unknown>, code: ProofInputCode, field: string) =>
  expectRefusal(run, code, field, [
    honest.raw_transaction,
    honest.signature,
    person.address,
    honest.user_pubkey_x,
  ]);
const country = (change: Partial<CountryWireInputs>, scopes: string[] = []) =>
  buildCountryInputs({ wire: { ...honest, ...change }, attester, scopes });
const eligible = (change: Partial<EligibilityWireInputs>, scopes: string[] = []) =>
  buildEligibilityInputs({
    wire: { ...identity, ...change },
    circuit: "network_eligibility",
    attester: development.network_eligibility,
    scopes,
  });

describe("a claim that is not so", () => {
  const lies: Partial<CountryWireInputs> = {
    nullifier: other,
    scope_bytes: other,
    merkle_root: other,
    user_pubkey_x: other,
    user_pubkey_y: other,
    tx_length: 1,
    attester_pubkey_x: other,
    attester_pubkey_y: other,
    merkle_proof: [other, other],
    leaf_index: 1,
    depth: 3,
  };
  it.each(Object.entries(lies))("about %s is refused by that name, in both circuits", async (field, lie) => {
    await refused(country({ [field]: lie }), "CLAIM_MISMATCH", field);
    await refused(eligible({ [field]: lie }), "CLAIM_MISMATCH", field);
  });

  it("about the signal hash is refused where it follows from the rest", async () => {
    await refused(country({ signal_hash: other }), "CLAIM_MISMATCH", "signal_hash");
    // A wallet that signed another signal hash still has one nullifier only.
    const signature = await personalSign(person, other);
    await refused(country({ signal_hash: other, signature }), "CLAIM_MISMATCH", "signal_hash");
  });

  it("about a production attester's root is refused in development", async () => {
    const { root } = attestersOf("production").partner_country_attestation;
    await refused(country({ merkle_root: root }), "CLAIM_MISMATCH", "merkle_root");
  });
});

describe("a scope", () => {
  it("given by its word must be a configured one", async () => {
    await refused(country({ scope: undefined }, ["other"]), "SCOPE_UNKNOWN", "scope_bytes");
    await refused(eligible({ scope: undefined }, ["other"]), "SCOPE_UNKNOWN", "scope_bytes");
    await expect(eligible({ scope: undefined }, ["other", "zk-community"])).resolves.toBeDefined();
  });

  it("given as a string must be that of the word, although another one is configured", async () => {
    await refused(country({ scope: "other" }, ["zk-community"]), "CLAIM_MISMATCH", "scope_bytes");
  });
});

describe("an attestation", () => {
  it("of another wallet is refused", async () => {
    const [signer] = developmentSigners("partner_country_attestation");
    if (!signer) expect.fail("no signer");
    const plan = { attester, signer, recipient: stranger.address, country: "FR" };
    const raw_transaction = await signedAttestation(plan);
    await refused(country({ raw_transaction }), "WRONG_RECIPIENT", "user_address");
    await refused(country({ user_address: stranger.address }), "WRONG_RECIPIENT", "user_address");
  });
});

describe("the wallet's signature", () => {
  it("must be one", async () => {
    const { signature } = honest;
    const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
    const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    const zero = "00".repeat(32);
    const bad: Hex[] = [
      highS(signature),
      `0x${r}${s}02`,
      `0x${r}${s}1d`,
      `0x${r}${s}1a`,
      `0x${r}${s}ff`,
      `0x${zero}${s}${v}`,
      `0x${r}${zero}${v}`,
      `0x${order}${s}${v}`,
      `0x${r}${order}${v}`,
      // No point of the curve has this x.
      `0x${"00".repeat(31)}05${s}${v}`,
    ];
    for (const wrong of bad) {
      await refused(country({ signature: wrong }), "SIGNATURE_INVALID", "signature");
      await refused(eligible({ signature: wrong }), "SIGNATURE_INVALID", "signature");
    }
  });

  it("must be the attested wallet's, over what the circuit has it sign", async () => {
    await refused(
      country({ signature: await personalSign(stranger, honest.signal_hash) }),
      "WRONG_SIGNER",
      "signature",
    );
    await refused(country({ signature: await personalSign(person, other) }), "WRONG_SIGNER", "signature");
    const asText = await person.signMessage({ message: honest.signal_hash });
    await refused(country({ signature: asText }), "WRONG_SIGNER", "signature");
    await refused(eligible({ signal_hash: other }), "WRONG_SIGNER", "signature");
  });
});

describe("a country list", () => {
  it.each<[string, string[]]>([
    ["no country", []],
    ["eleven countries", ["AA", "AB", "AC", "AD", "AE", "AF", "AG", "AH", "AI", "AJ", "FR"]],
    ["lower case", ["fr"]],
    ["a code of three letters", ["FRA"]],
    ["a name", ["F"]],
    ["other characters", ["F1"]],
    ["a Cyrillic letter", ["FР"]],
    ["one country twice", ["FR", "DE", "FR"]],
  ])("with %s is refused", async (_, country_list) => {
    await refused(country({ country_list }), "COUNTRY_LIST_INVALID", "country_list");
  });

  it("that says otherwise than the attestation is refused", async () => {
    await refused(country({ country_list: ["DE"] }), "COUNTRY_NOT_PROVEN", "country_list");
    await refused(country({ is_included: false }), "COUNTRY_NOT_PROVEN", "country_list");
    await expect(country({ country_list: ["DE"], is_included: false })).resolves.toBeDefined();
  });
});

describe("an action", () => {
  const action = readAction({
    domain: { name: "A", version: "1", chainId: 1, verifyingContract: stranger.address },
    types: { Act: [{ name: "n", type: "uint8" }] },
    primaryType: "Act",
    message: { n: 1 },
  });
  const { domainSeparator: domain_separator, actionHash: action_hash } = hashesOf(action);

  it("comes whole or not at all", async () => {
    await refused(eligible({ domain_separator }), "ACTION_INVALID", "action_hash");
    await refused(eligible({ action_hash }), "ACTION_INVALID", "domain_separator");
    await refused(eligible({ domain_separator, action_hash: zeroHash }), "ACTION_INVALID", "action_hash");
    await refused(
      eligible({ domain_separator: zeroHash, action_hash }),
      "ACTION_INVALID",
      "domain_separator",
    );
  });

  it("has the hashes that follow from it", async () => {
    const signature = await person.signTypedData(action);
    const acting = { action, signature, signal_hash: zeroHash };
    await refused(eligible({ ...acting, action_hash: other }), "CLAIM_MISMATCH", "action_hash");
    await refused(eligible({ ...acting, domain_separator: other }), "CLAIM_MISMATCH", "domain_separator");
    await refused(eligible({ ...acting, signal_hash: other }), "CLAIM_MISMATCH", "signal_hash");
    const zeros = { domain_separator: zeroHash, action_hash: zeroHash };
    await refused(eligible({ ...acting, ...zeros }), "CLAIM_MISMATCH", "domain_separator");
    await expect(eligible(acting)).resolves.toBeDefined();
  });

  it("is signed itself: neither another one's signature nor the identity's counts", async () => {
    const hashes = { domain_separator, action_hash, signal_hash: zeroHash };
    await refused(eligible(hashes), "WRONG_SIGNER", "signature");
    const signature = await person.signTypedData({ ...action, message: { n: 2 } });
    await refused(eligible({ ...hashes, signature }), "WRONG_SIGNER", "signature");
  });

  it("is missing together with the signal hash", async () => {
    await refused(eligible({ signal_hash: undefined }), "INPUT_MALFORMED", "signal_hash");
  });
});
