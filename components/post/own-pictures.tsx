"use client";

import { createContext, type ReactNode, useContext } from "react";
import { type OwnPictures, pictureAddress } from "./picture-address";

const Own = createContext<OwnPictures | null>(null);

/** Provides the sources of this site's own pictures to the components below. */
export function OwnPicturesProvider(props: { readonly own: OwnPictures; readonly children: ReactNode }) {
  return <Own value={props.own}>{props.children}</Own>;
}

/** Returns a function that maps the address of a picture in a post to the address to load it from. */
export function usePictureAddress(): (named: string) => string {
  const own = useContext(Own);
  if (!own) throw new Error("usePictureAddress needs an OwnPicturesProvider");
  return (named) => pictureAddress(named, own);
}

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
