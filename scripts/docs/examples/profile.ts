import { verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { png } from "@/lib/testing/images";
import { type Example, example } from "../example";
import { leftBy, type World } from "../world";

const { profile, uploads, previews } = contract;

/** Profile, uploads and previews. */
export const profileExamples: readonly Example[] = [
  example(uploads.create)({
    as: "ada",
    input: () => ({ filename: "portrait.png", contentType: "image/png", size: 4096, purpose: "avatar" }),
  }),
  example(profile.setImage)({
    as: "ada",
    before: async (world) => world.values.set("image", await uploaded(world)),
    input: (world) => ({ imageUrl: leftBy(world, "image") }),
  }),
  example(profile.getImage)({ as: "ada" }),
  example(profile.deleteImage)({ as: "ada" }),
  example(uploads.delete)({
    as: "ada",
    before: async (world) => world.values.set("image", await uploaded(world)),
    input: (world) => ({ urls: [leftBy(world, "image"), "https://example.org/elsewhere.png"] }),
  }),
  example(profile.addDomainBadge)({
    as: "ada",
    async before({ h, users }) {
      const user = { ...(await h.login("ada")), userId: users.get("ada") ?? "" };
      await verified(h, user, { domain: "example.org", provider: "provider_a" });
    },
  }),
  example(profile.getDomainBadges)({ as: "ada" }),
  example(profile.getBadges)({ as: "ada" }),
  example(profile.removeDomainBadge)({ as: "ada", input: () => ({ domain: "example.org" }) }),
  example(previews.get)({ input: () => ({ url: "https://example.org/slow-software" }) }),
  example(previews.image)({ input: () => ({ src: "https://example.org/cover.png" }) }),
];

/** The address of an image that ada uploaded. */
async function uploaded({ h, tokens }: World): Promise<string> {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(png())], "portrait.png", { type: "image/png" }));
  form.set("purpose", "avatar");
  const answer = await h.fetch("http://localhost:3000/api/upload", {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.get("ada")}` },
    body: form,
  });
  const { publicUrl } = contract.uploads.create.responses[201].parse(await answer.json());
  return publicUrl;
}
