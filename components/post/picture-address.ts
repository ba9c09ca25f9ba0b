import { proxied } from "./proxied";

/** Where pictures come from that readers' browsers may load themselves: the content security policy allows no others. */
export interface OwnPictures {
  /** Origin of this site. */
  readonly site: string;
  /** What addresses in the bucket of uploads begin with, up to a slash; null when this site serves them. */
  readonly bucket: string | null;
}

/**
 * The address at which a reader's browser gets a picture that a post names. Ours come as they are; for any other this
 * site asks, so that who placed it does not learn who reads it, or from where.
 */
export function pictureAddress(named: string, { site, bucket }: OwnPictures): string {
  const address = URL.parse(named, site);
  if (!address || !/^https?:$/.test(address.protocol)) return named;
  // By path: the page may be read under another name of this site.
  if (address.origin === site) return `${address.pathname}${address.search}`;
  return bucket && address.href.startsWith(bucket) ? address.href : proxied(address.href);
}
