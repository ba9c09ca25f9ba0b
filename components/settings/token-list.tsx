"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { useKeptFocus } from "@/components/staff/use-optimistic-rows";
import { Button } from "@/components/ui/button";
import { CopyField } from "@/components/ui/copy-field";
import { EmptyState, Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, ResponseBody } from "@/lib/contract";
import { automationScopes } from "@/lib/contract/automation-scopes";
import { LIMITS } from "@/lib/contract/limits";
import { dateOnly } from "@/lib/i18n/time";
import { NewToken, type Place } from "./new-token";
import { dollars } from "./token-money";

export type Token = ResponseBody<typeof contract.auth.tokens>["tokens"][number];

export interface TokenListProps {
  readonly initial: readonly Token[];
  /** Topics of the member, to which a token can be limited. */
  readonly topics: readonly Place[];
}

/** The member's tokens for automation. Revoking one shows at once; a refusal restores it. */
export function TokenList({ initial, topics }: TokenListProps) {
  const words = useWords();
  const { t } = words;
  const { shown, act } = useOptimisticState(initial);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useKeptFocus<HTMLUListElement>(shown.length);
  const isFull = shown.length >= LIMITS.automation.tokens;
  const made = ({ token, automation }: ResponseBody<typeof contract.auth.createToken>) => {
    setSecret(token);
    setMaking(false);
    void act({ change: (tokens) => [automation, ...tokens], send: async () => undefined });
  };
  const revoke = async ({ id, name }: Token) => {
    const change = (tokens: readonly Token[]) => tokens.filter((token) => token.id !== id);
    const result = await act({
      change,
      send: ({ api, contract }) => api.call(contract.auth.revokeToken, { tokenId: id }),
      // It has already ended.
      refused: ({ code }) => (code === "token_not_found" ? change : (tokens) => tokens),
      toast: (failure) =>
        failure.code === "token_not_found" ? null : { tone: "wrong", text: failure.sentence },
    });
    if (result.ok) toast({ text: t("tokens.revoked", { name }) });
  };
  const titleOf = (id: string) => topics.find((topic) => topic.id === id)?.title ?? t("tokens.otherTopic");
  return (
    <>
      {secret ? (
        <Note title={t("tokens.once")}>
          <div className="flex flex-wrap gap-2 sm:flex-nowrap">
            <CopyField label={t("tokens.token")} value={secret} button={t("tokens.copy")} />
          </div>
        </Note>
      ) : null}
      {shown.length === 0 ? (
        <EmptyState title={t("tokens.noneTitle")}>{t("tokens.none")}</EmptyState>
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t("tokens.title")}
          className="divide-y rounded-sheet border bg-sheet outline-none"
        >
          {shown.map((token) => (
            <li key={token.id} className="flex items-start gap-3 px-4 py-3">
              <KeyRound className="mt-0.5 size-5 shrink-0 text-soft" aria-hidden />
              <div className="grid min-w-0 flex-1 gap-0.5">
                <p className="font-medium wrap-anywhere" dir="auto">
                  {token.name}
                </p>
                <p className="text-sm text-soft">
                  {[
                    ...automationScopes
                      .filter((scope) => token.scopes.includes(scope))
                      .map((scope) => t(`tokens.scopes.${scope}`)),
                    ...token.scopes.filter((scope) => scope.includes(".")),
                  ].join(", ")}
                </p>
                <p className="text-sm text-soft">
                  {token.topicIds
                    ? t("tokens.onlyIn", { topics: token.topicIds.map(titleOf).join(", ") })
                    : t("tokens.everywhere")}
                  {token.spendCap > 0
                    ? ` ${t("tokens.spent", { spent: dollars(token.spent), cap: dollars(token.spendCap) })}`
                    : null}
                </p>
                <p className="flex flex-wrap gap-x-2 text-sm text-soft">
                  <span>
                    {t("settings.lastSeen")} <TimeAgo at={token.lastSeenAt} />
                  </span>
                  <span aria-hidden="true">·</span>
                  <span>
                    {t("tokens.until", { date: dateOnly(words, new Date(token.expiresAt), new Date()) })}
                  </span>
                </p>
              </div>
              <Button
                size="sm"
                aria-label={t("tokens.revokeOne", { name: token.name })}
                onClick={() => void revoke(token)}
              >
                {t("tokens.revoke")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isFull ? (
        <p className="text-sm text-soft">{t("tokens.full", { n: LIMITS.automation.tokens })}</p>
      ) : (
        <div>
          <Button tone="primary" onClick={() => setMaking(true)}>
            {t("tokens.make")}
          </Button>
        </div>
      )}
      {isMaking ? <NewToken topics={topics} onMade={made} onClose={() => setMaking(false)} /> : null}
    </>
  );
}
