import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { CardDesk } from "./cards";
import { type CardWords, cardSize, drawCard, renderText } from "./draw";
import { cardVersion } from "./words";

const words: CardWords = { above: "Above", title: "Title", gate: "Gate", seal: "domain", brand: "Parley" };

const titles: readonly (readonly [what: string, title: string])[] = [
  ["short", "A"],
  ["300 characters without a place to wrap", "W".repeat(300)],
  ["300 characters with places", "It ".repeat(100)],
  ["right to left, with other scripts", "ماذا نُبقي وماذا نترك؟ Llanfair 무엇을 남길까"],
  ["Hebrew", "שלום עולם 2026"],
  ["emoji of several parts", "👨‍👩‍👧‍👦 👩🏽‍🚀 🇰🇷 ❤️ 1️⃣"],
  ["marks upon marks", "Z̷̛̤a̷̻͑l̷̳̈g̷̣͝o̶͎͝".repeat(20)],
  ["markup", "<b>&amp;</b> </span> \" '"],
  ["what cannot be shown", "\u0000\u0007\u202e\ud800\ufffe"],
  ["nothing to see", "\u200b \u00a0"],
  ["a script without a font here", "𐎠𐎡𐎢 漢字 ไทย हिन्दी"],
];

describe("a card", () => {
  it.each(titles)("%s", async (_, title) => {
    const png = await drawCard({ ...words, title, above: title, gate: title });
    const { format, width, height } = await sharp(png).metadata();
    expect({ format, width, height }).toEqual({ format: "png", ...cardSize });
    expect(png.length).toBeLessThan(120_000);
  });

  it("shows what it says: other words, another picture", async () => {
    const [one, same, other, korean, sealed, unsealed] = await Promise.all([
      drawCard(words),
      drawCard(words),
      drawCard({ ...words, title: "Title two" }),
      drawCard({ ...words, title: "제목" }),
      drawCard({ ...words, seal: "person" }),
      drawCard({ ...words, seal: null }),
    ]);
    expect(one).toEqual(same);
    for (const different of [other, korean, sealed, unsealed]) expect(different).not.toEqual(one);
  });
});

describe("text", () => {
  const style = { weight: "strong", size: 76, color: "#000000", width: 1_040, height: 304 } as const;

  it.each(titles.slice(0, 7))("fits: %s", async (_, title) => {
    const set = await renderText(title, style);
    expect(set?.width).toBeLessThanOrEqual(style.width);
    expect(set?.height).toBeLessThanOrEqual(style.height);
  });

  it("is set in the size it has, and not blown up", async () => {
    expect((await renderText("A word", style))?.height).toBeLessThan(100);
  });

  it("begins where its script begins", async () => {
    expect((await renderText("123 שלום", style))?.fromRight).toBe(true);
    expect((await renderText("Latin שלום", style))?.fromRight).toBe(false);
  });

  it("is nothing where there is nothing to see", async () => {
    expect(await renderText("\u200b\u202e ", style)).toBeNull();
  });
});

describe("the desk", () => {
  it("draws a card once, however often it is asked for", async () => {
    let drawn = 0;
    const desk = new CardDesk(async () => {
      drawn += 1;
      return new Uint8Array([drawn]);
    });
    const cards = await Promise.all([desk.card(words), desk.card({ ...words }), desk.card(words)]);
    expect(cards).toEqual([new Uint8Array([1]), new Uint8Array([1]), new Uint8Array([1])]);
    expect(drawn).toBe(1);
  });

  it("draws one at a time, lets some wait and sends the others away", async () => {
    const open: (() => void)[] = [];
    let [atOnce, most] = [0, 0];
    const desk = new CardDesk(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise<void>((done) => open.push(done));
      atOnce -= 1;
      return new Uint8Array([1]);
    });
    const asked = Array.from({ length: 20 }, (_, i) => desk.card({ ...words, title: String(i) }));
    const answers = Promise.all(asked);
    let finished = false;
    void answers.then(() => {
      finished = true;
    });
    while (!finished) {
      open.shift()?.();
      await new Promise(setImmediate);
    }
    const cards = await answers;
    // One is being drawn and eight wait.
    expect(cards.filter((card) => card !== null)).toHaveLength(9);
    expect(most).toBe(1);
    // Whoever was sent away may come again.
    const again = desk.card({ ...words, title: "19" });
    await new Promise(setImmediate);
    open.shift()?.();
    expect(await again).not.toBeNull();
  });

  it("keeps nothing of a card that could not be drawn", async () => {
    let fail = true;
    const desk = new CardDesk(async () => {
      if (fail) throw new Error("no");
      return new Uint8Array([1]);
    });
    await expect(desk.card(words)).rejects.toThrow("no");
    fail = false;
    expect(await desk.card(words)).toEqual(new Uint8Array([1]));
  });

  it("keeps the last two hundred", async () => {
    const drawn: string[] = [];
    const desk = new CardDesk(async ({ title }) => {
      drawn.push(title);
      return new Uint8Array([1]);
    });
    for (let i = 0; i < 201; i += 1) {
      await desk.card({ ...words, title: String(i) });
      await desk.card({ ...words, title: "0" });
    }
    expect(drawn.filter((title) => title === "0")).toHaveLength(1);
    await desk.card({ ...words, title: "1" });
    expect(drawn.filter((title) => title === "1")).toHaveLength(2);
  });

  it("names a card by all it says", () => {
    const names = [
      words,
      ...(["above", "title", "gate", "brand"] as const).map((part) => ({ ...words, [part]: "other" })),
      { ...words, seal: "country" as const },
    ].map(cardVersion);
    expect(new Set(names).size).toBe(names.length);
  });
});
