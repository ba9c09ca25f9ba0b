import sharp from "sharp";
import { type SealKind, sealPaths } from "@/components/proof/seal-mark";
import { type SetText, setText } from "./text";

/** What a card says. Plain text of any length and script. */
export interface CardWords {
  /** Above the title, small: where it stands. */
  readonly above: string;
  readonly title: string;
  /** Beside the seal: who gets in. */
  readonly gate: string;
  readonly seal: SealKind;
  readonly brand: string;
}

/** Pixels, as Open Graph asks for them. */
export const cardSize = { width: 1200, height: 630 } as const;

const margin = 80;
const inner = cardSize.width - 2 * margin;
/** The light theme of app/globals.css: a card stands on somebody else's ground. */
const colours = {
  paper: "#fbfaf7",
  ink: "#1b1a17",
  soft: "#5e5a52",
  line: "#e5e1d8",
  seal: "#b3311a",
  onSeal: "#ffffff",
} as const;

/** A card as PNG: paper, ink and one red seal. */
export async function drawCard({
  above,
  title,
  gate,
  seal,
  brand,
}: CardWords): Promise<Uint8Array<ArrayBuffer>> {
  const small = { weight: "regular", colour: colours.soft } as const;
  const [top, middle, sentence, name] = [
    await setText(above, { ...small, size: 30, width: inner, height: 42 }),
    await setText(title, { weight: "strong", colour: colours.ink, size: 76, width: inner, height: 304 }),
    await setText(gate, { ...small, size: 34, width: 690, height: 84 }),
    await setText(brand, { weight: "strong", colour: colours.ink, size: 38, width: 200, height: 60 }),
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
  const { data } = await sharp(Buffer.from(frame(seal)))
    .composite(parts.filter((part) => part !== null))
    .png({ palette: true, quality: 90 })
    .toBuffer({ resolveWithObject: true });
  return new Uint8Array(data);
}

interface Place {
  readonly y: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Whatever the direction of its text, because something stands before it. */
  readonly fromLeft?: boolean;
}

/** In the middle of its height, beginning at the side where its text begins. */
function placed({ png, width, height, fromRight }: SetText, place: Place) {
  return {
    input: png,
    top: place.y + Math.max(0, Math.round((place.height - height) / 2)),
    left: fromRight && !place.fromLeft ? place.right - width : place.left,
  };
}

function frame(seal: SealKind): string {
  const { width, height } = cardSize;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${colours.paper}"/>
    <rect x="${margin}" y="470" width="${inner}" height="2" fill="${colours.line}"/>
    <g transform="translate(${margin} 494) scale(2)">
      <path d="${sealPaths.outline}" fill="${colours.seal}"/>
      <circle cx="24" cy="24" r="16.6" fill="none" stroke="${colours.onSeal}" stroke-opacity="0.4" stroke-width="0.9"/>
      <path d="${sealPaths.glyphs[seal]}" fill="none" stroke="${colours.onSeal}" stroke-width="2.2"
        stroke-linecap="round" stroke-linejoin="round"/>
    </g>
  </svg>`;
}
