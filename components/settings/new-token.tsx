"use client";

import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { PROVE_AGAIN_CODE, ProveAgain } from "@/components/staff/prove-again";
import { Field, Select, TextField } from "@/components/ui/field";
import type { contract, ResponseBody } from "@/lib/contract";
import { type AutomationScope, automationScopes } from "@/lib/contract/automation-scopes";
import { LIMITS } from "@/lib/contract/limits";
import { amountOf, dollars } from "./token-money";

const { automation: limits } = LIMITS;
const lifetimes = [7, 30, limits.days];

/** A topic that a token can be limited to. */
export interface Place {
  readonly id: string;
  readonly title: string;
}

export interface NewTokenProps {
  readonly topics: readonly Place[];
  readonly onMade: (made: ResponseBody<typeof contract.auth.createToken>) => void;
  readonly onClose: () => void;
}

/** Makes a token for automation: what it may do, where, for how long and for how much. */
export function NewToken({ topics, onMade, onClose }: NewTokenProps) {
  const { t } = useWords();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly AutomationScope[]>(["read"]);
  const [topicId, setTopicId] = useState("");
  const [days, setDays] = useState(30);
  const [cap, setCap] = useState("");
  const spendCap = amountOf(cap, limits.spendCap);
  const most = dollars(limits.spendCap);
  const missing = () => {
    if (name.trim() === "") return t("tokens.nameMissing");
    if (scopes.length === 0) return t("tokens.scopeMissing");
    return spendCap === null ? t("tokens.capWrong", { most }) : null;
  };
  return (
    <ConfirmDialog
      title={t("tokens.make")}
      text={t("tokens.makeText")}
      confirm={t("tokens.make")}
      tone="primary"
      missing={missing}
      answers={{ [PROVE_AGAIN_CODE]: <ProveAgain next="/settings/tokens" /> }}
      work={async ({ api, contract }) => {
        const asked = { name: name.trim(), scopes: [...scopes], days, spendCap: spendCap ?? 0 };
        const topicIds = topicId ? [topicId] : undefined;
        onMade(await api.call(contract.auth.createToken, { ...asked, topicIds }));
      }}
      onDone={onClose}
      onClose={onClose}
    >
      <TextField
        label={t("tokens.name")}
        hint={t("tokens.nameHint")}
        value={name}
        onValue={setName}
        maxLength={limits.name}
        autoComplete="off"
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-sm font-medium">{t("tokens.may")}</legend>
        {automationScopes.map((scope) => (
          <label key={scope} className="tap flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-(--ink)"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes((before) =>
                  target.checked ? [...before, scope] : before.filter((one) => one !== scope),
                )
              }
            />
            <span>
              <span className="font-medium">{t(`tokens.scopes.${scope}`)}</span>
              <span className="block text-sm text-soft">{t(`tokens.scopeHints.${scope}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field label={t("showDomain.where")}>
        {(control) => (
          <Select {...control} value={topicId} onChange={(event) => setTopicId(event.target.value)}>
            <option value="">{t("tokens.allTopics")}</option>
            {topics.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("tokens.lasts")}>
        {(control) => (
          <Select {...control} value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {lifetimes.map((n) => (
              <option key={n} value={n}>
                {t("tokens.days", { n })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        label={t("tokens.cap")}
        hint={t("tokens.capHint")}
        error={spendCap === null ? t("tokens.capWrong", { most }) : undefined}
        inputMode="decimal"
        placeholder="0.00"
        value={cap}
        onValue={setCap}
      />
    </ConfirmDialog>
  );
}
