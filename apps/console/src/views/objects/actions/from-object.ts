import { at, listAt, textAt, type KubeObject } from '../../../kube/object.js';
import { pathOf } from '../../../kube/resource.js';
import { selectorText } from '../details/related.js';
import type { Write } from './actions.js';

// Writes that are made of what an object says.

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

/** Where the pods, or other things, that a workload selects are read. */
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
