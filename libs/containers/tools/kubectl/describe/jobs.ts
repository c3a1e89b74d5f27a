import { printGo } from '../output/columns.js';
import { humanDuration } from '../../../../engine/machinery/time/time.js';
import type { ApiObject, Session } from '../session/session.js';
import { controllerOf, describeAnnotations, describeLabels, type Details, longTime } from './parts/details.js';
import { describeEvents } from './parts/events.js';
import { describeTemplate } from './parts/pod-template.js';
import { formatSelector } from './parts/selector.js';

type Fields = Readonly<Record<string, unknown>>;
type Selector = Parameters<typeof formatSelector>[0];

const unset = (value: unknown): string => (value === undefined || value === null ? '<unset>' : printGo(value));

function describeHead(details: Details, { metadata = {} }: ApiObject, selector?: Selector): void {
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Namespace', metadata.namespace ?? '');
  if (selector) details.field(0, 'Selector', formatSelector(selector));
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
}

/** Models k8s.io/kubectl/pkg/describe describeJob. */
export function describeJob(session: Session, details: Details, object: ApiObject): void {
  const [spec, status] = [object['spec'] as Fields, (object['status'] ?? {}) as Fields];
  describeHead(details, object, (spec['selector'] ?? {}) as Selector);
  const owner = controllerOf(object.metadata?.['ownerReferences'] as Parameters<typeof controllerOf>[0]);
  if (owner !== '') details.field(0, 'Controlled By', owner);
  details.field(0, 'Parallelism', unset(spec['parallelism']));
  details.field(0, 'Completions', unset(spec['completions']));
  const optional = (title: string, value: unknown): void => {
    if (value !== undefined && value !== null) details.field(0, title, printGo(value));
  };
  optional('Completion Mode', spec['completionMode']);
  optional('Suspend', spec['suspend']);
  optional('Backoff Limit', spec['backoffLimit']);
  optional('TTL Seconds After Finished', spec['ttlSecondsAfterFinished']);
  const [start, end] = [status['startTime'], status['completionTime']] as (string | undefined)[];
  if (start) details.field(0, 'Start Time', longTime(start));
  if (end) details.field(0, 'Completed At', longTime(end));
  if (start && end) details.field(0, 'Duration', humanDuration(Date.parse(end) - Date.parse(start)));
  if (spec['activeDeadlineSeconds'] !== undefined)
    details.field(0, 'Active Deadline Seconds', `${printGo(spec['activeDeadlineSeconds'])}s`);
  const count = (name: string): string => printGo(status[name] ?? 0);
  const ready = status['ready'] === undefined ? '' : ` (${count('ready')} Ready)`;
  details.field(
    0,
    'Pods Statuses',
    `${count('active')} Active${ready} / ${count('succeeded')} Succeeded / ${count('failed')} Failed`,
  );
  if (spec['completionMode'] === 'Indexed')
    details.field(0, 'Completed Indexes', printGo(status['completedIndexes'] ?? '') || '<none>');
  describeTemplate(details, spec['template']);
  describeEvents(session, details, object);
}

/** Models k8s.io/kubectl/pkg/describe describeCronJob. */
export function describeCronJob(session: Session, details: Details, object: ApiObject): void {
  const [spec, status] = [object['spec'] as Fields, (object['status'] ?? {}) as Fields];
  const job = ((spec['jobTemplate'] as Fields)['spec'] ?? {}) as Fields;
  describeHead(details, object);
  details.field(0, 'Schedule', printGo(spec['schedule']));
  details.field(0, 'Concurrency Policy', printGo(spec['concurrencyPolicy']));
  details.field(0, 'Suspend', spec['suspend'] === true ? 'True' : 'False');
  details.field(0, 'Time Zone', unset(spec['timeZone']));
  details.field(0, 'Successful Job History Limit', unset(spec['successfulJobsHistoryLimit']));
  details.field(0, 'Failed Job History Limit', unset(spec['failedJobsHistoryLimit']));
  const deadline = spec['startingDeadlineSeconds'];
  details.field(0, 'Starting Deadline Seconds', deadline === undefined ? '<unset>' : `${printGo(deadline)}s`);
  const selector = job['selector'] as Selector | undefined;
  details.field(0, 'Selector', selector ? formatSelector(selector) : '<unset>');
  details.field(0, 'Parallelism', unset(job['parallelism']));
  details.field(0, 'Completions', unset(job['completions']));
  if (job['activeDeadlineSeconds'] !== undefined)
    details.field(0, 'Active Deadline Seconds', `${printGo(job['activeDeadlineSeconds'])}s`);
  describeTemplate(details, job['template']);
  const last = status['lastScheduleTime'] as string | undefined;
  details.field(0, 'Last Schedule Time', last ? longTime(last) : '<unset>');
  const active = ((status['active'] ?? []) as readonly { name: string }[]).map(({ name }) => name);
  details.field(0, 'Active Jobs', active.join(', ') || '<none>');
  describeEvents(session, details, object);
}
