import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { FollowNotifications } from "@/components/notifications/bell";
import { OfflineBegin } from "@/components/offline/begin";
import { OwnPicturesProvider } from "@/components/post/own-pictures";
import { SealShapes } from "@/components/proof/seal-shapes";
import { RailCount } from "@/components/reading/count";
import { unreadOfTopic } from "@/components/reading/counts";
import { Footer } from "@/components/shell/footer";
import { KeepSignedIn } from "@/components/shell/keep-signed-in";
import { LaterParts } from "@/components/shell/later-parts";
import { BottomBar, Rail, type RailTopic } from "@/components/shell/navigation";
import { initialOf } from "@/components/topic/initial";
import { Sprite } from "@/components/ui/sprite";
import { Toaster } from "@/components/ui/toast";
import { guest, viewerMeta } from "@/lib/client/saved";
import { densityCookie, readDensity, readTheme, themeCookie } from "@/lib/client/theme";
import type { TopicListItem } from "@/lib/contract";
import type { TopicCounts } from "@/lib/contract/reading";
import { getWords } from "@/lib/i18n/server";
import { sharedHead } from "./_data/head";
import { myPicture, unreadByTopic, unreadNotifications } from "./_data/me";
import { ownPictures } from "./_data/post-content";
import { railTopics, sessionAge, viewer } from "./_data/reads";
import { shellGroups, WithWords } from "./_parts/words";
import { WorkLinks } from "./_parts/work-links";
import "./globals.css";

export const generateMetadata: () => Promise<Metadata> = sharedHead;

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfaf7" },
    { media: "(prefers-color-scheme: dark)", color: "#141311" },
  ],
};

// Every page contains the CSP nonce of its request, so none can be prerendered.
export const dynamic = "force-dynamic";

/** Topics that have room in the rail. */
const RAIL_TOPICS = 12;

const railTopic = ({ id, title }: TopicListItem, counts: ReadonlyMap<string, TopicCounts>): RailTopic => ({
  id,
  title,
  initial: initialOf(title),
  count: <RailCount topicId={id} count={unreadOfTopic(counts.get(id))} />,
});

/** The frame of every page: skip link, rail, bottom bar, toasts. */
export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const { t, locale } = await getWords();
  const chosen = await cookies();
  const theme = readTheme(chosen.get(themeCookie)?.value);
  const density = readDensity(chosen.get(densityCookie)?.value);
  const [who, own, ageMs] = await Promise.all([viewer(), ownPictures(), sessionAge()]);
  const [topics, unread, image, counts] = who
    ? await Promise.all([railTopics(), unreadNotifications(), myPicture(), unreadByTopic()])
    : [[], 0, null, new Map<string, TopicCounts>()];
  const shown = who && { userId: who.userId, nickname: who.nickname, image };
  return (
    <html
      lang={locale}
      dir="ltr"
      data-theme={theme === "system" ? undefined : theme}
      data-density={density === "comfortable" ? undefined : density}
      data-scroll-behavior="smooth"
    >
      <head>
        {/* The service worker keeps offline copies per reader (lib/worker). */}
        <meta name={viewerMeta} content={who?.userId ?? guest} />
      </head>
      <body>
        <a
          href="#content"
          className="sr-only z-50 rounded-control bg-ink px-4 py-3 text-paper focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
        >
          {t("common.skip")}
        </a>
        <Sprite />
        <SealShapes />
        <WithWords groups={shellGroups}>
          <OwnPicturesProvider own={own}>
            <div className="mx-auto md:grid md:max-w-[1276px] md:grid-cols-[64px_minmax(0,1fr)] lg:grid-cols-[232px_minmax(0,1fr)] lg:gap-4 wide:gap-8 wide:px-4">
              <Rail
                viewer={shown}
                topics={topics.slice(0, RAIL_TOPICS).map((topic) => railTopic(topic, counts))}
                unread={unread}
                bookmarks={t("me.lists.bookmarks")}
                work={who ? <WorkLinks /> : null}
              />
              <div>
                {children}
                <Footer />
              </div>
            </div>
            <BottomBar signedIn={who !== null} unread={unread} />
            {ageMs === null ? null : <KeepSignedIn ageMs={ageMs} />}
            {who ? <FollowNotifications userId={who.userId} initial={unread} /> : null}
            <OfflineBegin userId={who?.userId ?? null} />
            <LaterParts />
            <Toaster />
          </OwnPicturesProvider>
        </WithWords>
      </body>
    </html>
  );
}
