import type { Holding } from "./holdings";

/*
 * What an operator can do to learn who said something: find an identifier of a member beside it, directly or over something
 * else; hold its order against any order of members; and hold its time against what members did. Each way is a strategy: a
 * guess for everything that was said.
 */

export const ways = ["link", "order", "time"] as const;

export interface Strategy {
  readonly way: (typeof ways)[number];
  readonly name: string;
  /** By what was said: the index of a member. */
  readonly guesses: ReadonlyMap<string, number>;
}

const MINUTE = 60_000;
/** Before something was said: the default delay is ten minutes. */
const WINDOWS = [1, 5, 10, 12, 20].map((minutes) => minutes * MINUTE);
/** What stands in more records than this says nothing. */
const RARE = 12;
/** Longer ones are proofs. */
const MAX_TOKEN = 120;

interface Row extends Holding {
  readonly index: number;
  readonly tokens: ReadonlySet<string>;
  /** Members whom it names by their id or name. */
  readonly named: readonly number[];
}

/**
 * @param said names of what was said
 * @param members what each is called in records: id and nickname
 */
export function strategiesOf(
  holdings: readonly Holding[],
  said: readonly string[],
  members: readonly (readonly string[])[],
): Strategy[] {
  const byName = new Map(members.flatMap((names, member) => names.map((name) => [name, member] as const)));
  const rows = holdings.map((holding, index): Row => {
    const tokens = new Set(
      (holding.text.match(/[A-Za-z0-9_-]{8,}/g) ?? []).filter((t) => t.length <= MAX_TOKEN),
    );
    const named = [...tokens].flatMap((token) => byName.get(token) ?? []);
    return { ...holding, index, tokens, named: [...new Set(named)] };
  });
  const at = rowsByToken(rows);
  return [...links(rows, at, said), ...orders(at, said, members), ...times(rows, at, said)];
}

function rowsByToken(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows)
    for (const token of row.tokens) {
      const known = found.get(token);
      if (known) known.push(row);
      else found.set(token, [row]);
    }
  return found;
}

type ByToken = ReturnType<typeof rowsByToken>;

/** Identifiers beside what was said: in the same record, or in one that shares something rare with it. */
function links(rows: readonly Row[], at: ByToken, said: readonly string[]): Strategy[] {
  const sources = [...new Set(rows.map(({ source }) => source))];
  const found = new Map<string, Map<string, number[]>>();
  const note = (name: string, one: string, member: number) => {
    const guesses = found.get(name) ?? new Map<string, number[]>();
    guesses.set(one, [...(guesses.get(one) ?? []), member]);
    found.set(name, guesses);
  };
  for (const one of said) {
    const direct = at.get(one) ?? [];
    for (const { source, named } of direct)
      for (const member of named) note(`beside it in ${source}`, one, member);
    const near = new Set<Row>();
    for (const { tokens } of direct)
      for (const token of tokens) {
        const others = at.get(token) ?? [];
        if (others.length <= RARE) for (const row of others) if (!direct.includes(row)) near.add(row);
      }
    for (const { source, named } of near)
      for (const member of named) note(`near it in ${source}`, one, member);
  }
  const choices = {
    first: (all: readonly number[]) => all[0],
    last: (all: readonly number[]) => all.at(-1),
    most: mostCommon,
    only: (all: readonly number[]) => (new Set(all).size === 1 ? all[0] : undefined),
  };
  return sources.flatMap((source) =>
    [`beside it in ${source}`, `near it in ${source}`].flatMap((name) =>
      Object.entries(choices).map(([choice, choose]) => {
        const guesses = [...(found.get(name) ?? [])].flatMap(([one, all]) => {
          const guess = choose(all);
          return guess === undefined ? [] : [[one, guess] as const];
        });
        return { way: "link" as const, name: `${name}, ${choice}`, guesses: new Map(guesses) };
      }),
    ),
  );
}

