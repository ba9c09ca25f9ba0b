import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { type UploadType, uploadTypes } from "@/lib/contract/limits";
import { cpuMs, loopBudgetMs } from "@/lib/testing/budgets/cpu";
import { gif, images, padded } from "@/lib/testing/images";
import { cleanImage } from "./index";
import { DamagedImage } from "./parts";

const secret = "Alice-1600-Amphitheatre";
/** A picture that is not symmetric, so that turning it shows. */
const picture = () =>
  sharp(Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 80, 90, 100, 7, 8, 9]), {
    raw: { width: 3, height: 2, channels: 3 },
  });
/** As a telephone would write it: place, owner, XMP, colour profile, and lying on its side. */
const marked = (image: Sharp) =>
  image
    .withIccProfile("p3")
    .withExif({
      IFD0: { Copyright: secret, Artist: secret },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><owner>${secret}</owner></x:xmpmeta>`)
    .withMetadata({ orientation: 6 });

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
  head.writeUInt32BE(data.length);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
};
/** A PNG with texts of every kind behind its header. */
const withTexts = (png: Buffer) =>
  Buffer.concat([
    png.subarray(0, 33),
    chunk("tEXt", Buffer.from(`Author\0${secret}`)),
    chunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(secret)])),
    chunk("tIME", Buffer.from([7, 0xea, 1, 2, 3, 4, 5])),
    chunk("prIv", Buffer.from(secret)),
    png.subarray(33),
  ]);
/** A JPEG with a comment, IPTC and a thumbnail beside. */
const withSegments = (jpeg: Buffer) =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    ...[0xfe, 0xed, 0xe5].map((marker) =>
      Buffer.concat([Buffer.from([0xff, marker, 0, secret.length + 2]), Buffer.from(secret)]),
    ),
    jpeg.subarray(2),
  ]);

const photos: Readonly<Record<string, readonly [UploadType, () => Promise<Buffer>]>> = {
  JPEG: ["image/jpeg", async () => withSegments(await marked(picture().jpeg()).toBuffer())],
  "progressive JPEG": ["image/jpeg", () => marked(picture().jpeg({ progressive: true })).toBuffer()],
  PNG: ["image/png", async () => withTexts(await marked(picture().png()).toBuffer())],
  "lossless WebP": ["image/webp", () => marked(picture().webp({ lossless: true })).toBuffer()],
  WebP: ["image/webp", () => marked(picture().webp()).toBuffer()],
};

describe("security F12: an image without its metadata", () => {
  it.each(Object.entries(photos))("%s", async (_, [type, make]) => {
    const photo = await make();
    // What comes behind the end, as the film of a moving photo does.
    const { bytes, width, height } = await cleanImage(type, Buffer.concat([photo, Buffer.from(secret)]));
    expect([width, height]).toEqual([3, 2]);
    const before = await sharp(photo).metadata();
    const after = await sharp(bytes, { failOn: "warning" }).metadata();
    expect(before.exif?.includes(secret)).toBe(true);
    expect(before.orientation).toBe(6);
    expect(bytes.includes(secret)).toBe(false);
    expect(after.xmp).toBeUndefined();
    expect(after.iptc).toBeUndefined();
    // Which way is up stays, as all there is of EXIF.
    expect(after.orientation).toBe(6);
    expect(after.exif?.length).toBeLessThanOrEqual(32);
    const drawn = (image: Buffer) => sharp(image).rotate().toColourspace("srgb").raw().toBuffer();
    expect(await drawn(bytes)).toEqual(await drawn(photo));
    // What the colours mean stays, and its texts go.
    expect(before.icc?.includes("Copyright") || before.icc?.includes("desc")).toBe(true);
    expect(after.icc?.length).toBe(before.icc?.length);
    expect(after.icc?.includes("desc")).toBe(false);
  });

  it("GIF: comments and foreign applications go, the animation stays", async () => {
    const frames = await sharp(Buffer.from([255, 0, 0, 0, 0, 255]), {
      raw: { width: 1, height: 2, channels: 3, pageHeight: 1 },
    })
      .gif({ loop: 3, delay: [100, 200] })
      .toBuffer();
    const extension = (label: number, name: string) =>
      Buffer.from([
        0x21,
        label,
        ...(name ? [11, ...Buffer.from(name)] : []),
        secret.length,
        ...Buffer.from(secret),
        0,
      ]);
    const at = 13 + (frames[10] && frames[10] & 0x80 ? 3 * 2 ** ((frames[10] & 7) + 1) : 0);
    const said = Buffer.concat([
      frames.subarray(0, at),
      extension(0xfe, ""),
      extension(0xff, "XMP DataXMP"),
      frames.subarray(at),
      Buffer.from(secret),
    ]);
    const { bytes, width, height } = await cleanImage("image/gif", said);
    expect([width, height]).toEqual([1, 1]);
    expect(bytes.includes(secret)).toBe(false);
    const { pages, loop, delay } = await sharp(bytes, { animated: true }).metadata();
    expect({ pages, loop, delay }).toEqual({ pages: 2, loop: 3, delay: [100, 200] });
    const raw = (image: Buffer) => sharp(image, { animated: true }).raw().toBuffer();
    expect(await raw(bytes)).toEqual(await raw(frames));
  });

  it.each(uploadTypes)("what has none stays as it is: %s", async (type) => {
    const { bytes } = await cleanImage(type, images[type]);
    expect((await cleanImage(type, bytes)).bytes).toEqual(bytes);
  });
});

describe("security F19: images made to be slow", () => {
  const jpegOf = (part: Buffer) => {
    const image = images["image/jpeg"];
    const many = Buffer.alloc(9_900_000, part);
    return Buffer.concat([
      image.subarray(0, 2),
      many.subarray(0, many.length - (many.length % part.length)),
      image.subarray(2),
    ]);
  };
  it.each([
    ["ten million marker bytes", "image/jpeg", () => jpegOf(Buffer.from([0xff]))],
    ["empty segments", "image/jpeg", () => jpegOf(Buffer.from([0xff, 0xe1, 0, 2]))],
    [
      "escaped bytes",
      "image/jpeg",
      () => jpegOf(Buffer.from([0xff, 0xda, 0, 2, ...Buffer.alloc(60_000, Buffer.from([0xff, 0]))])),
    ],
    [
      "empty chunks",
      "image/png",
      () =>
        Buffer.concat([
          images["image/png"].subarray(0, 33),
          Buffer.alloc(9_600_000, chunk("IDAT", Buffer.alloc(0))),
        ]),
    ],
    [
      "short blocks",
      "image/gif",
      () => Buffer.concat([gif().subarray(0, 24), Buffer.alloc(9_900_000, 1), Buffer.from([0, 0x3b])]),
    ],
    ["ten megabytes of picture", "image/png", () => padded(images["image/png"], 10_000_000)],
  ] as const)("%s", async (_, type, make) => {
    const image = make();
    const work = () => cleanImage(type, image).catch((error) => expect(error).toBeInstanceOf(DamagedImage));
    expect(await cpuMs(work)).toBeLessThan(loopBudgetMs);
  });
});
