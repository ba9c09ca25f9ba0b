/** Address of an image from elsewhere as we pass it on: its site learns nothing of the reader. */
export function proxied(image: string): string {
  return `/api/og/image?${new URLSearchParams({ src: image })}`;
}
