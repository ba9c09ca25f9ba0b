/** Thrown for an image that is incomplete or malformed. */
export class DamagedImage extends Error {
  override readonly name = "DamagedImage";
}

/** Maximum chunks or segments of an image: each costs time, and the largest photos have a few thousand. */
const maxParts = 50_000;

/** Reads bytes sequentially. */
export class Reader {
  #at = 0;
  #parts = 0;

  constructor(readonly bytes: Buffer) {}

  get at(): number {
    return this.#at;
  }

  get ended(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** Counts a chunk or segment. @throws DamagedImage for too many */
  nextPart(): void {
    this.#parts += 1;
    if (this.#parts > maxParts) throw new DamagedImage("the image has too many parts");
  }

  /** Skips bytes: much cheaper than taking them. @throws DamagedImage if there are fewer */
  skip(length: number): void {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new DamagedImage("the image is incomplete");
    this.#at = end;
  }

  /** Returns the next bytes without copying them. @throws DamagedImage if there are fewer */
  take(length: number): Buffer {
    const from = this.#at;
    this.skip(length);
    return this.bytes.subarray(from, this.#at);
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  skipTo(at: number): void {
    this.#at = at;
  }
}

/** An image without metadata. */
export interface CleanImage {
  readonly bytes: Buffer;
  /** In pixels, as the file declares them. */
  readonly width: number;
  readonly height: number;
}
