/** Sources of pictures that browsers load directly. The content security policy allows no others. */
export interface OwnPictures {
  /** Origin of this site. */
  readonly site: string;
  /** Prefix of addresses in the upload bucket, with a trailing slash; null when this site serves uploads. */
  readonly bucket: string | null;
}

/**
 * Returns the address from which a browser loads a picture in a post. Pictures of other sites load through the image
 * proxy, so that their authors do not learn who reads the post, or from where.
 */
export function pictureAddress(named: string, { site, bucket }: OwnPictures): string {
  const address = URL.parse(named, site);
  if (!address || !/^https?:$/.test(address.protocol)) return named;
  // Relative, because this site may have several host names.
  if (address.origin === site) return `${address.pathname}${address.search}`;
  return bucket && address.href.startsWith(bucket) ? address.href : proxied(address.href);
}

/** Returns the address of a picture through the image proxy, which hides the reader from the picture's site. */
export function proxied(image: string): string {
  return `/api/og/image?${new URLSearchParams({ src: image })}`;
}
