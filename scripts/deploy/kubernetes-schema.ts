import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { z } from "zod";

/** Validators that are compiled from Kubernetes' OpenAPI document. */
const models = [
  ...[ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Job],
  ...[Namespace, PodDisruptionBudget, Secret, Service],
];
const modelSchema = z.custom<new (manifest: object) => { validate(): void }>(
  (value) => typeof value === "function",
);
const manifestSchema = z.looseObject({ apiVersion: z.string(), kind: z.string() });

/** Returns what Kubernetes would refuse in a manifest, unknown fields included (as `kubectl apply` does). */
export function manifestProblems(source: unknown): string[] {
  const { apiVersion, kind } = manifestSchema.parse(source);
  const model = models.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (!model) return [`${apiVersion} ${kind} is unknown`];
  const unread = new Set<string>();
  try {
    new (modelSchema.parse(model))(z.looseObject({}).parse(watched(source, "", unread))).validate();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return [...unread].map((field) => `unknown field ${field}`);
}

/** Returns a copy that takes each field off `unread` when it is read: a schema reads the fields that it knows, and no other. */
function watched(value: unknown, at: string, unread: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const name = (key: string | symbol) => `${at}/${String(key)}`;
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, watched(inner, name(key), unread)] as const,
  );
  for (const [key] of entries) unread.add(name(key));
  const copy = Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  return new Proxy(copy, {
    get(target, key, receiver) {
      unread.delete(name(key));
      return Reflect.get(target, key, receiver);
    },
  });
}
