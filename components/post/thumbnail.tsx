"use client";

import { usePictureAddress } from "./own-pictures";

/** The first picture of a post, beside its title. */
export function Thumbnail({ image }: { readonly image: string }) {
  const address = usePictureAddress();
  return (
    // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
    <img
      src={address(image)}
      alt=""
      loading="lazy"
      className="hidden size-20 shrink-0 rounded-control border object-cover sm:block"
    />
  );
}
