import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, race } from "@/lib/testing/crowd";
import { createPost, createTopic, deletePost, deleteTopic, updatePost } from "../index";
import { general } from "../testing";
import { claimUploads } from "./used";

const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "pictures"))("security F4a: pictures on $name", ({ open, rounds }) => {
  describe.skipIf(!open)("that go while their owner shows them elsewhere", () => {
    let database: OpenDatabase;
    let user: MemberContext;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      user = await crowdOf(database).newUser();
    });
    afterAll(() => database.close());

    const newTopic = async () =>
      (await createTopic(user, { title: "T", categoryId: general, visibility: "public" })).topic.id;
    const newPost = async (topicId: string, images: string[] = []) =>
      (await createPost(user, { topicId, title: "P", content: "<p>x</p>", media: { images } })).post.id;
    const rowOf = (key: string) =>
      database.db.selectFrom("uploads").select("stored").where("key", "=", key).executeTakeFirst();

    /** A post of a topic of its own with a picture, and a topic beside it. */
    async function pictured() {
      const key = `test/posts/${user.caller.userId}/${randomUUID()}/${randomUUID()}.png`;
      const row = { key, user_id: user.caller.userId, content_type: "image/png", size: 1, stored: true };
      await database.db
        .insertInto("uploads")
        .values({ ...row, created_at: new Date() })
        .execute();
      const url = user.storage.publicUrl(key);
      const topicId = await newTopic();
      return { key, url, topicId, postId: await newPost(topicId, [url]), elsewhere: await newTopic() };
    }
    type Pictured = Awaited<ReturnType<typeof pictured>>;

    const ways = {
      "edited out": ({ postId }: Pictured) => updatePost(user, { postId, media: { images: [] } }),
      "deleted with the post": ({ postId }: Pictured) => deletePost(user, { postId }),
      "deleted with the topic": ({ topicId }: Pictured) => deleteTopic(user, { topicId }),
    } satisfies Record<string, (place: Pictured) => Promise<unknown>>;

    for (const [name, goes] of Object.entries(ways)) {
      race(`${name}: who shows it first keeps it`, rounds, async () => {
        const place = await pictured();
        const other = await newPost(place.elsewhere);
        let going: Promise<unknown> = Promise.resolve();
        await database.db.transaction().execute(async (trx) => {
          const media = JSON.stringify({ images: [place.url], videos: [] });
          await trx.updateTable("posts").set({ media }).where("id", "=", other).execute();
          await claimUploads(trx, [place.key], "media.images");
          going = goes(place);
          // It waits for the row; with one connection it runs after this.
          await sql`select pg_sleep(0.2)`.execute(trx);
        });
        await going;
        expect(await rowOf(place.key)).toEqual({ stored: true });
      });

      race(`${name}: of all at once, what is written is shown`, rounds, async () => {
        const place = await pictured();
        // Of the same topic too, whose row both want.
        const here = name === "deleted with the topic" ? place.elsewhere : place.topicId;
        const [gone, ...written] = await Promise.allSettled([
          goes(place),
          ...Array.from({ length: 8 }, (_, i) => newPost(i % 2 ? here : place.elsewhere, [place.url])),
        ]);
        expect(gone.status).toBe("fulfilled");
        for (const one of written) {
          if (one.status === "rejected") {
            expect(["not_your_upload", "invalid_request"]).toContain(Object(one.reason).code);
          }
        }
        const shows = written.filter(({ status }) => status === "fulfilled").length;
        expect(await rowOf(place.key)).toEqual(shows > 0 ? { stored: true } : undefined);
        if (shows < written.length) expect(shows).toBe(0);
      });
    }
  });
});
