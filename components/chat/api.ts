import type { StreamState } from "@/lib/client/events";
import type { Words } from "@/lib/i18n/words";
import type { ChatEvent, RoomApi } from "./room";

const load = async () => {
  const [shared, { followEvents }] = await Promise.all([
    import("@/components/api"),
    import("@/lib/client/events"),
  ]);
  return { ...shared, followEvents };
};
type Loaded = Awaited<ReturnType<typeof load>>;

/** A topic's chat by this site's API; the schemas are loaded when they are first needed. */
export function lazyRoomApi(words: Words, topicId: string, hiddenMs?: number): RoomApi {
  let loaded: Loaded | undefined;
  const ready = async () => {
    loaded ??= await load();
    return loaded;
  };
  return {
    async list(query) {
      const { api, contract } = await ready();
      return (await api.call(contract.chat.list, { topicId, ...query })).messages;
    },
    async send(text, key) {
      const { api, contract } = await ready();
      const input = { topicId, message: text };
      return (await api.call(contract.chat.send, input, { idempotencyKey: key })).message;
    },
    follow(lastEventId, onEvent, onState) {
      let stop = () => {};
      let isOver = false;
      ready().then(
        ({ contract, followEvents }) => {
          if (isOver) return;
          stop = followEvents(
            contract.chat.subscribe,
            { topicId },
            {
              lastEventId,
              onEvent: (event: ChatEvent) => onEvent(event),
              onState,
              timing: hiddenMs === undefined ? {} : { hidden: hiddenMs },
            },
          );
        },
        // The script did not load: there is no network, or a new version was put in place.
        () => onState({ kind: "offline" } satisfies StreamState),
      );
      return () => {
        isOver = true;
        stop();
      };
    },
    explain(error) {
      if (!loaded) return { sentence: words.t("problems.network"), code: "network", until: null };
      const until = error instanceof loaded.ApiError ? (error.body?.until ?? null) : null;
      return { sentence: loaded.sentence(words, error), code: loaded.codeOf(error), until };
    },
  };
}
