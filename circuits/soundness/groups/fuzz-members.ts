import { ORDER } from "../acir/field";
import {
  type Choices,
  DEPTH,
  defaults,
  isTrue,
  tagOf,
  toInputs,
  type Witness,
  witnessOf,
} from "../anonymous/witness";
import { Random } from "../random";
import { type Group, lineOf, Tally } from "./group";

const COUNT = { short: 60, long: 10_000 };

/** Anything a member may be, with numbers at the edges more often than chance would have it. */
export function randomChoices(random: Random): Choices {
  const element = () => random.pick([random.bits(250), random.bits(250), random.bits(8), ORDER - 1n, 1n]);
  const limit = 1 + random.below(255);
  const week = BigInt(2_800 + random.below(200));
  const bans = Array.from({ length: random.below(33) }, (): [bigint, bigint] => {
    const listed = week - BigInt(random.below(52));
    return [listed, tagOf(element() + 1n, listed)];
  });
  return {
    ...defaults,
    topic: element(),
    epoch: element(),
    limit: BigInt(limit),
    slot: BigInt(random.below(limit)),
    scope: element(),
    signal: element(),
    week,
    bans,
    secret: 1n + random.bits(250),
    blinding: element(),
    siblings: Array.from({ length: DEPTH }, () => random.pick([0n, random.bits(250)])),
    index: random.pick([0n, (1n << BigInt(DEPTH)) - 1n, random.bits(DEPTH)]),
  };
}

/** Changes one value a little, or copies it from another witness. */
function broken(witness: Witness, other: Witness, random: Random): Witness {
  const names = Object.keys(witness).filter((name): name is keyof Witness => name in witness);
  const name = random.pick(names);
  const twist = (value: bigint, foreign: bigint) =>
    random.pick([foreign, value + 1n, value ^ 1n, value + 256n, 0n, ORDER - value, random.bits(250)]) % ORDER;
  if (name === "banned_weeks" || name === "banned_tags" || name === "siblings") {
    const at = random.below(witness[name].length);
    const value = twist(witness[name][at] ?? 0n, other[name][at] ?? 0n);
    return { ...witness, [name]: witness[name].with(at, value) };
  }
  return { ...witness, [name]: twist(witness[name], other[name]) };
}

/** Puts the member's own tag somewhere on the list. */
function banned(choices: Choices, random: Random): Choices {
  const listed = choices.week - BigInt(random.below(52));
  const place = random.below(choices.bans.length + 1);
  const own = [listed, tagOf(choices.secret, listed)] as const;
  return {
    ...choices,
    bans: [...choices.bans.slice(0, place), own, ...choices.bans.slice(place)].slice(-32),
  };
}

/** Random members, sound and slightly broken: the circuit accepts what the rules, written a second time, accept. */
export const fuzzMembers: Group = async ({ id, suite, form, part, parts }) => {
  const sound = new Tally(id, "fuzz, sound members", "all");
  const wrong = new Tally(id, "fuzz, broken or banned members", "none");
  const random = new Random(`${id} fuzz ${part}`);
  const count = Math.ceil(COUNT[form] / parts);
  while (sound.tried + wrong.tried < count) {
    const choices = randomChoices(random);
    const kind = random.next();
    const other = witnessOf(randomChoices(random));
    const honest = witnessOf(kind < 0.2 ? banned(choices, random) : choices);
    const witness = kind < 0.6 ? honest : broken(honest, other, random);
    const verdict = await suite.circuit.run(toInputs(witness), { base: suite.honest });
    const what = `member ${sound.tried + wrong.tried} of part ${part}`;
    (isTrue(witness) ? sound : wrong).count(verdict.accepted, lineOf(what, verdict));
  }
  return [sound, wrong];
};
