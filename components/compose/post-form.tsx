"use client";

import { EditorContent } from "@tiptap/react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Field } from "@/components/ui/field";
import { MultiSelect } from "@/components/ui/multi-select";
import { ErrorNote, Note } from "@/components/ui/notes";
import { LIMITS } from "@/lib/contract/limits";
import { AddRow } from "./add-row";
import { AddressForm } from "./address-form";
import { Attachments } from "./attachments";
import { DraftNotes } from "./draft-notes";
import { MentionList } from "./mention-list";
import { UploadsContext } from "./picture-view";
import { newPoll } from "./poll";
import { PollFields } from "./poll-fields";
import { near } from "./problems";
import { cleanTag, isSameTag } from "./tags";
import { Left, TitleField } from "./title-field";
import { Toolbar } from "./toolbar";
import { useLookup } from "./use-lookup";
import type { PostForm as Form } from "./use-post-form";
import { videoPage } from "./videos";

export interface PostFormProps {
  readonly form: Form;
  /** How many have voted in the poll that stands already. */
  readonly votes: number;
  /** The one primary action, and what stands beside it. */
  readonly footer: ReactNode;
}

/** The form in which posts are written and changed; it looks like the post it will be. */
export function PostForm({ form, votes, footer }: PostFormProps) {
  const { t } = useWords();
  const { draft, change, editor, problems, said, undescribed } = form;
  const [isLinking, setLinking] = useState(false);
  const [isAskingVideo, setAskingVideo] = useState(false);
  const [isNewPoll, setNewPoll] = useState(false);
  const root = useRef<HTMLFormElement>(null);
  const id = useId();
  const bodyError = problems.content ? t(`composer.${problems.content}`) : (said.content ?? null);
  useFirstProblem(form, root);
  useEffect(() => {
    if (!editor || editor.isDestroyed) return;
    editor.view.dom.setAttribute("aria-invalid", String(bodyError !== null));
    editor.view.dom.setAttribute("aria-describedby", `${id}-error ${id}-left`);
  }, [editor, bodyError, id]);
  const onKeyDown = (event: KeyboardEvent) => {
    const isMod = event.metaKey || event.ctrlKey;
    if (event.key === "Enter" && isMod) void form.submit();
    else if (event.key.toLowerCase() === "k" && isMod && !event.shiftKey && editor?.isFocused)
      setLinking(true);
    // Enter in a small field does not send the post.
    else if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
  };
  const describe = () => {
    const fields = root.current?.querySelectorAll<HTMLInputElement>(
      "figure input:not([type]):not(:disabled)",
    );
    [...(fields ?? [])].find(({ value }) => value.trim() === "")?.focus();
  };
  return (
    <form
      ref={root}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
      onKeyDown={onKeyDown}
      className="grid gap-4"
    >
      <DraftNotes
        kept={form.kept}
        isRestored={form.isRestored}
        isDiscarded={form.isDiscarded}
        onDiscard={form.discard}
        onUndo={form.undoDiscard}
        onTheirs={form.takeTheirs}
      />
      <TitleField
        value={draft.title}
        onChange={(title) => change({ title })}
        error={problems.title ? t(`composer.${problems.title}`) : (said.title ?? null)}
      />
      <div
        className={cx(
          "rounded-sheet border bg-sheet focus-within:border-line-strong",
          bodyError && "border-seal",
        )}
      >
        <Toolbar editor={editor} isLinking={isLinking} onLinking={setLinking} />
        <div className="relative">
          <div className="relative px-4 py-4">
            {draft.content || form.uploads.all().size > 0 ? null : (
              <p aria-hidden="true" className="pointer-events-none absolute font-serif text-lg text-soft">
                {t("composer.bodyPlaceholder")}
              </p>
            )}
            <UploadsContext value={form.uploads}>
              <EditorContent editor={editor} />
            </UploadsContext>
          </div>
          <MentionList mentions={form.mentions} side="caret" />
        </div>
        <AddRow
          onFiles={form.addFiles}
          onVideo={() => setAskingVideo(true)}
          onPoll={
            draft.poll
              ? undefined
              : () => {
                  setNewPoll(true);
                  change({ poll: newPoll });
                }
          }
        />
      </div>
      <Left
        id={`${id}-left`}
        left={LIMITS.post.html - draft.content.length}
        isNear={draft.content.length >= near.content}
      />
      <p id={`${id}-error`} role="alert" className="text-sm text-seal empty:hidden">
        {bodyError}
      </p>
      {isAskingVideo ? <VideoForm onVideo={form.addVideo} onClose={() => setAskingVideo(false)} /> : null}
      <Attachments
        videos={draft.videos}
        images={draft.images}
        onVideos={(videos) => change({ videos: [...videos] })}
        onImages={(images) => change({ images: [...images] })}
        error={said.media ?? null}
      />
      {draft.poll ? (
        <PollFields
          poll={draft.poll}
          onChange={(poll) => change({ poll })}
          onRemove={() => {
            change({ poll: null });
            editor?.commands.focus();
          }}
          problems={problems.poll ?? null}
          error={said.poll ?? null}
          votes={votes}
          isNew={isNewPoll}
        />
      ) : null}
      <TagField
        tags={draft.tags}
        onChange={(tags) => change({ tags: [...tags] })}
        error={said.tags ?? null}
      />
      {undescribed > 0 ? (
        <div role="alert">
          <Note
            tone="warning"
            title={t("composer.undescribedTitle", { n: undescribed })}
            action={
              <>
                <Button size="sm" onClick={describe}>
                  {t("composer.describe")}
                </Button>
                <Button size="sm" tone="quiet" onClick={() => void form.submit(true)}>
                  {t("composer.postAnyway")}
                </Button>
              </>
            }
          >
            {t("composer.undescribed")}
          </Note>
        </div>
      ) : null}
      {said.form ? <ErrorNote>{said.form}</ErrorNote> : null}
      <p role="status" className="sr-only">
        {form.announced}
      </p>
      <div className="sticky bottom-[calc(56px+env(safe-area-inset-bottom))] z-10 -mx-4 flex flex-wrap items-center gap-3 border-t bg-paper px-4 py-3 md:static md:mx-0 md:border-0 md:px-0 md:py-0">
        {footer}
      </div>
    </form>
  );
}

