/** An image without what it says beside its picture. */
export interface CleanImage {
  readonly bytes: Buffer;
  /** In pixels, as the file declares them. */
  readonly width: number;
  readonly height: number;
}
