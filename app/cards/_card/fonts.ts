import { createHash, randomUUID } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { access, mkdir, mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import sharp from "sharp";
import { z } from "zod";
import { homeFolder } from "@/lib/settings/general";

const inflated = promisify(inflate);

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;

interface Table {
  readonly tag: string;
  readonly checksum: number;
  readonly data: Uint8Array;
}

/** Unpacks a WOFF 1.0 font, which Pango can't read. Trusts its input: only for fonts that this program ships. */
async function unpackWoff(woff: Buffer): Promise<Buffer> {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF 1.0 font");
  const count = woff.readUInt16BE(12);
  const tables = await Promise.all(Array.from({ length: count }, (_, i) => readTable(woff, i)));

  const power = 2 ** Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((count - power) * 16, 10);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + 16 * index;
    head.write(tag, at, "latin1");
    head.writeUInt32BE(checksum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(data.length, at + 12);
    // Tables start at multiples of four bytes.
    const padding = new Uint8Array((4 - (data.length % 4)) % 4);
    parts.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(parts);
}

async function readTable(woff: Buffer, index: number): Promise<Table> {
  const at = HEADER_BYTES + index * ENTRY_BYTES;
  const [offset, packed, length] = [
    woff.readUInt32BE(at + 4),
    woff.readUInt32BE(at + 8),
    woff.readUInt32BE(at + 12),
  ];
  const bytes = woff.subarray(offset, offset + packed);
  return {
    tag: woff.toString("latin1", at, at + 4),
    checksum: woff.readUInt32BE(at + 16),
    data: packed < length ? await inflated(bytes) : bytes,
  };
}

/**
 * A font family of cards. It has many small files, one per script. A text loads the files it needs, once per process.
 * Characters in none of them use the machine's own fonts; nothing is fetched over the network.
 */
interface Family {
  readonly folder: string;
  readonly name: string;
  /** Files to use, by the name of the script or number. */
  readonly parts: RegExp;
  /** Weight of the strong files; regular ones weigh 400. */
  readonly strong: 400 | 600 | 700;
}
export type Weight = "regular" | "strong";

const NUMBERED = /^\[\d+\]$/;
const families: readonly Family[] = [
  { folder: "source-serif-4", name: "Source Serif 4", parts: /./, strong: 600 },
  { folder: "gowun-batang", name: "Gowun Batang", parts: NUMBERED, strong: 700 },
  { folder: "noto-naskh-arabic", name: "Noto Naskh Arabic", parts: /^arabic$/, strong: 600 },
  { folder: "noto-serif-hebrew", name: "Noto Serif Hebrew", parts: /^hebrew$/, strong: 600 },
  { folder: "noto-emoji", name: "Noto Emoji", parts: NUMBERED, strong: 400 },
];

/** Returns the font families of a weight in order of preference, as a Pango font description lists them. */
export function familiesOf(weight: Weight): string {
  const names = families.map(({ name, strong }) =>
    // To Pango, a semi-bold font is a family of its own.
    weight === "strong" && strong === 600 ? `${name} SemiBold` : name,
  );
  return [...names, "serif"].join(", ");
}

// Not traced, which would bundle every font of these packages: next.config.ts names the ones that cards read.
const packages = path.join(/* turbopackIgnore: true */ process.cwd(), "node_modules", "@fontsource");

/** A file of a family, and the character ranges it may have. */
interface Part {
  readonly file: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const coverage = z.record(z.string(), z.string());

async function readParts({ folder, parts, strong }: Family): Promise<Readonly<Record<Weight, Part[]>>> {
  const json: unknown = JSON.parse(await readFile(path.join(packages, folder, "unicode.json"), "utf8"));
  const entries = Object.entries(coverage.parse(json)).filter(([name]) => parts.test(name));
  const of = (weight: number) =>
    entries.map(([name, ranges]): Part => {
      const part = name.replace(/[[\]]/g, "");
      const file = `${folder}-${part}-${weight}-normal.woff`;
      return { file: path.join(packages, folder, "files", file), ranges: readRanges(ranges) };
    });
  return { regular: of(400), strong: of(strong) };
}

/** Parses `U+0-ff,U+131`. */
function readRanges(text: string): Part["ranges"] {
  return text.split(",").map((range) => {
    const [first = "", last = first] = range.trim().replace("U+", "").split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

/** Returns the absolute path of every font file that a card may need. */
export async function fontFiles(): Promise<string[]> {
  const parts = await Promise.all(families.map(readParts));
  return parts.flatMap(({ regular, strong }) => [...regular, ...strong].map(({ file }) => file));
}

let known: Promise<readonly Readonly<Record<Weight, Part[]>>[]> | undefined;
let folder: Promise<string> | undefined;
const loaded = new Map<string, Promise<void>>();

/** Loads the fonts for these characters into Pango. */
export async function loadFonts(text: string, weight: Weight): Promise<void> {
  known ??= Promise.all(families.map(readParts));
  const points = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const needed = (await known)
    .flatMap((family) => family[weight])
    .filter(({ ranges }) => points.some((at) => ranges.some(([first, last]) => first <= at && at <= last)));
  for (const { file } of needed) {
    const loading = loaded.get(file) ?? load(file);
    loaded.set(file, loading);
    try {
      await loading;
    } catch (error) {
      // Try again next time: a full disk may have room by then.
      loaded.delete(file);
      throw error;
    }
  }
}

async function load(file: string): Promise<void> {
  folder ??= makeFolder();
  const woff = await readFile(file);
  const digest = createHash("sha256").update(woff).digest("hex").slice(0, 12);
  const fontfile = path.join(await folder, `${path.basename(file, ".woff")}-${digest}.ttf`);
  if (!existsSync(fontfile)) {
    // Rename, so that another process never reads half a file.
    const draft = `${fontfile}.${randomUUID()}`;
    await writeFile(draft, await unpackWoff(woff));
    await rename(draft, fontfile);
  }
  // Pango loads a font file when it first renders with it.
  await sharp({ text: { text: "x", font: "serif 8", fontfile } })
    .raw()
    .toBuffer();
}

/** Creates the folder of unpacked fonts: in PARLEY_HOME, or a temporary one where that is not writable. */
async function makeFolder(): Promise<string> {
  const kept = path.resolve(homeFolder(), "fonts");
  try {
    await mkdir(kept, { recursive: true });
    await access(kept, constants.W_OK);
    return kept;
  } catch {
    return await mkdtemp(path.join(tmpdir(), "parley-fonts-"));
  }
}
