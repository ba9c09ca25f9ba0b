import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, toHex } from "viem";
import { VerifierFront } from "@/contracts/index";
import { startLocalChain } from "@/contracts/local-chain";
import { double } from "@/contracts/test/double";
import type { CircuitId } from "@/lib/proofs/deployment";
import { byteWordMask, circuits, decodePublicInputs, signedDigests } from "@/lib/proofs/registry";
import { ORDER } from "../acir/field";
import { type Group, spread, Tally } from "./group";

/** One word written in another way, or beyond what the layout gives it. */
interface Variant {
  what: string;
  words: bigint[];
  /** Whether the verifier front, which knows bytes and the modulus but no layout, has to see it, too. */
  frontToo: boolean;
}

function variantsOf(id: CircuitId, honest: readonly bigint[]): Variant[] {
  const isByte = byteWordMask(id);
  const limbs = circuits[id].layout.find(({ encoding }) => encoding === "limb120");
  return honest.flatMap((word, i) => {
    const variant = (what: string, value: bigint, frontToo: boolean): Variant => ({
      what: `word ${i} ${what}`,
      words: honest.with(i, value),
      frontToo,
    });
    const byte = ((isByte >> BigInt(i)) & 1n) === 1n;
    const isLimb = limbs !== undefined && i >= limbs.from && i < limbs.from + limbs.count;
    return [
      variant("plus the modulus", word + ORDER, true),
      variant("plus the modulus five times", word + 5n * ORDER, true),
      variant("with its highest bit set", word | (1n << 255n), true),
      ...(byte
        ? [variant("plus 256", word + 256n, true), variant("plus 2^64", word + (1n << 64n), true)]
        : []),
      ...(isLimb ? [variant("plus 2^120", word + (1n << 120n), false)] : []),
      ...(isLimb && i === limbs.from + limbs.count - 1 ? [variant("plus 2^8", word + 256n, false)] : []),
    ];
  });
}

function decodes(id: CircuitId, words: readonly bigint[]): boolean {
  try {
    decodePublicInputs(
      id,
      words.map((word) => toHex(word, { size: 32 })),
    );
    return true;
  } catch {
    return false;
  }
}

/** Public inputs with a second encoding, at the decoder that both programs use and at the contract. */
export const publicWords: Group = async ({ id, suite, form, part }) => {
  // No contract verifies it, and its words are not decoded: who verifies makes them (lib/proofs/anonymous).
  if (id === "anonymous_membership") return [];
  const names = ["honest words", "words with another encoding"] as const;
  const [decoded, encoded] = [
    new Tally(id, `${names[0]}, decoder`, "all"),
    new Tally(id, `${names[1]}, decoder`, "none"),
  ];
  const [shown, twisted] = [
    new Tally(id, `${names[0]}, contract`, "all"),
    new Tally(id, `${names[1]}, contract`, "none"),
  ];
  if (part !== 0) return [];
  const values = await suite.circuit.witness(suite.honest);
  const { publicWords, signedDigest } = circuits[id];
  const shownWords = suite.circuit.program.publicInputs.slice(0, publicWords);
  const honest = shownWords.map((witness) => values[witness] ?? 0n);
  const variants = variantsOf(id, honest);
  const chosen = form === "short" ? spread(variants, 60) : variants;

  decoded.count(decodes(id, honest), "honest");
  for (const { what, words } of chosen) encoded.count(decodes(id, words), what);

  const chain = await startLocalChain();
  try {
    // It says yes to everything: what is refused, the front refuses.
    const verifier = await chain.deploy({ abi: [], bytecode: await double("VerifierDouble") });
    const mask = byteWordMask(id);
    const front = await chain.deploy(VerifierFront, [
      verifier,
      BigInt(honest.length),
      BigInt.asUintN(256, mask),
      mask >> 256n,
      signedDigests.indexOf(signedDigest),
    ]);
    const verify = (words: readonly bigint[]) => verifyAt(chain.client, front, words);
    shown.count(await verify(honest), "honest");
    for (const { what, words, frontToo } of chosen) if (frontToo) twisted.count(await verify(words), what);
    twisted.count(await verify(honest.slice(1)), "one word less");
    twisted.count(await verify([...honest, 0n]), "one word more");
  } finally {
    await chain.stop();
  }
  return [decoded, encoded, shown, twisted];
};

type Client = Awaited<ReturnType<typeof startLocalChain>>["client"];

async function verifyAt(client: Client, front: Address, words: readonly bigint[]): Promise<boolean> {
  const yes: Hex = toHex(1n, { size: 32 });
  const args = [yes, words.map((word) => toHex(word, { size: 32 }))] as const;
  const data = encodeFunctionData({ abi: VerifierFront.abi, functionName: "verify", args });
  const result = await client.call({ to: front, data, gas: 20_000_000n });
  return decodeFunctionResult({ abi: VerifierFront.abi, functionName: "verify", data: result.data ?? "0x" });
}
