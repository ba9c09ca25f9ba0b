/** Thrown for an image that breaks off, or whose parts are not where it says. */
export class DamagedImage extends Error {
  override readonly name = "DamagedImage";
}

/** Most parts (chunks, segments) of an image: each costs time, and the largest photos have some thousands. */
const maxParts = 50_000;

/** Reads bytes in order. */
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

  /** Goes on to the next part. @throws DamagedImage when there are too many */
  nextPart(): void {
    this.#parts += 1;
    if (this.#parts > maxParts) throw new DamagedImage("the image has too many parts");
  }

  /** The next bytes, not copied. @throws DamagedImage when there are fewer */
  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new DamagedImage("the image breaks off");
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Everything that is left. */
  rest(): Buffer {
    return this.take(this.bytes.length - this.#at);
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  skipTo(at: number): void {
    this.#at = at;
  }
}
