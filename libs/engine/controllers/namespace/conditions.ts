import type { NamespaceCondition } from '../../api/core_v1.js';
import type { Millis } from '../../machinery/time/time.js';
import { newCondition, setStatusCondition } from '../conditions.js';

/** What keeps a namespace from going away. */
export interface Remaining {
  /** '<resource>.<group>' -> instances. */
  readonly count: Map<string, number>;
  /** Finalizer -> instances that hold it. */
  readonly finalizers: Map<string, number>;
  readonly errors: Error[];
  /** Groups and versions whose API server does not answer: 'metrics.k8s.io/v1beta1'. */
  readonly undiscovered?: readonly string[];
}

type Text = readonly [reason: string, message: string];
const FINE: Readonly<Record<string, Text>> = {
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
};

/** Models pkg/controller/namespace/deletion/status_condition_utils.go. */
export function deletionConditions(
  current: readonly NamespaceCondition[] | undefined,
  remaining: Remaining,
  now: Millis,
): NamespaceCondition[] {
  const problems = findProblems(remaining);
  let conditions = [...(current ?? [])];
  for (const [type, fine] of Object.entries(FINE)) {
    const problem = problems[type];
    const [reason, message] = problem ?? fine;
    conditions = setStatusCondition(conditions, newCondition(type, problem ? 'True' : 'False', reason, message, now));
  }
  return conditions;
}

function findProblems({ count, finalizers, errors, undiscovered = [] }: Remaining): Record<string, Text> {
  const problems: Record<string, Text> = {};
  if (undiscovered.length > 0) {
    const stale = undiscovered.map((one) => `${one}: stale GroupVersion discovery: ${one}`).join(', ');
    problems['NamespaceDeletionDiscoveryFailure'] = [
      'DiscoveryFailed',
      'Discovery failed for some groups, ' +
        `${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${stale}`,
    ];
  }
  if (errors.length > 0) {
    const texts = [...new Set(errors.map((e) => e.message))];
    const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    problems['NamespaceDeletionContentFailure'] = [
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${errors.length} remaining: ${list}`,
    ];
  }
  if (count.size > 0)
    problems['NamespaceContentRemaining'] = [
      'SomeResourcesRemain',
      `Some resources are remaining: ${listCounts(count, 'has', 'resource instances')}`,
    ];
  if (finalizers.size > 0) {
    problems['NamespaceFinalizersRemaining'] = [
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${listCounts(finalizers, 'in', 'resource instances')}`,
    ];
  }
  return problems;
}

const listCounts = (counts: ReadonlyMap<string, number>, verb: string, unit: string): string =>
  [...counts]
    .map(([name, n]) => `${name} ${verb} ${n} ${unit}`)
    .sort()
    .join(', ');
