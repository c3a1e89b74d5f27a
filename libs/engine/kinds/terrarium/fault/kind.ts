import type { Condition } from '../../../api/meta_v1.js';
import { faultTypeOf, type Effect, type Target } from '../../../faults/index.js';
import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ageColumn, column, nameColumn, wide } from '../../columns.js';
import { validateFault, validateFaultUpdate } from './validate.js';

/** Something that goes wrong in the cluster, for a while. */
export interface Fault extends KubeObject {
  spec: FaultSpec;
  status: FaultStatus;
}

export interface FaultSpec {
  /** The name of a FaultType: 'NodeDown'. */
  type: string;
  target?: Target;
  /** A duration after the object's creation, or a time as RFC 3339; absent: at once. */
  start?: string;
  /** Absent: until it is ended or deleted. */
  duration?: string;
  /** Decides what is chosen, and which packets and requests are hit. */
  seed?: number;
  parameters?: Record<string, unknown>;
  /** Ends it now. */
  ended?: boolean;
}

export type FaultPhase = 'Pending' | 'Active' | 'Finished' | 'Failed';

/** Times are metav1.MicroTime. */
export interface FaultStatus {
  phase?: FaultPhase;
  observedGeneration?: number;
  /** When it is to begin. */
  startsAt?: string;
  /** When it is to end; absent: it is not known. */
  endsAt?: string;
  startTime?: string;
  endTime?: string;
  /** What was chosen: 'node/worker-1', 'pod/shop/web-0'. */
  targets?: string[];
  effects?: Effect[];
  conditions?: Condition[];
  message?: string;
}

export const kind = defineKind<Fault>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Fault',
  plural: 'faults',
  singular: 'fault',
  scope: 'Cluster',
  definition: '',
  generation: true,
  subresources: { status: true },
  indexes: {
    /** Effects of active faults, by their names. */
    effect: ({ status }) => (status?.phase === 'Active' ? namesOf(status.effects) : NONE),
    /** Those of faults that are over, where what has been still counts. */
    past: ({ status }) => (status?.phase === 'Finished' ? namesOf(status.effects).filter(isRemembered) : NONE),
  },
  columns: [
    nameColumn,
    column('Type', 'string', ({ spec }) => spec.type),
    column('Phase', 'string', ({ status }) => status?.phase ?? 'Pending'),
    column('Targets', 'string', ({ status }) => summary(status?.targets)),
    wide('Begins', ({ status }) => status?.startTime ?? status?.startsAt ?? '<none>'),
    wide('Ends', ({ status }) => status?.endTime ?? status?.endsAt ?? '<none>'),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = { ...draft.spec };
  },
  prepareForCreate(draft) {
    draft.status = { phase: 'Pending' };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: ({ spec }) => validateFault(spec, faultTypeOf(spec.type)),
  validateUpdate: ({ spec }, old) => validateFaultUpdate(spec, old.spec),
});

const NONE: readonly string[] = [];
const namesOf = (effects: readonly Effect[] = []): string[] => [...new Set(effects.map(({ does }) => does))];

/** Probes are counted from a container's start: what was wrong meanwhile has counted. */
const isRemembered = (name: string): boolean => name === 'process' || name === 'probe';

const SHOWN = 3;
function summary(targets: readonly string[] = []): string {
  if (targets.length === 0) return '<none>';
  const shown = targets.slice(0, SHOWN).join(',');
  return targets.length > SHOWN ? `${shown} + ${targets.length - SHOWN} more...` : shown;
}
