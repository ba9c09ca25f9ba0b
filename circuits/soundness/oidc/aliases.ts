import type { Case } from "../case";
import { honest, key, refused } from "./make";
import { payloadA, signToken } from "./token";
import { bounded, limbs, witnessOf } from "./witness";

function limbCases(): Case[] {
  return (["signature", "modulus"] as const).flatMap((of) => [
    ...[0, 5, 16].map((i) =>
      refused(
        `${of}: a limb ${i} of 121 bits`,
        (witness) => {
          witness[of][i] = (witness[of][i] ?? 0n) + (1n << 120n);
          witness[of][i + 1] = (witness[of][i + 1] ?? 0n) - 1n;
        },
        /assert_max_bit_size|Cannot/,
      ),
    ),
    refused(
      `${of}: a limb 3 below zero`,
      (witness) => {
        witness[of][3] = (witness[of][3] ?? 0n) - (1n << 120n);
        witness[of][4] = (witness[of][4] ?? 0n) + 1n;
      },
      /assert_max_bit_size|Cannot/,
    ),
    refused(
      `${of}: a top limb of 9 bits`,
      (witness) => (witness[of][17] = (witness[of][17] ?? 0n) + 256n),
      /assert_max_bit_size|Cannot/,
    ),
  ]);
}

/** A second encoding of something that is accepted. */
export function aliasCases(): Case[] {
  const bare = signToken(key, payloadA());
  return [
    ...limbCases(),
    refused(
      "the signature plus the modulus",
      (w) => (w.signature = limbs(honest.signature + key.modulus)),
      /./,
    ),
    refused(
      "the length of the nonce in zeros after none",
      (witness) => (witness.nonce = { ...bounded(new Uint8Array(0), 64), len: 1 }),
      /./,
      bare,
    ),
    refused(
      "another position for a nonce that is not there is no alias, a length is",
      (w) => (w.nonce.len = 64),
      /./,
      bare,
    ),
    refused("a text with a zero byte counted", (w) => (w.data.len = witnessOf(honest).data.len + 1), /./),
  ];
}
