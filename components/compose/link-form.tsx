"use client";

import type { Editor } from "@tiptap/react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { AddressForm } from "./address-form";
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
  const close = () => {
    editor.commands.focus();
    onClose();
  };
  const set = (address: string) => {
    const href = linkAddress(address);
    if (!href) return t("composer.linkWrong");
    const chain = editor.chain().focus();
    if (before) chain.extendMarkRange("link").setLink({ href }).run();
    else if (editor.state.selection.empty) {
      chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.setLink({ href }).run();
    onClose();
    return null;
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    onClose();
  };
  return (
    <AddressForm
      name={t("composer.link")}
      label={t("composer.linkAddress")}
      initial={before}
      confirm={t(before ? "composer.linkChange" : "composer.linkSet")}
      onAddress={set}
      onClose={close}
      className="grid gap-2 border-t p-3"
      more={
        before ? (
          <Button size="sm" tone="quiet" onClick={remove}>
            {t("composer.linkRemove")}
          </Button>
        ) : null
      }
    />
  );
}
