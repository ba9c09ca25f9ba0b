import type { Locator, Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import type { Person } from "../people";
import { person, topicOf } from "../people";

/** Something the interface does on the server, and how it says what becomes of it. */
export interface Act {
  readonly name: string;
  /** Operations of the contract that it calls, "group.name". */
  readonly operations: readonly string[];
  /** Makes the people and things it needs. @param word a word nobody else uses */
  readonly arrange: (word: string) => Promise<Stage>;
}

/** One act, arranged. */
export interface Stage {
  /** Whoever does it; null for a guest. */
  readonly who: Person | null;
  /** Where it is done. */
  readonly path: string;
  /** Before the page is opened. */
  readonly before?: (page: Page) => Promise<void>;
  /** The way to the button, once. */
  readonly open?: (page: Page) => Promise<void>;
  /** What is pressed; it shows that it is busy unless `pending` is given. */
  readonly button: (page: Page) => Locator;
  /** How it is done, each time; without it the button is clicked. */
  readonly press?: (page: Page) => Promise<void>;
  /** The request that does it. */
  readonly call: { readonly method: string; readonly path: RegExp };
  /** Something that shows while nothing is answered. */
  readonly pending?: (page: Page) => Promise<void>;
  /** What must still be there after a failure. */
  readonly kept?: (page: Page) => Promise<void>;
  /** It was done, and that is said. */
  readonly done: (page: Page) => Promise<void>;
}

/** The first category; topics need one. */
export async function categoryOf({ api }: Person): Promise<string> {
  const { categories } = await api.call(contract.categories.list, {});
  return categories[0]?.id ?? "";
}

/** A public topic of its own with an owner and a member. */
export interface Room {
  readonly owner: Person;
  readonly member: Person;
  readonly topicId: string;
  readonly title: string;
}

export async function roomOf(word: string): Promise<Room> {
  const [owner, member] = [await person(`o_${word}`), await person(`m_${word}`)];
  const title = `A room ${word}`;
  return { owner, member, title, topicId: await topicOf(owner, title, [member]) };
}

/** A post of the room's member. @returns its id */
export async function postIn({ member, topicId }: Room): Promise<string> {
  const { post } = await member.api.call(contract.posts.create, {
    topicId,
    title: "Buy my lamps",
    content: "<p>Cheap lamps.</p>",
  });
  return post.id;
}

/** One pixel. */
export const picture = {
  name: "desk.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
};
