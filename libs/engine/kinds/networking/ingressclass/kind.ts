import type { IngressClass, IngressClassParametersReference } from '../../../api/networking_v1.js';
import {
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { isDNS1123Label, isDNS1123Subdomain, isPathSegmentName } from '../../../machinery/meta/validation.js';
import {
  validateTextPointer,
  validateOptionalEnum,
  validateRequiredText,
  validateImmutableField,
} from '../../field-validation.js';
import { ageColumn, nameColumn, NONE, text } from '../../columns.js';

const MAX_CONTROLLER_LENGTH = 250;

/** Models pkg/registry/networking/ingressclass. */
export const kind = defineKind<IngressClass>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  singular: 'ingressclass',
  scope: 'Cluster',
  definition: 'io.k8s.api.networking.v1.IngressClass',
  generation: true,
  columns: [
    nameColumn,
    text('Controller', (c) => c.spec.controller ?? ''),
    text('Parameters', parametersText),
    ageColumn,
  ],
  defaults(draft) {
    const { parameters } = draft.spec;
    if (parameters && !parameters.scope && parameters.scope !== '')
      draft.spec = { ...draft.spec, parameters: { ...parameters, scope: 'Cluster' } };
  },
  validate: ({ spec }) => [
    ...validateController(spec.controller, Path.of('spec', 'controller')),
    ...(spec.parameters ? validateParameters(spec.parameters, Path.of('spec', 'parameters')) : []),
  ],
  validateUpdate: (next, old) =>
    validateImmutableField(Path.of('spec', 'controller'), next.spec.controller, old.spec.controller),
});

function parametersText({ spec: { parameters } }: IngressClass): string {
  if (!parameters) return NONE;
  return `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`;
}

/** Models apimachinery's IsDomainPrefixedPath with the length limit of controllers. */
function validateController(controller: string | undefined, path: Path): FieldError[] {
  if (!controller) return [required(path)];
  const errors = controller.length > MAX_CONTROLLER_LENGTH ? [tooLong(path, MAX_CONTROLLER_LENGTH)] : [];
  const slash = controller.indexOf('/');
  if (slash < 1 || slash === controller.length - 1) {
    return [...errors, invalidValue(path, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const [host, rest] = [controller.slice(0, slash), controller.slice(slash + 1)];
  errors.push(...isDNS1123Subdomain(host).map((m) => invalidValue(path, host, m)));
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) errors.push(invalidValue(path, rest, 'Invalid path'));
  return errors;
}

function validateParameters(ref: IngressClassParametersReference, path: Path): FieldError[] {
  const errors = [
    ...validateTextPointer(path.child('apiGroup'), ref.apiGroup, isDNS1123Subdomain),
    ...validateRequiredText(path.child('kind'), ref.kind, isPathSegmentName),
    ...validateRequiredText(path.child('name'), ref.name, isPathSegmentName),
    ...validateOptionalEnum(path.child('scope'), ref.scope, ['Cluster', 'Namespace']),
  ];
  const at = path.child('namespace');
  if (ref.scope === 'Namespace') {
    if (ref.namespace === undefined) errors.push(required(at, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...isDNS1123Label(ref.namespace).map((m) => invalidValue(at, ref.namespace, m)));
  }
  if (ref.scope === 'Cluster' && ref.namespace !== undefined)
    errors.push(forbiddenField(at, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}
