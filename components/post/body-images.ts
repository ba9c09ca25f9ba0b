import type { Picture } from "./lightbox";

/** What the pictures in a text are called in the reader's language. */
export interface ImageWords {
  /** "image 2", for one without a text of its own. */
  readonly nameOf: (n: number) => string;
  /** "Open {name}". */
  readonly open: (name: string) => string;
  /** In the place of one that cannot be had. */
  readonly gone: string;
}

/** Pictures of a text that can be opened: what stands in a link leads where the link leads. */
function openable(root: HTMLElement): HTMLImageElement[] {
  return [...root.querySelectorAll("img")].filter((image) => !image.closest("a"));
}

function nameOf(image: HTMLImageElement, at: number, words: ImageWords): string {
  return image.alt.trim() || words.nameOf(at + 1);
}

/**
 * Makes the pictures of a text buttons, and puts a sentence in the place of those that cannot be had.
 * @param open called with all of them and the index of the one that was pressed
 * @returns takes the listeners away again
 */
export function watchImages(
  root: HTMLElement,
  words: ImageWords,
  open: (pictures: readonly Picture[], at: number) => void,
): () => void {
  const replace = (image: HTMLImageElement) => {
    const note = root.ownerDocument.createElement("span");
    note.className = "image-gone";
    note.textContent = image.alt.trim() ? `${words.gone} (${image.alt.trim()})` : words.gone;
    image.replaceWith(note);
  };
  // Some may have failed before there was anybody to be told.
  for (const image of root.querySelectorAll("img")) {
    if (image.complete && image.naturalWidth === 0) replace(image);
  }
  for (const [at, image] of openable(root).entries()) {
    image.tabIndex = 0;
    image.setAttribute("role", "button");
    image.setAttribute("aria-haspopup", "dialog");
    image.setAttribute("aria-label", words.open(nameOf(image, at, words)));
  }
  const show = (event: Event) => {
    const images = openable(root);
    const at = event.target instanceof HTMLImageElement ? images.indexOf(event.target) : -1;
    if (at === -1) return;
    event.preventDefault();
    images[at]?.focus();
    open(
      images.map((image, i) => ({ src: image.currentSrc || image.src, alt: nameOf(image, i, words) })),
      at,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") show(event);
  };
  const onError = (event: Event) => {
    if (event.target instanceof HTMLImageElement) replace(event.target);
  };
  root.addEventListener("click", show);
  root.addEventListener("keydown", onKeyDown);
  // It does not bubble.
  root.addEventListener("error", onError, true);
  return () => {
    root.removeEventListener("click", show);
    root.removeEventListener("keydown", onKeyDown);
    root.removeEventListener("error", onError, true);
  };
}
