import type { NonResourceAttributes, NonResourceRule, ResourceAttributes, ResourceRule } from '../../api/authorization_v1.js';
import type { Client, User } from '../../machinery/client.js';

/** A question to the authorizer: either attribute is set. */
export interface Attributes {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}
export interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Who may do what, the one place that reviews ask. RBAC is not enforced yet: as with --authorization-mode=AlwaysAllow. */
export const authorize = (_user: User, _attributes: Attributes, _client: Client): Decision => ({ allowed: true });

/** What a user may do in a namespace. */
export const rulesFor = (_user: User, _namespace: string, _client: Client): { resourceRules: ResourceRule[]; nonResourceRules: NonResourceRule[] } => ({
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});
