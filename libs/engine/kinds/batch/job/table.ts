import type { Job } from '../../../api/batch_v1.js';
import { ageColumn, column, containerColumns, nameColumn, selectorColumn } from '../../../machinery/meta/columns.js';
import type { Column } from '../../../machinery/meta/table.js';
import { humanDuration, parseTimestamp, type Millis } from '../../../machinery/time/time.js';

const has = (job: Job, type: string): boolean =>
  job.status.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;

function statusCell(job: Job): string {
  if (has(job, 'Complete')) return 'Complete';
  if (has(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => has(job, type)) ?? 'Running';
}

function completionsCell({ spec, status }: Job): string {
  const done = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${done}/1 of ${spec.parallelism}` : `${done}/1`;
}

function durationCell({ status }: Job, now: Millis): string {
  if (status.startTime === undefined) return '';
  const failed = status.conditions?.find((c) => c.type === 'Failed' && c.status === 'True')?.lastTransitionTime;
  const end = status.completionTime ?? failed;
  return humanDuration((end === undefined ? now : parseTimestamp(end)) - parseTimestamp(status.startTime));
}

export const columns: readonly Column<Job>[] = [
  nameColumn,
  column('Status', 'How the job stands.', statusCell),
  column('Completions', 'How many of the wanted pods have succeeded.', completionsCell),
  column('Duration', 'How long it has run, or ran.', durationCell),
  ageColumn,
  ...containerColumns<Job>((j) => j.spec.template),
  selectorColumn<Job>((j) => j.spec.selector),
];
