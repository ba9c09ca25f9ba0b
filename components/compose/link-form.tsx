"use client";

import type { Editor } from "@tiptap/react";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { linkAddress } from "./link-address";

export interface LinkFormProps {
  readonly editor: Editor;
  readonly onClose: () => void;
}

/** Makes the selection a link, or changes or removes the link in which the caret stands. */
export function LinkForm({ editor, onClose }: LinkFormProps) {
  const { t } = useWords();
  const [before] = useState(() => {
    const href: unknown = editor.getAttributes("link").href;
    return typeof href === "string" ? href : "";
  });
  const [address, setAddress] = useState(before);
  const [isWrong, setWrong] = useState(false);
  const set = () => {
    const href = linkAddress(address);
    if (!href) return setWrong(true);
    const chain = editor.chain().focus();
    if (before) chain.extendMarkRange("link").setLink({ href }).run();
    else if (editor.state.selection.empty) {
      chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.setLink({ href }).run();
    onClose();
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      editor.commands.focus();
      onClose();
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) set();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form cannot stand inside another form
    <div role="group" aria-label={t("composer.link")} className="grid gap-2 border-t p-3">
      <Field label={t("composer.linkAddress")} error={isWrong ? t("composer.linkWrong") : null}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              setWrong(false);
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={set}>
          {t(before ? "composer.linkChange" : "composer.linkSet")}
        </Button>
        {before ? (
          <Button size="sm" tone="quiet" onClick={remove}>
            {t("composer.linkRemove")}
          </Button>
        ) : null}
        <Button size="sm" tone="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}
