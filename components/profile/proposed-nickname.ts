/** Words of the house: paper, letters, weather. None names a person, a place or a belief. */
const FIRST = [
  ...[
    "amber",
    "autumn",
    "brisk",
    "calm",
    "clear",
    "copper",
    "dawn",
    "early",
    "evening",
    "folded",
    "gentle",
    "hidden",
  ],
  ...[
    "inky",
    "late",
    "linen",
    "lunar",
    "marble",
    "mellow",
    "misty",
    "noon",
    "olive",
    "paper",
    "patient",
    "plain",
  ],
  ...["quiet", "river", "sealed", "silver", "slate", "spring", "velvet", "winter"],
] as const;
const SECOND = [
  ...[
    "anchor",
    "badger",
    "birch",
    "bridge",
    "candle",
    "cedar",
    "comet",
    "courier",
    "crane",
    "dolphin",
    "ember",
  ],
  ...[
    "falcon",
    "feather",
    "garden",
    "harbor",
    "heron",
    "island",
    "juniper",
    "kite",
    "lantern",
    "letter",
    "maple",
  ],
  ...["meadow", "otter", "parcel", "pebble", "quill", "raven", "sparrow", "thistle", "violet", "willow"],
] as const;

/** Returns a nickname to begin with, such as `quiet_heron_4821`; it says nothing about whom it is for. */
export function proposedNickname(): string {
  const [first = 0, second = 0, number = 0] = crypto.getRandomValues(new Uint32Array(3));
  const digits = String(1000 + (number % 9000));
  return `${FIRST[first % FIRST.length]}_${SECOND[second % SECOND.length]}_${digits}`;
}
