import type { KubeObject } from '../../../machinery/meta/object.js';
import { invalidValue, notSupported, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { unknownFields } from '../unknown-fields.js';

/** A part of the control plane or of the nodes that can be switched off. */
export interface Component extends KubeObject {
  spec: { enabled?: boolean };
  status: Record<string, unknown>;
}

export const COMPONENTS = [
  'cloud-controller-manager',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubelet',
] as const;

export const kind = defineKind<Component>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Component',
  plural: 'components',
  singular: 'component',
  scope: 'Cluster',
  definition: '',
  generation: true,
  columns: [nameColumn, column('Enabled', 'boolean', (c) => c.spec.enabled ?? true), ageColumn],
  defaults(draft) {
    draft.spec = { ...draft.spec, enabled: draft.spec?.enabled ?? true };
  },
  validate,
});

function validate({ metadata: { name = '' }, spec }: Component): FieldError[] {
  const path = Path.of('spec');
  const known = COMPONENTS.some((c) => c === name) ? [] : [notSupported(Path.of('metadata', 'name'), name, COMPONENTS)];
  const enabled =
    typeof spec.enabled === 'boolean'
      ? []
      : [invalidValue(path.child('enabled'), spec.enabled, 'must be true or false')];
  return [...known, ...enabled, ...unknownFields(spec, ['enabled'], path)];
}
