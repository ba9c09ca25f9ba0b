import { linksOnTheirOwn } from "@/lib/html";
import { getServices } from "@/lib/runtime/services";

/** Links of a post that are shown as cards: to other sites, and not in the middle of a sentence. */
export async function cardLinks(content: string): Promise<string[]> {
  const { deployment } = await getServices();
  return linksOnTheirOwn(content, [new URL(deployment.services.appUrl).origin]);
}
