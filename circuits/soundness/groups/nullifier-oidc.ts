import type { Inputs } from "../abi";
import { issuerKey, payloadA, payloadB, signToken, type Token } from "../oidc/token";
import { nullifierOf, toInputs, witnessOf } from "../oidc/witness";
import type { Random } from "../random";

const KEYS = ["parley test issuer", "another issuer"].map((seed) => issuerKey(seed));
/** One key per person would be right too, but takes a second each. */
const SCOPE = "parley.example:board:1";

/** A person's address. */
export function addressOf(index: number, random: Random): string {
  return `person.${index}+${random.text(1 + random.below(20))}@${random.text(1 + random.below(12))}.example`;
}

function tokenFor(email: string, random: Random): Token {
  const claims = {
    email,
    ...(random.chance(0.6) ? { nonce: random.text(1 + random.below(64), "ABCxyz019_-") } : {}),
    iat: String(1_000_000_000 + random.below(8_999_999_999)),
    audience: `"${random.text(1 + random.below(60))}"`,
    filler: random.text(random.below(40)),
  };
  const verified = random.pick(["true", "1", '"1"', '"true"']);
  const payload = random.chance(0.5)
    ? payloadA(claims)
    : payloadB({ ...claims, verified: `"xms_edov":${verified}` });
  return signToken(random.pick(KEYS), payload, random.text(1 + random.below(9)));
}

/** A proof of a person with everything else chosen anew: issuer, token, its length, where data begin, hints' inputs. */
export function randomProof(email: string, random: Random): Inputs {
  for (;;) {
    const token = tokenFor(email, random);
    const witness = witnessOf(token, { scope: SCOPE, earlier: random.below(3) });
    if (witness.data.len > 640) continue;
    const shift = BigInt(4096 + random.below(60));
    witness.redc = witnessOf({ ...token, signature: (1n << shift) / token.modulus }).signature;
    if (witness.nonce.len === 0) witness.nonceIndex = random.below(2 ** 32);
    return toInputs(witness);
  }
}

/** A nullifier that is somebody else's, or a little off. */
export function otherNullifier(inputs: Inputs, email: string, random: Random): Inputs {
  const scope = Uint8Array.from(bytesIn(inputs.scope));
  const own = bytesIn(inputs.nullifier);
  const others = [
    nullifierOf(email.toUpperCase(), scope),
    nullifierOf(`${email}x`, scope),
    nullifierOf(email.slice(1), scope),
    nullifierOf(email, random.bytes(32)),
    own.map((byte, i) => (i === random.below(32) ? byte ^ (1 << random.below(8)) : byte)),
    [...random.bytes(32)],
    [...own].reverse(),
  ].filter((other) => other.some((byte, i) => byte !== own[i]));
  return { ...inputs, nullifier: random.pick(others) };
}

/** Bytes of a parameter that is a list of them. */
function bytesIn(value: Inputs[string] | undefined): number[] {
  if (!Array.isArray(value)) throw new RangeError("a list of bytes was expected");
  return value.map(Number);
}
