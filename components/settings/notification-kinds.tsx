"use client";

import { useRef } from "react";
import { useWords } from "#words";
import { toast } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { contract, NotificationKind, ResponseBody } from "@/lib/contract";
import { conversationKinds, decisionKinds, ownKinds, staffKinds } from "@/lib/contract/notification-kinds";

export type NotificationKinds = ResponseBody<typeof contract.notifications.settings>["kinds"];

/** A row of the table: one kind, or all decisions. */
interface Choice {
  readonly name:
    | (typeof conversationKinds)[number]
    | (typeof staffKinds)[number]
    | (typeof ownKinds)[number]
    | "decisions";
  readonly kinds: readonly NotificationKind[];
}
const choices: readonly Choice[] = [
  ...[...conversationKinds, ...staffKinds, ...ownKinds].map((kind) => ({ name: kind, kinds: [kind] })),
  { name: "decisions", kinds: decisionKinds },
];

/** Which kinds of alerts arrive in the app, and on devices. A choice shows at once; a refusal undoes it. */
export function NotificationKindList({ initial }: { readonly initial: NotificationKinds }) {
  const { t } = useWords();
  const { shown, act } = useOptimisticState(initial);
  const sending = useRef(new Set<string>());
  const set = async ({ name, kinds }: Choice, to: { inApp?: boolean; push?: boolean }) => {
    // A second press before the answer is a mistake, not a change of mind.
    if (sending.current.has(name)) return;
    sending.current.add(name);
    const result = await act({
      on: name,
      change: (known) => known.map((one) => (kinds.includes(one.kind) ? { ...one, ...to } : one)),
      send: async ({ api, contract }) =>
        (await api.call(contract.notifications.setKinds, { kinds: [...kinds], ...to })).kinds,
      settled: (answer) => (known) =>
        known.map((one) => answer.find(({ kind }) => kind === one.kind && kinds.includes(kind)) ?? one),
    });
    sending.current.delete(name);
    if (result.ok) toast({ text: t("topicAlerts.saved") });
  };
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="border-b text-sm text-soft">
          <th scope="col" className="py-2 text-start font-medium">
            {t("topicAlerts.kind")}
          </th>
          <th scope="col" className="w-20 px-2 py-2 font-medium">
            {t("topicAlerts.inApp")}
          </th>
          <th scope="col" className="w-20 px-2 py-2 font-medium">
            {t("topicAlerts.push")}
          </th>
        </tr>
      </thead>
      <tbody>
        {choices.map((choice) => {
          const rows = shown.filter(({ kind }) => choice.kinds.includes(kind));
          if (rows.length === 0) return null;
          const inApp = rows.every((row) => row.inApp);
          const isRequired = rows.some((row) => row.isRequired);
          const name = t(`topicAlerts.kinds.${choice.name}` as const);
          return (
            <tr key={choice.name} className="border-b">
              <th scope="row" className="py-2 pe-2 text-start font-normal">
                {name}
                {isRequired ? (
                  <span className="block text-sm text-soft">{t("topicAlerts.required")}</span>
                ) : null}
              </th>
              <td className="text-center">
                <Check
                  label={t("topicAlerts.inAppOf", { kind: name })}
                  isOn={inApp}
                  isFixed={isRequired}
                  onChange={(inApp) => void set(choice, { inApp })}
                />
              </td>
              <td className="text-center">
                <Check
                  label={t("topicAlerts.pushOf", { kind: name })}
                  isOn={inApp && rows.every((row) => row.push)}
                  isFixed={!inApp}
                  onChange={(push) => void set(choice, { push })}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isFixed: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Check({ label, isOn, isFixed, onChange }: CheckProps) {
  return (
    <label className="tap inline-flex size-11 items-center justify-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isFixed}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 accent-(--ink) disabled:opacity-55"
      />
    </label>
  );
}
