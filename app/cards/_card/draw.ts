import sharp, { type Sharp } from "sharp";
import type { SealKind } from "@/components/proof/seal-mark";
import { sealPaths } from "@/components/proof/seal-shapes";
import { familiesOf, loadFonts, type Weight } from "./fonts";

/** What a card says. Plain text of any length and script. */
export interface CardWords {
  /** Small line above the title: the category or topic. */
  readonly above: string;
  readonly title: string;
  /** Beside the seal: what the author or those who join have proven. */
  readonly gate: string;
  /** Null where nothing is proven. */
  readonly seal: SealKind | null;
  readonly brand: string;
}

/** Size in pixels that Open Graph recommends. */
export const cardSize = { width: 1200, height: 630 } as const;

const margin = 80;
const inner = cardSize.width - 2 * margin;
/** The light theme of app/globals.css: a card shows on other sites, whatever their theme. */
const colors = {
  paper: "#fbfaf7",
  ink: "#1b1a17",
  soft: "#5e5a52",
  line: "#e5e1d8",
  seal: "#b3311a",
  onSeal: "#ffffff",
} as const;

/** A card as PNG: paper, ink, and one red seal where something is proven. */
export async function drawCard({ above, title, gate, seal, brand }: CardWords) {
  const small = { weight: "regular", color: colors.soft } as const;
  const [top, middle, sentence, name] = [
    await renderText(above, { ...small, size: 30, width: inner, height: 42 }),
    await renderText(title, { weight: "strong", color: colors.ink, size: 76, width: inner, height: 304 }),
    await renderText(gate, { ...small, size: 34, width: 690, height: 84 }),
    await renderText(brand, { weight: "strong", color: colors.ink, size: 38, width: 200, height: 60 }),
  ];
  const parts = [
    top && placed(top, { y: 64, height: 42, left: margin, right: cardSize.width - margin }),
    middle && placed(middle, { y: 132, height: 304, left: margin, right: cardSize.width - margin }),
    sentence && placed(sentence, { y: 500, height: 84, left: margin + 116, right: 890, fromLeft: true }),
    name && {
      input: name.png,
      top: 542 - Math.round(name.height / 2),
      left: cardSize.width - margin - name.width,
    },
  ];
  const card = sharp(Buffer.from(frame(seal))).composite(parts.filter((part) => part !== null));
  return new Uint8Array(await card.png({ palette: true, quality: 90 }).toBuffer());
}

interface Place {
  readonly y: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Start at the left whatever the direction of the text, because the seal is on the left. */
  readonly fromLeft?: boolean;
}

/** Centers a text vertically and aligns it to the side where it starts. */
function placed({ png, width, height, fromRight }: RenderedText, place: Place) {
  return {
    input: png,
    top: place.y + Math.max(0, Math.round((place.height - height) / 2)),
    left: fromRight && !place.fromLeft ? place.right - width : place.left,
  };
}

function frame(seal: SealKind | null): string {
  const { width, height } = cardSize;
  const stamp =
    seal &&
    `<g transform="translate(${margin} 494) scale(2)">
      <path d="${sealPaths.outline}" fill="${colors.seal}"/>
      <circle cx="24" cy="24" r="16.6" fill="none" stroke="${colors.onSeal}" stroke-opacity="0.4" stroke-width="0.9"/>
      <path d="${sealPaths.glyphs[seal]}" fill="none" stroke="${colors.onSeal}" stroke-width="2.2"
        stroke-linecap="round" stroke-linejoin="round"/>
    </g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${colors.paper}"/>
    <rect x="${margin}" y="470" width="${inner}" height="2" fill="${colors.line}"/>
    ${stamp ?? ""}
  </svg>`;
}

/** How to render a text. Lengths in pixels. */
interface TextStyle {
  readonly weight: Weight;
  readonly size: number;
  readonly color: string;
  readonly width: number;
  /** Longer text is rendered smaller, so that it fits. */
  readonly height: number;
}

/** A rendered text, no larger than requested. */
interface RenderedText {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  /** It starts at the right, as Arabic and Hebrew do. */
  readonly fromRight: boolean;
}

/** Control characters, and characters that change the text direction. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]+/gu;

/**
 * Renders text in any script: Pango shapes it, orders both directions and breaks lines.
 *
 * `ImageResponse` of next/og would fetch missing characters from Google and jsDelivr, which leaks titles and fails
 * offline, and it does not support right-to-left text.
 * @returns null for text without visible characters
 */
export async function renderText(text: string, style: TextStyle): Promise<RenderedText | null> {
  const clean = text.replace(CONTROL_CHARACTERS, " ").replace(/\s+/gu, " ").trim();
  if (!/[^\s\p{Cf}\p{M}]/u.test(clean)) return null;
  await loadFonts(clean, style.weight);
  const weight = style.weight === "strong" ? "bold" : "normal";
  const markup = `<span foreground="${style.color}" weight="${weight}" insert_hyphens="false" line_height="1.08">${escaped(clean)}</span>`;
  const font = `${familiesOf(style.weight)} ${style.size}`;
  const common = { text: markup, font, width: style.width, wrap: "word-char", rgba: true } as const;
  const natural = await toPng(sharp({ text: { ...common, dpi: 72 } }));
  const fits = natural.height <= style.height && natural.width <= style.width;
  const set = fits ? natural : await toPng(sharp({ text: { ...common, height: style.height } }));
  return { ...set, fromRight: startsRight(clean) };
}

async function toPng(image: Sharp): Promise<Omit<RenderedText, "fromRight">> {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Returns whether text is right-to-left, by its first letter with a direction, as `dir="auto"` does. */
function startsRight(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? "";
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}