/** Whoever sends something that cannot be sent is taken to the first thing that is missing. */
function useFirstProblem({ problems, editor }: Form, root: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (problems.title) root.current?.querySelector("textarea")?.focus();
    else if (problems.content) editor?.commands.focus();
    else if (problems.poll) root.current?.querySelector<HTMLElement>("[data-option]")?.focus();
  }, [problems, editor, root]);
}

interface VideoFormProps {
  /** @returns whether there was a place for it */
  readonly onVideo: (page: string) => boolean;
  readonly onClose: () => void;
}

/** Asks for the address of a video. */
function VideoForm({ onVideo, onClose }: VideoFormProps) {
  const { t } = useWords();
  const add = (address: string) => {
    const page = videoPage(address);
    if (!page) return t("composer.videoWrong");
    if (!onVideo(page)) return t("composer.videosFull", { max: LIMITS.post.videos });
    onClose();
    return null;
  };
  return (
    <AddressForm
      name={t("composer.video")}
      label={t("composer.videoAddress")}
      hint={t("composer.videoHint")}
      confirm={t("composer.videoAdd")}
      onAddress={add}
      onClose={onClose}
      className="grid gap-2 rounded-sheet border bg-sheet p-4"
    />
  );
}

interface TagFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  /** What the server said of them. */
  readonly error: string | null;
}

/** Tags of a post: typed, or chosen among those that are used already. */
function TagField({ tags, onChange, error }: TagFieldProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState("");
  const search = cleanTag(typed);
  const known = useLookup<string>(search || null, async (q, signal) => {
    const { api, contract } = await import("@/components/api");
    return (await api.call(contract.tags.list, { q }, { signal })).tags.map(({ name }) => name);
  });
  return (
    <Field label={t("composer.tagsLabel")} hint={t("composer.tagsHint")} error={error}>
      {(control) => (
        <MultiSelect
          control={control}
          values={tags}
          onChange={onChange}
          onSearch={setTyped}
          free={/[,\n]/}
          find={(now) => {
            const own = cleanTag(now);
            if (!own) return [];
            // What was typed comes first: a new tag is as good as a known one.
            const others = known.filter(
              (name) => !isSameTag(name, own) && name.toLowerCase().startsWith(own.toLowerCase()),
            );
            return [known.find((name) => isSameTag(name, own)) ?? own, ...others].filter(
              (name) => !tags.some((tag) => isSameTag(tag, name)),
            );
          }}
          label={(name) => `#${name}`}
          max={LIMITS.post.tags}
          placeholder={t("composer.tagsPlaceholder")}
        />
      )}
    </Field>
  );
}
