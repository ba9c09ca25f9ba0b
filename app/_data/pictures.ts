import { type OwnPictures, pictureAddress } from "@/components/post/picture-address";
import { replaceImages } from "@/lib/html";
import { getServices } from "@/lib/runtime/services";
import { bucketPrefix } from "@/lib/storage/settings";

/** Which pictures are ours. */
export async function ownPictures(): Promise<OwnPictures> {
  const { config, deployment } = await getServices();
  return { site: new URL(deployment.services.appUrl).origin, bucket: bucketPrefix(config.storageUrl) };
}

/** A post's HTML for a reader's browser: pictures from elsewhere come through this site. */
export async function withProxiedPictures(html: string): Promise<string> {
  const own = await ownPictures();
  const write = await replaceImages(html, (named) => {
    const address = pictureAddress(named, own);
    return address === named ? null : () => address;
  });
  return write([]);
}
