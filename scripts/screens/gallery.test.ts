import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changedShare, Gallery } from "./gallery";

const white = { r: 255, g: 255, b: 255, alpha: 1 };

/** Creates a white image with a black box in its corner. */
async function picture(width: number, height: number, box: number): Promise<Buffer> {
  const sheet = sharp({ create: { width, height, channels: 4, background: white } });
  const input = await sharp({ create: { width: box, height: box, channels: 4, background: "black" } })
    .png()
    .toBuffer();
  return sheet
    .composite([{ input, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

let folder = "";
let shown = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-gallery-"));
  shown = await mkdtemp(path.join(os.tmpdir(), "parley-shown-"));
});
afterEach(() => Promise.all([folder, shown].map((one) => rm(one, { recursive: true }))));

it("counts the pixels in which two images differ", async () => {
  const one = await picture(20, 10, 2);
  expect(await changedShare(one, await picture(20, 10, 2))).toBe(0);
  // 16 black pixels instead of 4.
  expect(await changedShare(one, await picture(20, 10, 4))).toBeCloseTo(12 / 200, 9);
  // Ten more rows.
  expect(await changedShare(one, await picture(20, 20, 2))).toBeCloseTo(0.5, 9);
});

it("compares with the last run, and keeps the previous version of changed screenshots", async () => {
  const first = await Gallery.open(folder);
  const home = await picture(20, 10, 2);
  await first.add("home.png", home);
  await first.add("post.png", home);
  expect(first.summary).toBe(`0 changed, 0 unchanged, 2 new in ${folder}`);

  const second = await Gallery.open(folder);
  await second.add("home.png", await picture(20, 10, 4));
  await second.add("post.png", home);
  expect(second.summary).toBe(`   6.00 %  home.png\n1 changed, 1 unchanged, 0 new in ${folder}`);
  expect(await readFile(path.join(folder, "before", "home.png"))).toEqual(home);

  await Gallery.open(folder);
  expect(await readdir(path.join(folder, "before"))).toEqual([]);
});

it("updates the committed screenshots, and adds none", async () => {
  await writeFile(path.join(shown, "home.png"), await picture(20, 10, 2));
  const gallery = await Gallery.open(folder, shown);
  const now = await picture(20, 10, 4);
  await gallery.add("home.png", now);
  await gallery.add("post.png", now);
  expect(await readdir(shown)).toEqual(["home.png"]);
  expect(await changedShare(await readFile(path.join(shown, "home.png")), now)).toBe(0);
});
