import type { ObjectMeta } from '../../api/meta_v1.js';
import type {
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '../../api/authorization_v1.js';
import { makeAccess, type Access, type Auth } from '../../machinery/requests/auth.js';
import type { User } from '../../machinery/client.js';
import { invalidValue, Path, type FieldError } from '../../machinery/meta/field.js';
import { invalid } from '../../machinery/meta/status.js';
import { fieldSelectorText, selectorErrors, validateSelectors } from './selectors.js';

/** The question of a review: either attribute is set. */
export interface Attributes {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** Models pkg/apis/authorization/validation ValidateSelfSubjectAccessReviewSpec. */
export function validateAttributes(
  { resourceAttributes, nonResourceAttributes }: Attributes,
  path: Path,
): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    return [
      invalidValue(
        path.child('nonResourceAttributes'),
        asGo(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  if (nonResourceAttributes) return [];
  if (resourceAttributes) return validateSelectors(resourceAttributes);
  return [
    invalidValue(
      path.child('resourceAttributes'),
      null,
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ),
  ];
}

/** As upstream prints its internal type, whose fields have no JSON names. */
export const asGo = ({ path = '', verb = '' }: NonResourceAttributes): unknown => ({ Path: path, Verb: verb });

/** A review is nobody's object. `but` names what it may have nevertheless. */
export function validateNameless(metadata: ObjectMeta, but = ''): FieldError[] {
  const given = Object.entries(metadata).filter(
    ([field, value]) => field !== 'managedFields' && field !== but && value !== undefined && value !== null,
  );
  return given.length === 0
    ? []
    : [invalidValue(Path.of('metadata'), metadata, but ? `must be empty except for ${but}` : 'must be empty')];
}

export const validateSubject = ({ user, groups }: SubjectAccessReviewSpec, path: Path): FieldError[] =>
  user || groups?.length
    ? []
    : [invalidValue(path.child('user'), '', 'at least one of user or group must be specified')];

export const subjectOf = ({ user = '', groups = [], uid, extra }: SubjectAccessReviewSpec): User => ({
  name: user,
  groups,
  ...(uid ? { uid } : {}),
  ...(extra ? { extra } : {}),
});

export function decide(user: User, attributes: Attributes, auth: Auth): SubjectAccessReviewStatus {
  const { allowed, reason } = auth.authorize(user, accessOf(attributes));
  const evaluationError = attributes.resourceAttributes ? selectorErrors(attributes.resourceAttributes) : '';
  return { allowed, ...(reason ? { reason } : {}), ...(evaluationError ? { evaluationError } : {}) };
}

function accessOf({ resourceAttributes: r, nonResourceAttributes: n }: Attributes): Access {
  if (n) return makeAccess(n.verb ?? '', { path: n.path ?? '' });
  const { verb = '', group = '', resource = '', subresource = '', name = '', namespace = '', fieldSelector } = r ?? {};
  return {
    verb,
    group,
    resource,
    subresource,
    name,
    namespace,
    fieldSelector: fieldSelectorText(fieldSelector).text || undefined,
  };
}

/**
 * Reviews are never stored, so that nobody else validates them; upstream does not say which kind it refuses. Throws
 * ApiError 422.
 */
export function refuse(errors: readonly FieldError[]): void {
  if (errors.length) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}
