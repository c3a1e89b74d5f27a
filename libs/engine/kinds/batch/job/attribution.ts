/** The fields of a Job that its controllers own: all but those by which the API server tells its pods from others. */
import type { Job, JobSpec } from '../../../api/batch_v1.js';
import type { ObjectMeta } from '../../../api/meta_v1.js';
import { statusAttribution, type Attribution } from '../../../machinery/kind.js';
import { ownFinalizers } from '../../../machinery/meta/finalizers.js';
import { GENERATED_LABELS } from './labels.js';

type Labels = Readonly<Record<string, string>>;

export const attribution: Attribution<Job> = {
  owned: (job, part) =>
    part === 'status'
      ? statusAttribution.owned(job, part)
      : { of: { metadata: metadataOf(job.metadata), spec: specOf(job.spec) } },
  holds(sent, stored) {
    const { annotations, finalizers, ownerReferences } = stored.metadata;
    return (
      annotations === sent.metadata.annotations &&
      finalizers === sent.metadata.finalizers &&
      ownerReferences === sent.metadata.ownerReferences &&
      addsOnlyGenerated(sent.spec, stored.spec) &&
      addsOnlyLabels(sent.metadata.labels, stored.metadata.labels)
    );
  },
  holdsForStatus: statusAttribution.holdsForStatus,
};

function metadataOf(metadata: ObjectMeta): ObjectMeta {
  const { generateName, labels, annotations, ownerReferences } = metadata;
  const finalizers = ownFinalizers(metadata);
  return {
    ...(generateName === undefined ? {} : { generateName }),
    ...withLabels({}, labels),
    ...(annotations ? { annotations } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
    ...(finalizers ? { finalizers } : {}),
  };
}

function specOf({ selector: _selector, template, ...rest }: JobSpec): Partial<JobSpec> {
  const { labels, ...metadata } = template.metadata ?? {};
  return { ...rest, template: { ...template, metadata: withLabels(metadata, labels) } };
}

function withLabels(metadata: ObjectMeta, labels: Labels | undefined): ObjectMeta {
  const own = Object.fromEntries(Object.entries(labels ?? {}).filter(([name]) => !GENERATED_LABELS.has(name)));
  return Object.keys(own).length > 0 ? { ...metadata, labels: own } : metadata;
}

/** Whether the stored spec is the one that was sent, with a selector and labels that generateSelector has made. */
function addsOnlyGenerated(sent: JobSpec, stored: JobSpec): boolean {
  if (sent.selector !== undefined || sent.manualSelector || sent.template.spec !== stored.template.spec) return false;
  for (const field in stored)
    if (field !== 'selector' && field !== 'template' && sent[field as keyof JobSpec] !== stored[field as keyof JobSpec])
      return false;
  const [before, now] = [sent.template.metadata ?? {}, stored.template.metadata ?? {}];
  for (const field in now)
    if (field !== 'labels' && before[field as keyof ObjectMeta] !== now[field as keyof ObjectMeta]) return false;
  return addsOnlyLabels(before.labels, now.labels);
}

/** Whether the labels that were sent are told from those that were added by their names. */
function addsOnlyLabels(sent: Labels | undefined, stored: Labels | undefined): boolean {
  if (sent && Object.keys(sent).length === 0) return false;
  for (const name in sent) if (GENERATED_LABELS.has(name) || stored?.[name] !== sent[name]) return false;
  for (const name in stored) if (!GENERATED_LABELS.has(name) && sent?.[name] === undefined) return false;
  return true;
}
