/** A dialog that a key opens. */
export type Overlay = "palette" | "sheet";

export interface OverlayProps {
  readonly onClose: () => void;
  /** Opens another one in its place. */
  readonly show: (name: Overlay) => void;
}

const NAME = "parley-keys-off";

/** Returns whether keys without Control do nothing on this device (WCAG 2.1.4). */
export function keysOff(): boolean {
  return localStorage.getItem(NAME) !== null;
}

/** Turns keys without Control off or on for this device. */
export function setKeysOff(off: boolean): void {
  if (off) localStorage.setItem(NAME, "1");
  else localStorage.removeItem(NAME);
}
