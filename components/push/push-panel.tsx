"use client";

import { BellRing, Smartphone, Trash2 } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import { api, contract, sentence } from "@/components/api";
import { Button, IconButton } from "@/components/ui/button";
import { ErrorNote, Note, Skeleton } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { toast } from "@/components/ui/toast";
import type { ResponseBody } from "@/lib/contract";
import { currentSubscription, pushAbility, subscribe, subscriptionBody } from "./browser";

type Known = ResponseBody<typeof contract.push.get>;
type Device = Known["subscriptions"][number];

/** Turns push messages on and off for this device, and lists the devices that receive them. */
export function PushPanel() {
  const words = useWords();
  const [known, setKnown] = useState<Known | null>(null);
  const [here, setHere] = useState<PushSubscription | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [isBlocked, setBlocked] = useState(false);
  const ability = pushAbility();

  const look = useCallback(async () => {
    const [answer, subscription] = await Promise.all([
      api.call(contract.push.get, {}),
      pushAbility() === "possible" ? currentSubscription() : null,
    ]);
    setKnown(answer);
    setHere(subscription);
    if (pushAbility() === "possible") setBlocked(Notification.permission === "denied");
  }, []);
  useEffect(() => {
    look().catch((cause: unknown) => setError(sentence(words, cause)));
  }, [look, words]);

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
      await look();
    } catch (cause) {
      setError(cause instanceof DOMException ? words.t("push.failed") : sentence(words, cause));
    } finally {
      setBusy(false);
    }
  };
  const turnOn = (publicKey: string) =>
    run(async () => {
      const answer = await Notification.requestPermission();
      if (answer !== "granted") {
        setBlocked(answer === "denied");
        if (answer !== "denied") setError(words.t("push.refused"));
        return;
      }
      await api.call(contract.push.add, subscriptionBody(await subscribe(publicKey)));
      toast({ text: words.t("push.turnedOn") });
    });
  const turnOff = (subscription: PushSubscription) =>
    run(async () => {
      // The server first, or it would keep sending to a deleted subscription if this failed halfway.
      await api.call(contract.push.remove, { endpoint: subscription.endpoint });
      await subscription.unsubscribe();
      toast({ text: words.t("push.turnedOff") });
    });
  const remove = (device: Device) =>
    run(async () => {
      await api.call(contract.push.remove, { id: device.id });
      if (device.isCurrent) await here?.unsubscribe();
      toast({ text: words.t("push.turnedOff") });
    });

  if (!known) return error ? <ErrorNote>{error}</ErrorNote> : <Skeleton className="h-16 w-full" />;
  const isOn = here !== null && known.subscriptions.some((device) => device.isCurrent);
  return (
    <div className="grid gap-4">
      {known.publicKey === null ? (
        <p className="text-soft">{words.t("push.unavailable")}</p>
      ) : ability !== "possible" ? (
        <Note>{ability === "needs-install" ? words.t("push.install") : words.t("push.unsupported")}</Note>
      ) : isBlocked ? (
        <Note tone="warning">{words.t("push.blocked")}</Note>
      ) : (
        <div className="grid gap-3">
          <p className="text-soft">
            {words.t(isOn ? "push.on" : "push.lead")} {words.t("push.lockScreen")}
          </p>
          <div>
            <Button
              busy={busy}
              onClick={() => void (isOn && here ? turnOff(here) : turnOn(known.publicKey ?? ""))}
            >
              <BellRing className="size-4" aria-hidden />
              {words.t(isOn ? "push.turnOff" : "push.turnOn")}
            </Button>
          </div>
        </div>
      )}
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      {known.subscriptions.length > 0 ? (
        <Devices devices={known.subscriptions} busy={busy} onRemove={(device) => void remove(device)} />
      ) : null}
    </div>
  );
}

interface DevicesProps {
  readonly devices: readonly Device[];
  readonly busy: boolean;
  readonly onRemove: (device: Device) => void;
}

function Devices({ devices, busy, onRemove }: DevicesProps) {
  const { t } = useWords();
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{t("push.devices")}</h3>
      <ul className="divide-y rounded-sheet border bg-sheet">
        {devices.map((device) => (
          <li key={device.id} className="flex items-center gap-3 px-4 py-2">
            <Smartphone className="size-4 shrink-0 text-soft" aria-hidden />
            <span className="min-w-0 flex-1">
              <span className="block truncate">
                {device.label}
                {device.isCurrent ? <span className="text-soft"> ({t("common.thisDevice")})</span> : null}
              </span>
              <span className="block text-sm text-soft">
                {t("push.since")} <TimeAgo at={device.createdAt} />
              </span>
            </span>
            <IconButton
              label={t("push.remove", { label: device.label })}
              disabled={busy}
              onClick={() => onRemove(device)}
            >
              <Trash2 className="size-4" aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
