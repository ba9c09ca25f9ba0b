import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";

/** An interface has few colors; the rest is text anti-aliasing. */
const COLORS = 64;

/**
 * The screenshots of one folder. Compares them with those of the last run, pixel by pixel, and keeps the previous version
 * of a changed one in `before/` for comparison.
 */
export class Gallery {
  readonly #changes: { name: string; share: number }[] = [];
  #added = 0;
  #unchanged = 0;
  readonly #folder: string;
  /** The committed folder and its file names: their new versions replace them, none is added. */
  readonly #shown: { readonly folder: string; readonly names: ReadonlySet<string> } | null;

  private constructor(
    folder: string,
    shown: { readonly folder: string; readonly names: ReadonlySet<string> } | null,
  ) {
    this.#folder = folder;
    this.#shown = shown;
  }

  /** @param shown folder of committed screenshots to update */
  static async open(folder: string, shown?: string): Promise<Gallery> {
    await rm(path.join(folder, "before"), { recursive: true, force: true });
    await mkdir(path.join(folder, "before"), { recursive: true });
    return new Gallery(folder, shown ? { folder: shown, names: new Set(await readdir(shown)) } : null);
  }

  /** Saves a screenshot and compares it with the previous one of that name. */
  async add(name: string, png: Buffer): Promise<void> {
    const file = path.join(this.#folder, name);
    const earlier = await readFile(file).catch(() => null);
    const share = earlier && (await changedShare(earlier, png));
    if (share === null) this.#added++;
    else if (share === 0) this.#unchanged++;
    else this.#changes.push({ name, share });
    if (earlier && share) await writeFile(path.join(this.#folder, "before", name), earlier);
    await writeFile(file, png);
    if (this.#shown?.names.has(name)) {
      await writeFile(path.join(this.#shown.folder, name), await smaller(png));
    }
  }

  /** Lists the changes, largest first, and counts the rest. */
  get summary(): string {
    const changed = this.#changes
      .toSorted((a, b) => b.share - a.share)
      .map(({ name, share }) => `${(share * 100).toFixed(2).padStart(7)} %  ${name}`);
    const counts = `${changed.length} changed, ${this.#unchanged} unchanged, ${this.#added} new in ${this.#folder}`;
    return [...changed, counts].join("\n");
  }
}

/** Returns the share of pixels, 0 to 1, in which two images differ. Area outside the smaller one counts as changed. */
export async function changedShare(one: Buffer, other: Buffer): Promise<number> {
  if (one.equals(other)) return 0;
  const [a, b] = await Promise.all([one, other].map(pixels));
  if (!a || !b) return 1;
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let same = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (a.words[y * a.width + x] === b.words[y * b.width + x]) same++;
    }
  }
  return 1 - same / (Math.max(a.width, b.width) * Math.max(a.height, b.height));
}

/** Decodes an image to one number per pixel. */
async function pixels(png: Buffer): Promise<{ words: Uint32Array; width: number; height: number }> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const words = new Uint32Array(Uint8Array.from(data).buffer);
  return { words, width: info.width, height: info.height };
}

/** Reduces the palette, for committed screenshots. */
function smaller(png: Buffer): Promise<Buffer> {
  return sharp(png).png({ palette: true, colours: COLORS, effort: 10, compressionLevel: 9 }).toBuffer();
}
