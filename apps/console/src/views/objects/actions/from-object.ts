import { at, listAt, textAt, type KubeObject } from '../../../kube/object.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import { selectorText } from '../details/related.js';
import type { Write } from './actions.js';

// Writes that are made of what an object says.

const REVISION = 'deployment.kubernetes.io/revision';
const HASH = 'pod-template-hash';

/**
 * As `kubectl create job --from=cronjob/NAME`. `name` is the Job's. Models kubectl/pkg/cmd/create/create_job.go
 * createJobWithCronJob.
 */
export function triggerWrite(cronJob: KubeObject, name: string): Write {
  const template = at(cronJob, 'spec', 'jobTemplate');
  const { namespace = '', uid, name: owner } = cronJob.metadata;
  return {
    method: 'POST',
    path: pathOf({ apiVersion: 'batch/v1', resource: 'jobs', namespaced: true }, namespace),
    body: {
      ...{ apiVersion: 'batch/v1', kind: 'Job' },
      metadata: {
        name,
        labels: at(template, 'metadata', 'labels'),
        annotations: {
          ...(at(template, 'metadata', 'annotations') as object | undefined),
          'cron.kubernetes.io/instantiate': 'manual',
        },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: owner, uid, controller: true }],
      },
      spec: at(template, 'spec'),
    },
  };
}

/**
 * As `kubectl rollout undo`: the template of the revision before, of the ReplicaSets that it owns; undefined when there
 * is none. Models kubectl/pkg/polymorphichelpers/rollback.go.
 */
export function undoWrite(resource: Resource, deployment: KubeObject, sets: readonly KubeObject[]): Write | undefined {
  const { uid, namespace, name } = deployment.metadata;
  const revisionOf = (object: KubeObject): number => Number(object.metadata.annotations?.[REVISION] ?? 0);
  const [, before] = sets
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid))
    .sort((a, b) => revisionOf(b) - revisionOf(a));
  if (!before) return undefined;
  const template = at(before, 'spec', 'template') as { readonly metadata?: { readonly labels?: object } };
  const labels = Object.fromEntries(Object.entries(template.metadata?.labels ?? {}).filter(([key]) => key !== HASH));
  return {
    method: 'PATCH',
    path: `${pathOf(resource, namespace, name)}?fieldManager=kubectl-rollout`,
    body: [
      { op: 'replace', path: '/spec/template', value: { ...template, metadata: { ...template.metadata, labels } } },
    ],
    type: 'application/json-patch+json',
  };
}

/** Where the ReplicaSets, or the pods, that a workload selects are read. */
export const selectedPath = (workload: KubeObject, apiVersion: string, resource: string): string =>
  `${pathOf({ apiVersion, resource, namespaced: true }, workload.metadata.namespace)}?labelSelector=${encodeURIComponent(
    selectorText(at(workload, 'spec', 'selector')),
  )}`;

/** How many a workload wants; '' for what does not say. */
export const replicasOf = (scale: unknown): string => textAt(scale, 'spec', 'replicas') || '0';

/** Pods as the view of logs takes them: "ns/pod,ns/pod". */
export const podsText = (list: unknown): string =>
  listAt<KubeObject>(list, 'items')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .join(',');
