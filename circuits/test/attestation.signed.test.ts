import type { Hex } from "viem";
import { sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { build, bytesOf, type CommonInputs, SIGNER_KEYS, testKey, USER_KEY } from "../soundness";
import { bytes32, flip, N, number, P, SIGNATURE, USER_SIGNATURE, zeros } from "./attestation-faults";
import { RANGE, type Refusal, refused, run } from "./attestation-run";

type Changed = (inputs: CommonInputs) => void;

/** Changes of an otherwise honest witness. */
const changes: readonly (readonly [string, Changed, RegExp])[] = [
  ["a payload length of one more", ({ unsigned_transaction: t }) => void t.len++, /list length/],
  [
    "a payload length of one less",
    ({ unsigned_transaction: t }) => void t.len--,
    /list length|keccak|max_bit/,
  ],
  [
    "a payload length of 136",
    ({ unsigned_transaction: t }) => {
      t.len = 136;
    },
    /keccak: too many bytes|Cannot/,
  ],
  [
    "a byte after the payload",
    ({ unsigned_transaction: t }) => {
      t.storage[t.len] = 1;
    },
    RANGE,
  ],
  [
    "a byte far after the payload",
    ({ unsigned_transaction: t }) => {
      t.storage[134] = 1;
    },
    /after the end/,
  ],
  ["another nonce than was signed", ({ unsigned_transaction: t }) => flip(t.storage, 8), SIGNATURE],
  ["the user's s high", (inputs) => highS(inputs, "user"), SIGNATURE],
  ["the attester's s high", (inputs) => highS(inputs, "attester"), SIGNATURE],
  [
    "the user's r zero",
    (inputs) => {
      inputs.user_signature_r = zeros();
    },
    SIGNATURE,
  ],
  [
    "the user's s zero",
    (inputs) => {
      inputs.user_signature_s = zeros();
    },
    SIGNATURE,
  ],
  [
    "the attester's r zero",
    (inputs) => {
      inputs.attester_signature_r = zeros();
    },
    SIGNATURE,
  ],
  [
    "the attester's s zero",
    (inputs) => {
      inputs.attester_signature_s = zeros();
    },
    SIGNATURE,
  ],
  [
    "the user's r as the order",
    (inputs) => {
      inputs.user_signature_r = bytes32(N);
    },
    SIGNATURE,
  ],
  [
    "the user's s as the order",
    (inputs) => {
      inputs.user_signature_s = bytes32(N);
    },
    SIGNATURE,
  ],
  ["another r of the user", (inputs) => flip(inputs.user_signature_r), SIGNATURE],
  ["another s of the attester", (inputs) => flip(inputs.attester_signature_s), SIGNATURE],
  ["the user's key off the curve", (inputs) => flip(inputs.user_pubkey_y), USER_SIGNATURE],
  ["the attester's key off the curve", (inputs) => flip(inputs.attester_pubkey_x), SIGNATURE],
  [
    "the user's key negated",
    (inputs) => {
      inputs.user_pubkey_y = bytes32(P - number(inputs.user_pubkey_y));
    },
    USER_SIGNATURE,
  ],
  ["no key of the user", (inputs) => noKey(inputs), USER_SIGNATURE],
  [
    "another leaf index",
    (inputs) => {
      inputs.leaf_index = 1;
    },
    /merkle: root/,
  ],
  [
    "a leaf index of more than two bits",
    (inputs) => {
      inputs.leaf_index = 4;
    },
    RANGE,
  ],
  ["a depth of one less", (inputs) => lessDepth(inputs), /merkle: root/],
  ["a depth of one more", (inputs) => void inputs.depth++, /merkle: depth/],
  [
    "a depth of 8",
    (inputs) => {
      inputs.depth = 8;
    },
    /merkle: depth/,
  ],
  [
    "a depth of 255",
    (inputs) => {
      inputs.depth = 255;
    },
    /merkle: depth/,
  ],
  ["another sibling", (inputs) => flip(inputs.merkle_path[0]), /merkle: root/],
  ["another scope than the nullifier's", (inputs) => flip(inputs.scope), /nullifier|country: scope/],
  ["another nullifier", (inputs) => flip(inputs.nullifier), /wallet: nullifier/],
  [
    "a nullifier of zero",
    (inputs) => {
      inputs.nullifier = zeros();
    },
    /wallet: nullifier/,
  ],
];

function highS(inputs: CommonInputs, whose: "user" | "attester"): void {
  const field = `${whose}_signature_s` as const;
  inputs[field] = bytes32(N - number(inputs[field]));
}

function noKey(inputs: CommonInputs): void {
  inputs.user_pubkey_x = zeros();
  inputs.user_pubkey_y = zeros();
}

function lessDepth(inputs: CommonInputs): void {
  inputs.depth--;
  inputs.merkle_path[1] = zeros();
}

describe.each(["partner_country_attestation", "network_eligibility", "regional_attestation"] as const)(
  "%s refuses",
  (circuit) => {
    it.each(changes)("%s", async (_name, change, reason) => {
      await refused(circuit, { change, reason });
    });

    it("an attestation signed by who is not in the list", async () => {
      const stranger = await build(circuit, "production", { signerKeys: [testKey(3, 0)] });
      await refused(circuit, {
        change: (inputs) => {
          inputs.attester_pubkey_x = stranger.inputs.attester_pubkey_x;
          inputs.attester_pubkey_y = stranger.inputs.attester_pubkey_y;
          inputs.attester_signature_r = stranger.inputs.attester_signature_r;
          inputs.attester_signature_s = stranger.inputs.attester_signature_s;
        },
        reason: /merkle: root/,
      });
    });

    it("a leaf index beyond the tree, and a sibling that no level uses", async () => {
      const overrides = { signerKeys: SIGNER_KEYS.slice(0, 2) };
      const index: Refusal<typeof circuit> = {
        overrides,
        change: (inputs) => {
          inputs.leaf_index = 2;
        },
        reason: /merkle: leaf index/,
      };
      await refused(circuit, index);
      const reason = /merkle: unused sibling/;
      await refused(circuit, { overrides, change: ({ merkle_path }) => flip(merkle_path[1], 0), reason });
    });

    it("a list that is not the root's", async () => {
      const other = await build(circuit, "production", { signerKeys: [testKey(3, 0), testKey(2, 0)] });
      await refused(circuit, {
        change: (inputs) => {
          inputs.merkle_path = other.inputs.merkle_path;
          inputs.leaf_index = 1;
          inputs.depth = 1;
        },
        reason: /merkle: root/,
      });
    });

    it("a wallet that only knows of the attestation of another", async () => {
      const thief = await build(circuit, "production", { userKey: testKey(1, 1) });
      await refused(circuit, {
        change: (inputs) => {
          inputs.user_pubkey_x = thief.inputs.user_pubkey_x;
          inputs.user_pubkey_y = thief.inputs.user_pubkey_y;
          inputs.user_signature_r = thief.inputs.user_signature_r;
          inputs.user_signature_s = thief.inputs.user_signature_s;
        },
        reason: /another account|country: signal hash/,
      });
    });

    it("a signature without the prefix of personal_sign", async () => {
      const { inputs } = await build(circuit, "production");
      const hash: Hex = `0x${Buffer.from(inputs.signal_hash).toString("hex")}`;
      const { r, s } = await sign({ hash, privateKey: USER_KEY });
      inputs.user_signature_r = bytesOf(r);
      inputs.user_signature_s = bytesOf(s);
      expect(await run(circuit, inputs)).toMatch(SIGNATURE);
    });

    it("witnesses of the other build", async () => {
      const { inputs } = await build(circuit, "development");
      expect(await run(circuit, inputs, "development")).toBe("accepted");
      expect(await run(circuit, inputs, "production")).toMatch(/payload: recipient/);
      const production = await build(circuit, "production");
      expect(await run(circuit, production.inputs, "development")).toMatch(/payload: recipient/);
    });
  },
);

describe("another circuit's attestation", () => {
  it("is not the country's", async () => {
    const { inputs } = await build("partner_country_attestation", "production");
    const other = await build("network_eligibility", "production");
    const { unsigned_transaction, attester_signature_r, attester_signature_s } = other.inputs;
    const answer = await run("partner_country_attestation", {
      ...inputs,
      unsigned_transaction,
      attester_signature_r,
      attester_signature_s,
    });
    expect(answer).toMatch(/attestation: selector/);
  });

  it.each([
    ["network_eligibility", "regional_attestation"],
    ["regional_attestation", "network_eligibility"],
  ] as const)("is not that of %s", async (circuit, other) => {
    const { inputs } = await build(other, "production");
    expect(await run(circuit, inputs)).toMatch(/payload/);
  });
});
