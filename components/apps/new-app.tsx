"use client";

import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { Field, Select, TextField } from "@/components/ui/field";
import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";

const { apps: limits } = LIMITS;

export interface NewAppProps {
  readonly onMade: (made: ResponseBody<typeof contract.apps.create>) => void;
  readonly onClose: () => void;
}

/** Registers an app: its name, where it runs, and where people come back to. */
export function NewApp({ onMade, onClose }: NewAppProps) {
  const { t } = useWords();
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [kind, setKind] = useState<"server" | "browser">("server");
  const missing = () => {
    if (name.trim() === "") return t("apps.nameMissing");
    return address.trim() === "" ? t("apps.addressMissing") : null;
  };
  return (
    <ConfirmDialog
      title={t("apps.make")}
      text={t("apps.makeText")}
      confirm={t("apps.make")}
      tone="primary"
      missing={missing}
      work={async ({ api, contract }) => {
        const asked = { name: name.trim(), kind, redirectUris: [address.trim()] };
        onMade(await api.call(contract.apps.create, asked));
      }}
      onDone={onClose}
      onClose={onClose}
    >
      <TextField
        label={t("apps.name")}
        value={name}
        onValue={setName}
        maxLength={limits.name}
        autoComplete="off"
      />
      <TextField
        label={t("apps.address")}
        hint={t("apps.addressHint")}
        value={address}
        onValue={setAddress}
        maxLength={limits.redirectUri}
        inputMode="url"
        autoComplete="off"
      />
      <Field label={t("apps.kind")}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={({ target }) => setKind(target.value === "browser" ? "browser" : "server")}
          >
            <option value="server">{t("apps.server")}</option>
            <option value="browser">{t("apps.browser")}</option>
          </Select>
        )}
      </Field>
    </ConfirmDialog>
  );
}
