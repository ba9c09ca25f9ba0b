import { type OwnPictures, pictureAddress } from "@/components/post/picture-address";
import { linksOnTheirOwn, replaceImages } from "@/lib/html";
import { getServices } from "@/lib/runtime/services";
import { bucketPrefix } from "@/lib/settings/storage-url";

/** Where this site's own pictures come from. */
export async function ownPictures(): Promise<OwnPictures> {
  const { config, deployment } = await getServices();
  return { site: new URL(deployment.services.appUrl).origin, bucket: bucketPrefix(config.storageUrl) };
}

/** Rewrites a post's HTML so that pictures from other sites load through this site. */
export async function withProxiedPictures(html: string): Promise<string> {
  const own = await ownPictures();
  const write = await replaceImages(html, (named) => {
    const address = pictureAddress(named, own);
    return address === named ? null : () => address;
  });
  return write([]);
}

/** Returns the links of a post that show as cards: links to other sites that are not part of a sentence. */
export async function cardLinks(content: string): Promise<string[]> {
  const { deployment } = await getServices();
  return linksOnTheirOwn(content, [new URL(deployment.services.appUrl).origin]);
}
