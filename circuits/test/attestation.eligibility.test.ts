import { type Hex, zeroHash } from "viem";
import { describe, it } from "vitest";
import { ACTION, build, bytesOf, type EligibilityInputs, SIGNAL_HASH } from "../soundness";
import { flip, type Named, SIGNATURE, zeros } from "./attestation-faults";
import { refused } from "./attestation-run";

describe.each(["network_eligibility", "regional_attestation"] as const)("%s refuses", (circuit) => {
  const set =
    (field: "signal_hash" | "domain_separator" | "action_hash", value: Hex) =>
    (inputs: EligibilityInputs) => {
      inputs[field] = bytesOf(value);
    };

  const refusals: Named<typeof circuit> = [
    [
      "an action without its domain",
      { overrides: { action: ACTION }, change: set("domain_separator", zeroHash), reason: /half an action/ },
    ],
    [
      "an action without its hash",
      { overrides: { action: ACTION }, change: set("action_hash", zeroHash), reason: /half an action/ },
    ],
    [
      "an identity with an action hash",
      { change: set("action_hash", ACTION.actionHash), reason: /half an action/ },
    ],
    [
      "an identity with a domain",
      { change: set("domain_separator", ACTION.domainSeparator), reason: /half an action/ },
    ],
    [
      "an action with a signal hash",
      { overrides: { action: ACTION, signalHash: SIGNAL_HASH }, reason: /no signal hash/ },
    ],
    [
      "another action than was signed",
      { overrides: { action: ACTION }, change: ({ action_hash }) => flip(action_hash), reason: SIGNATURE },
    ],
    [
      "another domain than was signed",
      {
        overrides: { action: ACTION },
        change: ({ domain_separator }) => flip(domain_separator),
        reason: SIGNATURE,
      },
    ],
    ["another signal than was signed", { change: ({ signal_hash }) => flip(signal_hash), reason: SIGNATURE }],
    [
      "an identity's signature for an action",
      {
        change: (inputs) => {
          inputs.signal_hash = zeros();
          inputs.domain_separator = bytesOf(ACTION.domainSeparator);
          inputs.action_hash = bytesOf(ACTION.actionHash);
        },
        reason: SIGNATURE,
      },
    ],
    [
      "an action's signature for an identity",
      {
        overrides: { action: ACTION },
        change: (inputs) => {
          inputs.signal_hash = bytesOf(SIGNAL_HASH);
          inputs.domain_separator = zeros();
          inputs.action_hash = zeros();
        },
        reason: SIGNATURE,
      },
    ],
    ["another list", { change: ({ signer_list_merkle_root: root }) => flip(root), reason: /merkle: root/ }],
  ];
  it.each(refusals)("%s", async (_name, refusal) => {
    await refused(circuit, refusal);
  });

  it("the nullifier of the other circuit", async () => {
    const other = circuit === "network_eligibility" ? "regional_attestation" : "network_eligibility";
    const { inputs } = await build(other, "production");
    await refused(circuit, {
      change: (own) => {
        own.nullifier = inputs.nullifier;
      },
      reason: /wallet: nullifier/,
    });
  });
});
