import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import {
  kind as checks,
  partsOf,
  roundPoints,
  type Check,
  type CheckPartStatus,
  type CheckPhase,
} from '../check/kind.js';

/** How a part of a check stands. Times are metav1.MicroTime. */
export interface PartResult {
  name: string;
  title: string;
  phase: CheckPhase;
  /** What it has earned, of its share. */
  points: number;
  share: number;
  message: string;
  hint: string;
  /** Since when it is asked, and when its phase came to be so. */
  since?: string;
  time?: string;
  revision?: number;
}

export interface CheckItem {
  name: string;
  title: string;
  phase: CheckPhase;
  score: number;
  points: number;
  message: string;
  hint: string;
  parts: PartResult[];
}

/**
 * The results of all checks, without what they ask for: who may create it sees no expression. It is answered and never
 * stored.
 */
export interface CheckReport extends KubeObject {
  status?: { score: number; points: number; revision: number; items: CheckItem[] };
}

export const kind = defineKind<CheckReport>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'CheckReport',
  plural: 'checkreports',
  singular: 'checkreport',
  scope: 'Cluster',
  definition: '',
  verbs: ['create'],
  evaluate(report, _client, { read }) {
    const items = read.list(checks).map(itemOf);
    const sum = (of: (item: CheckItem) => number): number =>
      roundPoints(items.reduce((total, item) => total + of(item), 0));
    const { revision } = read;
    return { ...report, status: { score: sum((one) => one.score), points: sum((one) => one.points), revision, items } };
  },
});

function itemOf({ metadata, spec, status }: Check): CheckItem {
  const { phase = 'Pending', score = 0, points = 1, message = '', hint = '', parts = [] } = status;
  const specs = partsOf(spec);
  return {
    name: metadata.name ?? '',
    title: spec.title ?? metadata.name ?? '',
    ...{ phase, score, points, message, hint },
    parts: parts.map((part, i) => partOf(part, specs[i]?.title, specs[i]?.hint)),
  };
}

function partOf(part: CheckPartStatus, title: string | undefined, hint: string | undefined): PartResult {
  const { name, phase, points, share, message = '', since, time, revision } = part;
  return {
    ...{ name, title: title ?? name, phase, points, share, message },
    hint: phase === 'Passed' ? '' : (hint ?? ''),
    ...(since === undefined ? {} : { since }),
    ...(time === undefined ? {} : { time }),
    ...(revision === undefined ? {} : { revision }),
  };
}
