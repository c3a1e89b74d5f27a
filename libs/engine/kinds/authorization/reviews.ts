import type { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewSpec, SubjectAccessReviewStatus } from '../../api/authorization_v1.js';
import type { Client, User } from '../../machinery/client.js';
import { invalidValue, type FieldError, type Path } from '../../machinery/field.js';
import { invalid } from '../../machinery/status.js';
import { anything, authorize, type Access } from './authorizer.js';

/** The question of a review: either attribute is set. */
export interface Attributes {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** Models pkg/apis/authorization/validation ValidateSelfSubjectAccessReviewSpec. */
export function validateAttributes({ resourceAttributes, nonResourceAttributes }: Attributes, path: Path): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    return [invalidValue(path.child('nonResourceAttributes'), nonResourceAttributes, 'cannot be specified in combination with resourceAttributes')];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  return [invalidValue(path.child('resourceAttributes'), null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')];
}

export const validateSubject = ({ user, groups }: SubjectAccessReviewSpec, path: Path): FieldError[] =>
  user || groups?.length ? [] : [invalidValue(path.child('user'), '', 'at least one of user or group must be specified')];

export const subjectOf = ({ user = '', groups = [], uid, extra }: SubjectAccessReviewSpec): User => ({
  name: user, groups, ...(uid ? { uid } : {}), ...(extra ? { extra } : {}),
});

export function decide(user: User, attributes: Attributes, client: Client): SubjectAccessReviewStatus {
  const { allowed, reason } = authorize(user, accessOf(attributes), client);
  return { allowed, ...(reason ? { reason } : {}) };
}

function accessOf({ resourceAttributes: r, nonResourceAttributes: n }: Attributes): Access {
  if (n) return anything(n.verb ?? '', { path: n.path ?? '' });
  const { verb = '', group = '', resource = '', subresource = '', name = '', namespace = '', fieldSelector } = r ?? {};
  return { verb, group, resource, subresource, name, namespace, fieldSelector: fieldSelector?.rawSelector };
}

/** Reviews are never stored, so that nobody else validates them. Throws ApiError 422. */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length) throw invalid({ group: 'authorization.k8s.io', kind }, '', errors);
}
