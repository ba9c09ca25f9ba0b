import type { BrowserContext, Page } from "@playwright/test";
import sharp from "sharp";
import { contract } from "@/lib/contract";
import { untilQuiet } from "@/scripts/screens/pictures";
import { uniqueWord } from "./installation";
import { type Person, person, topicOf } from "./people";

/** Where the pictures of these posts are; nobody is asked for them, see `paint`. */
const pictures = "https://pictures.example";

/** A post with everything a reader can do something with. */
export interface ReadPost {
  readonly author: Person;
  readonly reader: Person;
  readonly outsider: Person;
  readonly topicId: string;
  readonly postId: string;
  readonly path: string;
  /** Ids of comments: a chain of ten of both, the author's first; then one of the reader's own. */
  readonly chain: readonly string[];
  readonly own: string;
}

export interface ReadPostOptions {
  readonly images?: number;
  readonly several?: boolean;
  readonly closesAt?: string;
}

/** Makes such a post, with people of its own. */
export async function readPost(options: ReadPostOptions = {}): Promise<ReadPost> {
  const word = uniqueWord();
  const [author, reader, outsider] = await Promise.all([
    person(`acts_a_${word}`),
    person(`acts_b_${word}`),
    person(`acts_c_${word}`),
  ]);
  const topicId = await topicOf(author, `Bread and what else rises ${word}`, [reader]);
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Which flour keeps longest in a damp kitchen?",
    content: `<p>Two years of notes, and <strong>one</strong> question.</p><p><img src="${pictures}/0-900x600.png" alt="A shelf with jars"></p><p><img src="${pictures}/gone.png" alt="The cellar"></p><p>What do you keep?</p>`,
    tags: ["baking", "storage"],
    media: {
      images: Array.from(
        { length: options.images ?? 3 },
        (_, i) => `${pictures}/${i + 1}-800x${500 + i * 150}.png`,
      ),
    },
    poll: {
      question: "What do you bake with most?",
      options: ["Rye", "Wheat, the strong kind", "Spelt"],
      multipleChoice: options.several ?? false,
      closesAt: options.closesAt ?? new Date(Date.now() + 3 * 86_400_000).toISOString(),
    },
  });
  const postId = post.id;
  const rye = post.poll?.options[0]?.id ?? "";
  await author.api.call(contract.posts.votePoll, { postId, optionIds: [rye] });
  await author.api.call(contract.posts.react, { postId, emoji: "\u{1F525}" });
  const chain: string[] = [];
  for (let i = 0; i < 10; i++) {
    const { comment } = await (i % 2 ? reader : author).api.call(contract.comments.create, {
      postId,
      content: `Answer number ${i + 1} in a long exchange.`,
      parentId: chain.at(-1),
    });
    chain.push(comment.id);
  }
  const { comment } = await reader.api.call(contract.comments.create, {
    postId,
    content: "Rye, in glass, with the lid shut.",
  });
  return { author, reader, outsider, topicId, postId, path: `/posts/${postId}`, chain, own: comment.id };
}

/** Answers for the pictures of these posts: `/<n>-<width>x<height>.png` is there, everything else is not. */
async function paint(page: Page): Promise<void> {
  const colours = ["#8a5a00", "#24527a", "#2f6b3c", "#b3311a", "#5e5a52"];
  await page.route(/\/api\/og\/image\?/, async (route) => {
    const named = new URL(route.request().url()).searchParams.get("src") ?? "";
    const size = /\/(\d+)-(\d+)x(\d+)\.png$/.exec(named);
    if (!size) return route.fulfill({ status: 404 });
    const [, n, width, height] = size.map(Number);
    const background = colours[(n ?? 0) % colours.length] ?? "#000";
    const body = await sharp({ create: { width: width ?? 1, height: height ?? 1, channels: 3, background } })
      .png()
      .toBuffer();
    await route.fulfill({ contentType: "image/png", body });
  });
}

/** The page of such a post, with its pictures and all its scripts. */
export async function opened(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await paint(page);
  // A page that loses the network while its scripts are on their way is another story than one that loses it later.
  await untilQuiet(page, () => page.goto(path));
  return page;
}
