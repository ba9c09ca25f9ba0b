"use client";

import { useState } from "react";
import { useWords } from "#words";
import { useLookup } from "@/components/compose/use-lookup";
import { TextField } from "@/components/ui/field";
import { Avatar } from "@/components/ui/identicon";

export interface PickedAccount {
  readonly userId: string;
  readonly nickname: string;
}

export interface AccountPickerProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: PickedAccount | null;
  readonly onChange: (account: PickedAccount) => void;
}

/** Finds an account by the start of its nickname or by its user id, for operators. */
export function AccountPicker({ label, hint, value, onChange }: AccountPickerProps) {
  const { t } = useWords();
  const [q, setQ] = useState("");
  const found = useLookup(q.trim() || null, async (question, signal) => {
    const { api, contract } = await import("@/components/api");
    return (await api.call(contract.desk.accounts, { q: question }, { signal })).accounts;
  });
  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        hint={hint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={q}
        onValue={setQ}
      />
      {found.length > 0 ? (
        <fieldset className="grid gap-1">
          <legend className="sr-only">{label}</legend>
          {found.map((account) => (
            <label
              key={account.userId}
              className="ease tap flex cursor-pointer items-center gap-2 rounded-control border px-3 py-2 hover:border-line-strong has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-sea"
            >
              <input
                type="radio"
                name="account"
                checked={account.userId === value?.userId}
                onChange={() => onChange(account)}
                className="size-4 accent-(--ink)"
              />
              <Avatar userId={account.userId} image={account.profileImage} size="xs" />
              <span className="truncate font-medium">{account.nickname}</span>
              {account.role ? (
                <span className="text-sm text-soft">{t(`desk.role.${account.role}`)}</span>
              ) : null}
            </label>
          ))}
        </fieldset>
      ) : q.trim() ? (
        <p className="text-sm text-soft">{t("desk.none")}</p>
      ) : null}
    </div>
  );
}
