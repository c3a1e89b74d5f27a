import type { KubeObject } from '../../../machinery/meta/object.js';
import { invalidValue, notSupported, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { unknownFields } from '../unknown-fields.js';

/** How the cluster's time runs. */
export interface Clock extends KubeObject {
  spec: ClockSpec;
  /** Which virtual time a real one was, since when time runs as the spec says. Written by the cluster alone. */
  status: { virtual?: string; real?: string };
}
export interface ClockSpec {
  /** Virtual seconds per real second. */
  rate?: number;
  paused?: boolean;
  /** Time jumps to whatever is to be done next, and the rate does not count. */
  asFastAsPossible?: boolean;
  /** How long things take inside the cluster; by default 'realistic'. */
  speedProfile?: 'realistic' | 'instant';
}

/** There is one clock, of this name. */
export const CLOCK = 'clock';
const MAX_RATE = 1_000_000;
const FIELDS = ['rate', 'paused', 'asFastAsPossible', 'speedProfile'];
const PROFILES = ['realistic', 'instant'];

export const kind = defineKind<Clock>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Clock',
  plural: 'clocks',
  singular: 'clock',
  scope: 'Cluster',
  definition: '',
  generation: true,
  columns: [
    nameColumn,
    column('Rate', 'string', ({ spec }) => (spec.asFastAsPossible ? 'max' : String(spec.rate ?? 1))),
    column('Paused', 'boolean', (c) => c.spec.paused ?? false),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = { ...draft.spec, rate: draft.spec?.rate ?? 1, paused: draft.spec?.paused ?? false };
  },
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  validate,
});

function validate({ metadata, spec }: Clock): FieldError[] {
  const path = Path.of('spec');
  const errors: FieldError[] = [];
  if (metadata.name !== CLOCK)
    errors.push(invalidValue(Path.of('metadata', 'name'), metadata.name, `must be "${CLOCK}"`));
  const { rate, paused, asFastAsPossible, speedProfile } = spec;
  if (typeof rate !== 'number' || !(rate > 0 && rate <= MAX_RATE))
    errors.push(invalidValue(path.child('rate'), rate, `must be a number greater than 0 and at most ${MAX_RATE}`));
  if (typeof paused !== 'boolean') errors.push(invalidValue(path.child('paused'), paused, 'must be true or false'));
  if (asFastAsPossible !== undefined && typeof asFastAsPossible !== 'boolean')
    errors.push(invalidValue(path.child('asFastAsPossible'), asFastAsPossible, 'must be true or false'));
  if (speedProfile !== undefined && !PROFILES.includes(speedProfile))
    errors.push(notSupported(path.child('speedProfile'), speedProfile, PROFILES));
  return [...errors, ...unknownFields(spec, FIELDS, path)];
}
