import { printGo } from '../output/columns.js';
import { formatLabels } from '../output/table.js';
import type { ApiObject, Session } from '../session/session.js';
import type { Details } from './parts/details.js';
import { describeEvents } from './parts/events.js';
import { formatSelector } from './parts/selector.js';

type Fields = Readonly<Record<string, unknown>>;
const partOf = (object: ApiObject, name: 'spec' | 'status'): Fields => (object[name] ?? {}) as Fields;

/** Models k8s.io/kubectl/pkg/describe describePodDisruptionBudgetV1. */
export function describeBudget(session: Session, details: Details, object: ApiObject): void {
  const [spec, status] = [partOf(object, 'spec'), partOf(object, 'status')];
  const selector = spec['selector'] as Parameters<typeof formatSelector>[0] | undefined;
  details.field(0, 'Name', object.metadata?.name ?? '');
  details.field(0, 'Namespace', object.metadata?.namespace ?? '');
  if (spec['minAvailable'] !== undefined) details.field(0, 'Min available', printGo(spec['minAvailable']));
  else if (spec['maxUnavailable'] !== undefined) details.field(0, 'Max unavailable', printGo(spec['maxUnavailable']));
  details.field(0, 'Selector', selector ? formatSelector(selector) || '<none>' : '<unset>');
  details.line(0, 'Status:');
  const count = (name: string): string => printGo(status[name] ?? 0);
  details.field(2, 'Allowed disruptions', count('disruptionsAllowed'));
  details.field(2, 'Current', count('currentHealthy'));
  details.field(2, 'Desired', count('desiredHealthy'));
  details.field(2, 'Total', count('expectedPods'));
  describeEvents(session, details, object);
}

/** Models k8s.io/kubectl/pkg/describe describePriorityClass. */
export function describePriorityClass(session: Session, details: Details, object: ApiObject): void {
  details.field(0, 'Name', object.metadata?.name ?? '');
  details.field(0, 'Value', printGo(object['value'] ?? 0));
  details.field(0, 'GlobalDefault', object['globalDefault'] === true);
  details.field(0, 'PreemptionPolicy', printGo(object['preemptionPolicy'] ?? ''));
  details.field(0, 'Description', printGo(object['description'] ?? ''));
  details.field(0, 'Annotations', formatLabels(object.metadata?.annotations));
  describeEvents(session, details, object);
}
