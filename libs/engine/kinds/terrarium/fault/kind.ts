import { faultTypeOf, type Effect } from '../../../faults/index.js';
import { defineKind } from '../../../machinery/kind.js';
import type { Reader } from '../../../machinery/reader.js';
import type { Millis } from '../../../machinery/time/time.js';
import { ageColumn, column, nameColumn, wide } from '../../columns.js';
import { typeInvalid, type FieldError, type Path } from '../../../machinery/meta/field.js';
import type { Fault, FaultSpec } from './spec.js';
import { validateFault, validateFaultUpdate } from './validate.js';

export type { Fault, FaultPhase, FaultSpec, FaultStatus } from './spec.js';

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

/** What is wrong with a fault that another object names. */
export const faultErrors = (spec: FaultSpec, path: Path): FieldError[] =>
  typeof spec === 'object' && spec !== null
    ? validateFault(spec, faultTypeOf(spec.type), path)
    : [typeInvalid(path, spec, 'must be a fault')];

/** How much later than it is a node's clock shows; negative: earlier. */
export const clockSkewOf = (read: Reader, node: string): Millis =>
  read
    .byIndex(kind, 'effect', 'clock')
    .flatMap(({ status }) => status.effects ?? [])
    .reduce((sum, effect) => sum + (effect.does === 'clock' && effect.nodes?.includes(node) ? effect.offsetMs : 0), 0);

const NONE: readonly string[] = [];
const namesOf = (effects: readonly Effect[] = []): string[] => [...new Set(effects.map(({ does }) => does))];

/** Probes are counted from a container's start, machines run when somebody looks: what was wrong has counted. */
const REMEMBERED: ReadonlySet<string> = new Set([
  'process',
  'probe',
  'network',
  'clock',
  'stress',
  'volume',
  'pressure',
  'etcd',
  'component',
]);
const isRemembered = (name: string): boolean => REMEMBERED.has(name);

const SHOWN = 3;
function summary(targets: readonly string[] = []): string {
  if (targets.length === 0) return '<none>';
  const shown = targets.slice(0, SHOWN).join(',');
  return targets.length > SHOWN ? `${shown} + ${targets.length - SHOWN} more...` : shown;
}
