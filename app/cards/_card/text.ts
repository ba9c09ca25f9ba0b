import sharp, { type Sharp } from "sharp";
import { familiesOf, loadFonts, type Weight } from "./fonts";

/** How a text is set. Lengths in pixels. */
export interface TextStyle {
  readonly weight: Weight;
  readonly size: number;
  readonly colour: string;
  readonly width: number;
  /** Longer text is set smaller, so that it fits. */
  readonly height: number;
}

/** A text as a picture, no larger than asked for. */
export interface SetText {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  /** It begins at the right, as Arabic and Hebrew do. */
  readonly fromRight: boolean;
}

/** Control characters, and those that turn the direction of what follows them. */
const unwanted = /[\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]+/gu;

/**
 * Sets text in whatever scripts it has: Pango shapes it, orders both directions and breaks lines.
 *
 * Not `ImageResponse` of next/og: for characters that its fonts lack it asks servers of Google and jsDelivr, so titles
 * would leave the house and a machine without them would fail, and it does not know text from the right.
 * @returns null for text in which there is nothing to see
 */
export async function setText(text: string, style: TextStyle): Promise<SetText | null> {
  const clean = text.replace(unwanted, " ").replace(/\s+/gu, " ").trim();
  if (!/[^\s\p{Cf}\p{M}]/u.test(clean)) return null;
  await loadFonts(clean, style.weight);
  const weight = style.weight === "strong" ? "bold" : "normal";
  const markup = `<span foreground="${style.colour}" weight="${weight}" insert_hyphens="false" line_height="1.08">${escaped(clean)}</span>`;
  const font = `${familiesOf(style.weight)} ${style.size}`;
  const common = { text: markup, font, width: style.width, wrap: "word-char", rgba: true } as const;
  const natural = await rendered(sharp({ text: { ...common, dpi: 72 } }));
  const fits = natural.height <= style.height && natural.width <= style.width;
  const set = fits ? natural : await rendered(sharp({ text: { ...common, height: style.height } }));
  return { ...set, fromRight: startsRight(clean) };
}

async function rendered(image: Sharp): Promise<Omit<SetText, "fromRight">> {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Whether the first letter that has a direction has the one from the right (what `dir="auto"` asks). */
function startsRight(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? "";
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}
