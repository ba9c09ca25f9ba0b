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
import { AddRow, Attachments, VideoForm } from "./attachments";
import { CharactersLeft } from "./characters-left";
import { MentionList } from "./mention-textarea";
import { cleanTag, isSameTag } from "./parse";
import { UploadsContext } from "./picture-view";
import { PollFields } from "./poll-fields";
import { near, newPoll } from "./post-body";
import { Toolbar } from "./toolbar";
import { useLookup } from "./use-lookup";
import type { PostForm as Form } from "./use-post-form";

const LEFT_STYLE = "text-end text-sm text-soft empty:hidden";

export interface PostFormProps {
  readonly form: Form;
  /** Votes in the published poll. */
  readonly votes?: number;
  readonly labels: {
    readonly submit: string;
    /** Shown while nothing was written. */
    readonly untouched?: string;
    /** Says that what was written is kept on this device. */
    readonly kept: string;
    readonly discard: string;
  };
  /** Who will read it, and under which name. */
  readonly audience: string;
  readonly isDisabled?: boolean;
  /** Whether its poll can have secret ballots. */
  readonly mayBeSecret?: boolean;
  /** Whether the title has the focus at first. */
  readonly focusTitle?: boolean;
  /** Shown below the title. */
  readonly children?: ReactNode;
  /** Shown above the buttons. */
  readonly options?: ReactNode;
  /** Shown beside the button that submits. */
  readonly otherWays?: ReactNode;
}

/** The form that writes and edits posts; it looks like the published post. */
export function PostForm(props: PostFormProps) {
  const { form, votes = 0, labels, audience, isDisabled, focusTitle, children, options, otherWays } = props;
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
    // Enter in a one-line field must not submit the form.
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
      data-writing
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
      onKeyDown={onKeyDown}
      className="grid gap-4"
    >
      <DraftNotes form={form} />
      <TitleField
        value={draft.title}
        onChange={(title) => change({ title })}
        // At once: the editor's own command waits for a frame, and the next letter would still go into the title.
        onEnd={() => editor?.view.focus()}
        hasFocus={focusTitle}
        error={problems.title ? t(`composer.${problems.title}`) : (said.title ?? null)}
      />
      {children}
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
      <CharactersLeft
        id={`${id}-left`}
        left={LIMITS.post.html - draft.content.length}
        isNear={draft.content.length >= near.content}
        className={LEFT_STYLE}
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
          mayBeSecret={props.mayBeSecret}
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
      {options}
      <p role="status" className="sr-only">
        {form.announced}
      </p>
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t bg-paper px-4 pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] md:static md:mx-0 md:border-0 md:px-0 md:py-0">
        <p id={`${id}-audience`} className="basis-full text-sm text-soft empty:hidden">
          {audience}
        </p>
        <Button
          type="submit"
          aria-describedby={`${id}-audience`}
          tone="primary"
          busy={form.busy !== null}
          disabled={isDisabled}
        >
          {labels.submit}
        </Button>
        {otherWays}
        {form.busy === "waiting" ? (
          <p role="status" className="text-sm text-soft">
            {t("composer.waitingForPictures")}
          </p>
        ) : form.isUntouched ? (
          <p className="text-sm text-soft empty:hidden">{labels.untouched}</p>
        ) : (
          <>
            <p className="text-sm text-soft">{labels.kept}</p>
            <Button tone="quiet" size="sm" className="ms-auto" onClick={form.discard}>
              {labels.discard}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

/** Moves the focus to the first problem when the post cannot be sent. */
function useFirstProblem({ problems, editor }: Form, root: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (problems.title) root.current?.querySelector("textarea")?.focus();
    else if (problems.content) editor?.commands.focus();
    else if (problems.poll) root.current?.querySelector<HTMLElement>("[data-option]")?.focus();
  }, [problems, editor, root]);
}

interface TagFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  /** The server's error about them. */
  readonly error: string | null;
}

/** The tags of a post: typed freely, or chosen from existing ones. */
function TagField({ tags, onChange, error }: TagFieldProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState("");
  const search = cleanTag(typed);
  const known = useLookup<string>(search || null, async (q, signal) => {
    const { api, contract } = await import("@/components/api");
    return (await api.call(contract.tags.list, { q }, { signal })).tags.map(({ name }) => name);
  });
  return (
    <Field label={t("post.tags")} hint={t("composer.tagsHint")} error={error}>
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
            // What was typed comes first, whether or not the tag exists.
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

/** Says what happened to the draft, with what the author can do about it. */
function DraftNotes({ form }: { readonly form: Form }) {
  const { t } = useWords();
  const { isDiscarded } = form;
  const { elsewhere, keepMine } = form.kept;
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {elsewhere ? (
        <Note
          tone="warning"
          title={t(elsewhere.draft ? "composer.elsewhereTitle" : "composer.elsewhereGoneTitle")}
          action={
            <>
              <Button size="sm" onClick={() => keepMine()}>
                {t("composer.elsewhereMine")}
              </Button>
              {elsewhere.draft ? (
                <Button size="sm" onClick={form.takeTheirs}>
                  {t("composer.elsewhereTheirs")}
                </Button>
              ) : null}
            </>
          }
        >
          {t("composer.elsewhere")}
        </Note>
      ) : null}
      {isDiscarded || form.isRestored ? (
        <Note
          action={
            <Button size="sm" onClick={isDiscarded ? form.undoDiscard : form.discard}>
              {t(isDiscarded ? "composer.discardUndo" : "composer.discard")}
            </Button>
          }
        >
          {t(isDiscarded ? "composer.discarded" : "composer.draftRestored")}
        </Note>
      ) : null}
    </div>
  );
}

interface TitleFieldProps {
  readonly value: string;
  readonly onChange: (title: string) => void;
  readonly error: string | null;
  /** Called when the writer goes on to the text. */
  readonly onEnd: () => void;
  readonly hasFocus?: boolean;
}

/** The title field, styled as the heading it will be. A long title wraps, but has no line breaks. */
function TitleField({ value, onChange, onEnd, hasFocus, error }: TitleFieldProps) {
  const { t } = useWords();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="sr-only">
        {t("composer.titleLabel")}
      </label>
      <textarea
        ref={field}
        id={id}
        value={value}
        rows={1}
        maxLength={LIMITS.post.title}
        dir="auto"
        placeholder={t("composer.titleLabel")}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-left`}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing || event.metaKey || event.ctrlKey)
            return;
          event.preventDefault();
          onEnd();
        }}
        onChange={(event) => onChange(event.target.value.replace(/\s*\n\s*/g, " "))}
        className="tap field-sizing-content w-full resize-none bg-transparent font-serif text-3xl font-semibold outline-none placeholder:text-soft"
      />
      <CharactersLeft
        id={`${id}-left`}
        left={LIMITS.post.title - value.length}
        isNear={value.length >= near.title}
        className={LEFT_STYLE}
      />
      <p id={`${id}-error`} role="alert" className="text-sm text-seal empty:hidden">
        {error}
      </p>
    </div>
  );
}
