/** Side of a member's picture in pixels, at most. */
const SIDE = 512;
const QUALITY = 0.9;

export interface Square {
  /** In pixels of the image, as it is shown. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a part of an image anew, 512 pixels wide at most. Nothing but pixels comes along: no place, time or camera.
 * @throws Error where the browser cannot encode it
 */
export async function cutOut(image: HTMLImageElement, { x, y, width, height }: Square): Promise<File> {
  const canvas = document.createElement("canvas");
  const side = Math.max(1, Math.min(SIDE, Math.round(width)));
  canvas.width = side;
  canvas.height = side;
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("this browser cannot draw");
  brush.imageSmoothingQuality = "high";
  brush.drawImage(image, x, y, width, height, 0, 0, side, side);
  const blob = await new Promise<Blob | null>((resolve) => {
    // A browser that does not write WebP writes PNG instead and says so.
    canvas.toBlob(resolve, "image/webp", QUALITY);
  });
  if (!blob) throw new Error("this browser cannot write the picture");
  const name = blob.type === "image/webp" ? "picture.webp" : "picture.png";
  return new File([blob], name, { type: blob.type });
}
