import { describe, expect, it } from "vitest";
import { readOptions, UsageError } from "./options";

const read = (line: string) => readOptions(line.split(" ").filter(Boolean));
const refusal = (line: string): string => {
  try {
    read(line);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`taken: ${line}`);
};

describe("parley prove, its command line", () => {
  it("reads countries in any case, and the defaults", () => {
    expect(read("partner_country_attestation --countries fr,DE --excluded")).toEqual({
      circuit: "partner_country_attestation",
      scope: null,
      countries: ["FR", "DE"],
      excluded: true,
      nonce: null,
      actionFile: null,
      provider: null,
      tokenFile: null,
      join: null,
      login: false,
      nickname: null,
      url: undefined,
      network: null,
      maxPrice: null,
      paymentWallet: null,
      job: null,
      yes: false,
      json: false,
    });
  });

  it("takes an eligibility proof for a nonce, an action or a topic", () => {
    expect(read("network_eligibility --nonce n")?.nonce).toBe("n");
    // One of 64 nonces of the community begins like an option.
    expect(read("network_eligibility --nonce=-n")?.nonce).toBe("-n");
    expect(read("regional_attestation --action a.json --yes")).toMatchObject({
      actionFile: "a.json",
      yes: true,
    });
    expect(read("network_eligibility --join t")?.join).toBe("t");
    expect(read("partner_country_attestation --join t")?.countries).toBeNull();
  });

  it("takes an identity proof by device flow, or with a token that is not on the command line", () => {
    expect(read("oidc_domain_attestation")).toMatchObject({ provider: null, tokenFile: null });
    expect(read("oidc_domain_attestation --provider provider_b --token-file -")).toMatchObject({
      provider: "provider_b",
      tokenFile: "-",
    });
  });

  it("reads the maximum price in atomic units, and the managed wallet's URL", () => {
    for (const [text, units] of [
      ["0.10", 100_000n],
      ["1", 1_000_000n],
      ["0.000001", 1n],
    ] as const) {
      expect(read(`oidc_domain_attestation --max-price ${text}`)?.maxPrice).toBe(units);
    }
    const wallet = "oidc_domain_attestation --payment-wallet remote:https://signer.example/v1";
    expect(read(wallet)?.paymentWallet).toBe("https://signer.example/v1");
  });

  it("accepts --help without a circuit", () => {
    expect(read("--help")).toBeNull();
  });

  it.each([
    ["", /Name the circuit/],
    ["network_eligibility regional_attestation", /one circuit/],
    ["oidc_domain_attestation --nonce n", /identity token/],
    ["oidc_domain_attestation --countries FR", /no countries/],
    ["oidc_domain_attestation --provider google", /provider_a or provider_b/],
    ["network_eligibility --nonce n --token-file -", /about a wallet/],
    ["network_eligibility --nonce n --provider provider_a", /about a wallet/],
    ["oidc_domain_attestation --max-price free", /in dollars/],
    ["oidc_domain_attestation --max-price 0.1234567", /in dollars/],
    ["oidc_domain_attestation --payment-wallet https://signer.example", /remote:/],
    ["oidc_domain_attestation --payment-wallet remote:nowhere", /remote:/],
    ["oidc_domain_attestation --payment-wallet remote:https://a:b@signer.example", /PAYMENT_SIGNER_TOKEN/],
    ["something", /Unknown circuit/],
    ["partner_country_attestation", /Name the countries/],
    ["partner_country_attestation --countries FRA", /two letters/],
    ["partner_country_attestation --countries FR,FR", /twice/],
    [
      `partner_country_attestation --countries ${["AA", "AB", "AC", "AD", "AE", "AF", "AG", "AH", "AI", "AJ", "AK"].join(",")}`,
      /1 to 10/,
    ],
    ["partner_country_attestation --join t --excluded", /needs --countries/],
    ["partner_country_attestation --countries FR --nonce n", /neither/],
    ["network_eligibility", /what the proof is for/],
    ["network_eligibility --countries FR", /no countries/],
    ["network_eligibility --nonce n --action a.json", /not both/],
    ["network_eligibility --action a.json --join t", /opens no topic/],
    ["regional_attestation --join t", /opens no topic/],
    ["network_eligibility --nonce", /value is missing/],
  ])("refuses %s", (line, words) => {
    expect(refusal(line)).toMatch(words);
  });

  it("takes no key from the command line, and repeats none", () => {
    const key = "ab".repeat(32);
    const forms = ["--attestation-key", "--payment-private-key", "--key"].flatMap((name) => [
      `network_eligibility --nonce n ${name} 0x${key}`,
      `network_eligibility --nonce n ${name}=0x${key}`,
    ]);
    for (const line of forms) {
      const message = refusal(line);
      expect(message).toContain("ATTESTATION_KEY");
      expect(message).not.toContain(key);
    }
    expect(refusal(`network_eligibility 0x${key}`)).not.toContain(key);
    expect(refusal(`0x${key}`)).not.toContain(key);
    expect(refusal(`network_eligibility --unknown=0x${key}`)).not.toContain(key);
    for (const line of [`--token ${key}`, `--jwt=${key}`, `--id-token ${key}`]) {
      const message = refusal(`oidc_domain_attestation ${line}`);
      expect(message).toContain("--token-file");
      expect(message).not.toContain(key);
    }
  });
});
