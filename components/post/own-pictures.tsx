"use client";

import { createContext, type ReactNode, useContext } from "react";
import { type OwnPictures, pictureAddress } from "./picture-address";

const Own = createContext<OwnPictures | null>(null);

/** Says to everything below which pictures are ours. */
export function OwnPicturesProvider(props: { readonly own: OwnPictures; readonly children: ReactNode }) {
  return <Own value={props.own}>{props.children}</Own>;
}

/** The function `pictureAddress` of this site. */
export function usePictureAddress(): (named: string) => string {
  const own = useContext(Own);
  if (!own) throw new Error("OwnPicturesProvider is missing above");
  return (named) => pictureAddress(named, own);
}