function mostCommon(all: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** An order of things, from the first to the last. */
interface Order<T> {
  readonly name: string;
  readonly of: readonly T[];
}

/** The order of what was said against that of members, in blocks and in turn. */
function orders(at: ByToken, said: readonly string[], members: readonly (readonly string[])[]): Strategy[] {
  const ofSaid = ordersOf(said, (one) => at.get(one) ?? []);
  const ofMembers = ordersOf(
    members.map((_, member) => member),
    (member) => (members[member] ?? []).flatMap((name) => at.get(name) ?? []),
  );
  return ofSaid.flatMap((items) =>
    ofMembers.flatMap((people): Strategy[] => {
      const each = items.of.length / people.of.length;
      const guess = (member: (place: number) => number) =>
        new Map(items.of.map((one, place) => [one, people.of[member(place)] ?? 0]));
      return [
        {
          way: "order",
          name: `${items.name} ~ ${people.name}`,
          guesses: guess((place) => Math.floor(place / each)),
        },
        {
          way: "order",
          name: `${items.name} % ${people.name}`,
          guesses: guess((place) => place % people.of.length),
        },
      ];
    }),
  );
}

/** Returns every order that records give to things: that of the records, and that of each field in which they differ. */
function ordersOf<T>(things: readonly T[], rowsOf: (thing: T) => readonly Row[]): Order<T>[] {
  const keys = new Map<string, Map<T, string>>();
  for (const thing of things) {
    const seen = new Set<string>();
    for (const row of rowsOf(thing)) {
      if (seen.has(row.source)) continue;
      seen.add(row.source);
      put(keys, `${row.source} order`, thing, String(row.index).padStart(9, "0"));
      for (const [field, value] of fieldsOf(row.text)) put(keys, `${row.source}.${field}`, thing, value);
    }
  }
  // Fields that say the same, such as a time and the order of the rows, are one order.
  const orders = new Map<string, Order<T>>();
  for (const [name, values] of keys) {
    const isOrder = new Set(values.values()).size > 1 && values.size >= things.length / 2;
    if (!isOrder) continue;
    const of = [...values].toSorted(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([thing]) => thing);
    orders.set(of.join(), { name, of });
  }
  return [...orders.values()];
}

function put<T>(keys: Map<string, Map<T, string>>, name: string, thing: T, value: string): void {
  const values = keys.get(name) ?? new Map<T, string>();
  values.set(thing, value);
  keys.set(name, values);
}

/** The scalars of a record in JSON, as texts that sort as they do. */
function fieldsOf(text: string): (readonly [string, string])[] {
  if (!text.startsWith("{")) return [];
  const record: Readonly<Record<string, unknown>> = JSON.parse(text);
  return Object.entries(record).flatMap(([field, value]) => {
    if (typeof value === "number") return [[field, value.toFixed(6).padStart(24, "0")] as const];
    return typeof value === "string" && value !== "" ? [[field, value] as const] : [];
  });
}

/** Who was there when it was said: the last one before, and whoever did most in a window before; alone, and for all of a tag. */
function times(rows: readonly Row[], at: ByToken, said: readonly string[]): Strategy[] {
  const acts = rows.flatMap(({ at: when, named, source }) => {
    const [member] = named;
    return when !== null && named.length === 1 && member !== undefined ? [{ when, member, source }] : [];
  });
  acts.sort((a, b) => a.when - b.when);
  const moments = said.flatMap((one) => {
    const when = (at.get(one) ?? []).find(({ source, at: time }) => source === "posts" && time !== null)?.at;
    return when == null ? [] : [{ one, when, group: groupOf(at.get(one) ?? []) ?? one }];
  });
  const strategies: Strategy[] = [];
  for (const source of ["anything", ...new Set(acts.map((act) => act.source))]) {
    const own = source === "anything" ? acts : acts.filter((act) => act.source === source);
    const last = moments.flatMap(({ one, when }) => {
      const before = own.findLast((act) => act.when <= when);
      return before ? [[one, before.member] as const] : [];
    });
    strategies.push({ way: "time", name: `last before it in ${source}`, guesses: new Map(last) });
    for (const window of WINDOWS) {
      const alone = new Map<string, number[]>();
      const together = new Map<string, number[]>();
      for (const { one, when, group } of moments) {
        const near = own.filter((act) => act.when <= when && act.when > when - window);
        alone.set(
          one,
          near.map(({ member }) => member),
        );
        // Once for each text, however much they did.
        const there = new Set(near.map(({ member }) => member));
        together.set(group, [...(together.get(group) ?? []), ...there]);
      }
      const name = `${window / MINUTE} min before it in ${source}`;
      strategies.push(
        { way: "time", name, guesses: guessed(moments, ({ one }) => alone.get(one)) },
        {
          way: "time",
          name: `${name}, by tag`,
          guesses: guessed(moments, ({ group }) => together.get(group)),
        },
      );
    }
  }
  return strategies;
}

function guessed<M extends { readonly one: string }>(
  moments: readonly M[],
  candidates: (moment: M) => readonly number[] | undefined,
): ReadonlyMap<string, number> {
  return new Map(
    moments.flatMap((moment) => {
      const guess = mostCommon(candidates(moment) ?? []);
      return guess === undefined ? [] : [[moment.one, guess] as const];
    }),
  );
}

/** What one author says in a week of a topic has one tag, which the database keeps for bans. */
function groupOf(rows: readonly Row[]): string | null {
  const act = rows.find(({ source }) => source === "anonymous_acts");
  const tag = act && /"tag":"(0x[0-9a-f]+)"/.exec(act.text)?.[1];
  return tag ?? null;
}
