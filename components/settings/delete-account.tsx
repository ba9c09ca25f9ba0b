"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { forgetBlocks } from "@/components/block/blocks";
import { callApi } from "@/components/call-api";
import { TypedConfirmation } from "@/components/staff/confirm-dialog";
import { PROVE_AGAIN_CODE, ProveAgain } from "@/components/staff/prove-again";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNote, Note } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import { mayHaveSecret } from "@/lib/client/anonymous/flag";
import { forgetDrafts } from "@/lib/client/drafts";
import { forgetSaved } from "@/lib/client/saved";

export interface DeleteAccountProps {
  readonly userId: string;
  readonly nickname: string;
  /** Topics that need another owner first. */
  readonly owned: readonly OwnedTopic[];
  /** Titles of topics that return to their previous owner. */
  readonly returning: readonly string[];
  /** True after the member proved again in order to delete the account. */
  readonly asked?: boolean;
}

const stays = ["posts", "names", "records", "reports", "bans", "crowds", "log", "holds", "backups"] as const;
const goes = ["name", "proofs", "lists", "sessions"] as const;

/** Deletes the account: what is deleted, what stays, what blocks the deletion, and a confirmation by typing the nickname. */
export function DeleteAccount({ userId, nickname, owned, returning, asked = false }: DeleteAccountProps) {
  const { t } = useWords();
  const [blocking, setBlocking] = useState(owned);
  const [isOpen, setOpen] = useState(asked && owned.length === 0);
  return (
    <div className="grid gap-4">
      <p className="text-soft">{t("settings.deleteLead")}</p>
      {blocking.length > 0 ? (
        <OwnedTopics topics={blocking} />
      ) : (
        <div>
          <Button tone="danger" onClick={() => setOpen(true)}>
            {t("settings.delete")}
          </Button>
        </div>
      )}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t("settings.deleteTitle")}>
        <Question
          userId={userId}
          nickname={nickname}
          returning={returning}
          onCancel={() => setOpen(false)}
          onBlocked={(topics) => {
            setBlocking(topics);
            setOpen(false);
          }}
        />
      </Dialog>
    </div>
  );
}

interface QuestionProps {
  readonly userId: string;
  readonly nickname: string;
  readonly returning: readonly string[];
  readonly onCancel: () => void;
  readonly onBlocked: (topics: readonly OwnedTopic[]) => void;
}

function Question({ userId, nickname, returning, onCancel, onBlocked }: QuestionProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isStale, setStale] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() !== nickname.toLowerCase()) return setWrong(t("settings.typeNameWrong"));
    setBusy(true);
    setError(null);
    setStale(false);
    const answer = await callApi(words, async ({ api, contract }) => {
      // Load this first: once the account is deleted, the device must forget it even if the network fails.
      const [{ forgetEntriesOf }, { forgetSecret }] = await Promise.all([
        import("@/lib/client/outbox"),
        import("@/lib/client/anonymous/secret"),
      ]);
      await api.call(contract.profile.deleteAccount, {});
      return async () => {
        const secret = mayHaveSecret(userId) ? forgetSecret(userId) : undefined;
        await Promise.allSettled([forgetEntriesOf(userId), secret]);
      };
    });
    if (!answer.ok) {
      setBusy(false);
      if (answer.code === PROVE_AGAIN_CODE) return setStale(true);
      const topics = answer.code === "owns_topics" ? answer.body?.topics : null;
      if (topics && topics.length > 0) return onBlocked(topics);
      return setError(topics ? t("settings.ownsNow") : answer.sentence);
    }
    // Payments and wallets stay. Independently, because a browser that blocks one kind of storage may allow the other.
    await Promise.allSettled([forgetSaved(), answer.value()]);
    forgetDrafts(userId);
    forgetBlocks();
    router.push("/");
    router.refresh();
    toast({ text: t("settings.deleted") });
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <Facts
        title={t("settings.goesTitle")}
        items={[
          ...goes.map((one) => t(`settings.goes.${one}`)),
          ...returning.map((title) => t("settings.returns", { title })),
        ]}
      />
      <Facts
        title={t("settings.staysTitle")}
        items={stays.map((one) => t(`settings.stays.${one}`, { name: nickname }))}
      />
      <TypedConfirmation
        label={t("settings.typeName", { name: nickname })}
        value={typed}
        error={wrong}
        onChange={(text) => {
          setTyped(text);
          setWrong(null);
        }}
      />
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      {isStale ? <ProveAgain next="/settings?delete=1" /> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("settings.deleteForGood")}
        </Button>
      </div>
    </form>
  );
}

function Facts({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  return (
    <section className="grid gap-1">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="grid list-disc gap-1 ps-5 text-soft">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}

interface OwnedTopic {
  readonly id: string;
  readonly title: string;
}

/** Topics that block the deletion until they have another owner. */
function OwnedTopics({ topics }: { readonly topics: readonly OwnedTopic[] }) {
  const { t } = useWords();
  return (
    <Note tone="warning" title={t("settings.ownsTitle")}>
      <p>{t("settings.owns")}</p>
      <ul className="mt-2 grid gap-1">
        {topics.map((topic) => (
          <li key={topic.id}>
            <Link
              href={`/topics/${topic.id}/members`}
              className="link tap inline-flex items-center"
              dir="auto"
            >
              {topic.title}
            </Link>
          </li>
        ))}
      </ul>
    </Note>
  );
}
