import { readSpan } from '../../../faults/index.js';
import { defineKind } from '../../../machinery/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooMany,
  typeInvalid,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { faultErrors } from '../fault/kind.js';
import { unknownFields } from '../unknown-fields.js';
import type { Scenario, ScenarioStep } from './spec.js';

export type { Scenario, ScenarioSpec, ScenarioStatus, ScenarioStep } from './spec.js';
export { planSteps, type Plan, type PlannedFault } from './plan.js';

const FIELDS = ['steps', 'ended'];
const STEP_FIELDS = ['name', 'delay', 'fault', 'detached', 'steps', 'parallel'];
const MAX_STEPS = 100;
const MAX_DEPTH = 5;

export const kind = defineKind<Scenario>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Scenario',
  plural: 'scenarios',
  singular: 'scenario',
  scope: 'Cluster',
  definition: '',
  generation: true,
  subresources: { status: true },
  columns: [
    nameColumn,
    column('Phase', 'string', ({ status }) => status?.phase ?? 'Running'),
    column('Faults', 'integer', ({ status }) => status?.steps?.length ?? 0),
    column('Ends', 'string', ({ status }) => status?.endTime ?? status?.endsAt ?? '<none>'),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = { ...draft.spec };
  },
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: ({ spec }) => [
    ...unknownFields(spec, FIELDS, Path.of('spec')),
    ...validateSteps(spec.steps, Path.of('spec', 'steps'), { left: MAX_STEPS }, 0),
  ],
  validateUpdate: ({ spec }, old) =>
    deepEqual(spec.steps, old.spec.steps) ? [] : [forbiddenField(Path.of('spec', 'steps'), 'steps do not change')],
});

function validateSteps(steps: unknown, path: Path, budget: { left: number }, depth: number): FieldError[] {
  if (!Array.isArray(steps)) return [typeInvalid(path, steps, 'must be a list of steps')];
  if (depth >= MAX_DEPTH) return [invalidValue(path, depth, `steps are at most ${MAX_DEPTH} deep`)];
  budget.left -= steps.length;
  if (budget.left < 0) return [tooMany(path, MAX_STEPS - budget.left, MAX_STEPS)];
  return (steps as unknown[]).flatMap((step, i) => validateStep(step as ScenarioStep, path.index(i), budget, depth));
}

function validateStep(step: ScenarioStep, path: Path, budget: { left: number }, depth: number): FieldError[] {
  if (typeof step !== 'object' || step === null) return [typeInvalid(path, step, 'must be a step')];
  const { delay, fault, steps, parallel } = step;
  const errors = unknownFields(step, STEP_FIELDS, path);
  if (delay !== undefined && !(readSpan(delay)! >= 0))
    errors.push(invalidValue(path.child('delay'), delay, 'must be a duration such as "30s"'));
  const parts = [fault, steps, parallel].filter((part) => part !== undefined).length;
  if (parts > 1) errors.push(forbiddenField(path, 'only one of fault, steps, parallel'));
  if (parts === 0 && delay === undefined) errors.push(required(path, 'one of delay, fault, steps, parallel'));
  if (steps !== undefined) errors.push(...validateSteps(steps, path.child('steps'), budget, depth + 1));
  if (parallel !== undefined) errors.push(...validateSteps(parallel, path.child('parallel'), budget, depth + 1));
  return fault === undefined ? errors : [...errors, ...faultErrors(fault, path.child('fault'))];
}
