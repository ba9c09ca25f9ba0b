import fc from "fast-check";
import type { Circuit } from "../circuit";
import { honestInputs } from "../oidc/make";
import { type Sample, samples, tokenOf } from "../oidc/samples";
import type { Token } from "../oidc/token";
import { type Choices, toInputs, witnessOf } from "../oidc/witness";
import { decodeBase64url, type Refusal, readPayload, type Statement } from "../reference/claims";
import { type Group, lineOf, Tally } from "./group";

/** The first byte that is decoded when data begin as late as these positions allow. */
function sightOf(token: Token, positions: readonly number[]): number {
  const first = Math.max(0, Math.min(...positions) - 1);
  const start = 64 * Math.floor((token.payloadStart + 4 * Math.floor(first / 3)) / 64);
  const offset =
    start <= token.payloadStart ? token.payloadStart - start : (4 - ((start - token.payloadStart) % 4)) % 4;
  return (3 * (start + offset - token.payloadStart)) / 4;
}

const utf8 = (latin1: string) => Buffer.from(latin1, "latin1").toString("utf8");

/** What a prover could claim of a token that proves nothing: each key wherever its text stands. */
function guesses(token: Token, provider: 0 | 1): Choices[] {
  const bytes = Buffer.from(token.payload);
  const places = (name: string) => {
    const found: number[] = [];
    for (let at = bytes.indexOf(`"${name}":`); at >= 0; at = bytes.indexOf(`"${name}":`, at + 1))
      found.push(at);
    return found;
  };
  const names = {
    email: "email",
    verified: provider === 0 ? "email_verified" : "xms_edov",
    nonce: "nonce",
    iat: "iat",
    audience: "aud",
  };
  const textAt = (at: number | undefined) =>
    at === undefined ? "" : (/^"[a-z_]+":"?([^"]*)/.exec(bytes.subarray(at).toString())?.[1] ?? "");
  const pick = (which: (list: number[]) => number | undefined): Choices => {
    const at = Object.fromEntries(
      Object.entries(names).flatMap(([field, name]) => {
        const found = which(places(name));
        return found === undefined ? [] : [[field, found]];
      }),
    );
    return {
      provider,
      positions: at,
      email: textAt(at.email),
      nonce: textAt(at.nonce),
      audience: textAt(at.audience),
    };
  };
  const first = pick((list) => list[0]);
  const last = pick((list) => list.at(-1));
  return [first, last, { ...first, nonce: "" }, { ...last, nonce: "" }];
}

const fits = (token: Token, choices: Choices) => witnessOf(token, choices).data.len <= 640;

const isRefusal = (found: Statement | Refusal): found is Refusal => "refused" in found;

/** Whether the reference says what JSON.parse says, where that has an opinion. */
function agreesWithJson(payload: string, found: Statement): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(payload);
  } catch {
    return true;
  }
  if (typeof parsed !== "object" || parsed === null) return false;
  const entries = new Map(Object.entries(parsed));
  const verified = entries.get("email_verified") ?? entries.get("xms_edov");
  const nonce = found.nonce === null ? undefined : JSON.parse(`"${utf8(found.nonce)}"`);
  return (
    entries.get("email") === found.email &&
    entries.get("iat") === found.iat &&
    entries.get("aud") === utf8(found.audience) &&
    (found.nonce === null || entries.get("nonce") === nonce) &&
    [true, 1, "1", "true"].some((yes) => yes === verified)
  );
}

async function check(circuit: Circuit, sample: Sample, yes: Tally, no: Tally): Promise<void> {
  const { token, encoded } = tokenOf(sample);
  const { provider } = sample;
  // Damage that is no UTF-8: positions in the text are then not positions in the bytes.
  if (!Buffer.from(token.payload).equals(decodeBase64url(encoded) ?? Buffer.from(token.payload))) return;
  const found = readPayload(encoded, provider, (positions) => sightOf(token, positions));
  const what = JSON.stringify(sample);
  if (isRefusal(found)) {
    const different = new Map(guesses(token, provider).map((choices) => [JSON.stringify(choices), choices]));
    for (const choices of different.values()) {
      if (!fits(token, choices)) continue;
      const inputs = toInputs(witnessOf(token, choices));
      const verdict = await circuit.run(inputs, { base: honestInputs });
      no.count(verdict.accepted, lineOf(`${found.refused}: ${what}`, verdict));
    }
    return;
  }
  const { email, nonce, audience, positions } = found;
  const choices = { provider, email, nonce: utf8(nonce ?? ""), audience: utf8(audience), positions };
  if (!fits(token, choices)) return;
  const verdict = await circuit.run(toInputs(witnessOf(token, choices)));
  yes.count(verdict.accepted, lineOf(what, verdict));
  if (!agreesWithJson(decodeBase64url(encoded)?.toString() ?? "", found))
    yes.problems.push(`JSON.parse disagrees: ${what}`);
}

/** Random tokens, sound and slightly broken: the circuit accepts what the reference reads, and nothing else. */
export const fuzzClaims: Group = async ({ id, suite, form, part, parts }) => {
  const yes = new Tally(id, "fuzz, reference accepts", "all");
  const no = new Tally(id, "fuzz, reference refuses", "none");
  const numRuns = Math.ceil((form === "short" ? 40 : 1_000) / parts);
  await fc
    .assert(
      fc.asyncProperty(samples, async (sample) => {
        const before = yes.problems.length + no.problems.length;
        await check(suite.circuit, sample, yes, no);
        return yes.problems.length + no.problems.length === before;
      }),
      { numRuns, seed: 20260 + part, endOnFailure: true },
    )
    .catch((error: unknown) => {
      if (yes.problems.length + no.problems.length === 0) throw error;
    });
  return [yes, no];
};
