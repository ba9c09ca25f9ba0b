import type { ReactNode } from "react";
import type { z } from "zod";
import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import { Badge } from "@/components/ui/badge";
import type { OperationSpec } from "@/lib/contract";
import { errorCodes, errors, meaningOf } from "@/lib/contract/errors";
import { toJsonSchema } from "@/lib/openapi";
import { schemaLines } from "./schema-lines";

/** Links to every operation of the page. */
export function ApiIndex({ operations }: { readonly operations: readonly OperationSpec[] }) {
  const { t } = useWords();
  return (
    <Panel title={t("docs.operations")}>
      <ul className="grid max-h-[75vh] gap-1.5 overflow-y-auto text-sm">
        {operations.map((operation) => (
          <li key={operation.id}>
            <a href={`#${operation.id}`} className="hover:underline">
              {operation.summary}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Renders the text between backticks as code. */
function withCode(text: string): ReactNode {
  // Every second part was between two backticks.
  return text.split("`").map((part, i) =>
    i % 2 === 1 ? (
      <code key={part} className="font-mono text-[0.92em]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** One operation: who may call it, its input and its responses. */
export function Operation({ operation }: { readonly operation: OperationSpec }) {
  const { t } = useWords();
  return (
    <article id={operation.id} className="grid gap-3 rounded-sheet border bg-sheet p-4">
      <h3 className="font-medium">{operation.summary}</h3>
      <p className="flex flex-wrap items-center gap-2">
        <code className="font-mono text-sm">
          <strong>{operation.method}</strong> {operation.path}
        </code>
      </p>
      {operation.description ? <p className="text-soft">{withCode(operation.description)}</p> : null}
      <p className="flex flex-wrap gap-2">
        <Badge>{t(`docs.auth.${operation.auth}`)}</Badge>
        <Badge>{t("docs.limit", { points: operation.limit.points, seconds: operation.limit.seconds })}</Badge>
      </p>
      <Shape title={t("docs.path")} schema={operation.params} io="input" />
      <Shape title={t("docs.query")} schema={operation.query} io="input" />
      <Shape title={t("docs.body")} schema={operation.body} io="input" />
      {Object.entries(operation.responses).map(([status, schema]) => (
        <Shape key={status} title={t("docs.response", { status })} schema={schema} io="output" folded />
      ))}
      {operation.errors?.length ? (
        <p className="text-sm text-soft">
          {t("docs.errors")}:{" "}
          {operation.errors.map((code, i) => (
            <span key={code}>
              {i > 0 ? ", " : ""}
              <a href={`#error-${code}`} className="font-mono hover:underline">
                {code}
              </a>
            </span>
          ))}
        </p>
      ) : null}
    </article>
  );
}

interface ShapeProps {
  readonly title: string;
  readonly schema: z.ZodType | undefined;
  readonly io: "input" | "output";
  readonly folded?: boolean;
}

function Shape({ title, schema, io, folded }: ShapeProps) {
  const { t } = useWords();
  if (!schema) return null;
  // What says no more than the name is left to the OpenAPI document: the page has 5,000 lines.
  const lines = schemaLines(toJsonSchema(schema, io));
  if (lines.length === 0) return null;
  const table = (
    <dl className="mt-1 grid gap-x-4 gap-y-1 overflow-x-auto text-sm sm:grid-cols-[minmax(140px,max-content)_1fr]">
      {lines.map((line) => (
        <div key={line.name} className="contents">
          <dt className="font-mono">
            {line.name}
            {line.optional ? <span className="text-soft"> ({t("docs.optional")})</span> : null}
          </dt>
          <dd className="text-soft">
            {line.meaning ? (
              <>
                {line.type}. {withCode(line.meaning)}
              </>
            ) : (
              line.type
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
  return folded ? (
    <details>
      <summary className="tap text-sm font-semibold">{title}</summary>
      {table}
    </details>
  ) : (
    <div>
      <h4 className="text-sm font-semibold">{title}</h4>
      {table}
    </div>
  );
}

/** Every error code and what it means. */
export function ErrorCodes() {
  const { t } = useWords();
  return (
    <section aria-labelledby="errors" className="grid gap-3 pt-4">
      <h2 id="errors" className="font-serif text-2xl font-semibold">
        {t("docs.errorsTitle")}
      </h2>
      <p className="text-soft">{t("docs.errorsIntro")}</p>
      <dl className="grid gap-3">
        {errorCodes.map((code) => (
          <div key={code} id={`error-${code}`} className="grid gap-0.5">
            <dt className="font-mono text-sm">
              {code} <span className="text-soft">{errors[code].status}</span>
            </dt>
            <dd className="text-soft">{meaningOf(code)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
