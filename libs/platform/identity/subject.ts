import { z } from 'zod';
import type { Subject } from './principal.js';
import { Refusal } from '../refusal.js';
import { includes, type Scope } from './scope.js';

const SYSTEM = 'system:';
const MAX_CHARACTERS = 253;
const NAME = /^[A-Za-z0-9][A-Za-z0-9@._:+/-]*$/;

/** The name of a user or a group in a cluster, as bindings of RBAC have it. */
export const subjectName = z
  .string()
  .min(1)
  .max(MAX_CHARACTERS)
  .regex(NAME, 'must be letters, digits and @._:+/-, beginning with a letter or digit');

/**
 * Names that begin with `system:` are Kubernetes' own: of components, of service accounts, of the administrators'
 * group. Throws Refusal 403 when a scope that does not include `manage` names one.
 */
export function checkSubject(scope: Scope, { user, groups }: Subject): void {
  if (includes(scope, 'manage')) return;
  const [kind, name] = [['user', user] as const, ...groups.map((group) => ['group', group] as const)].find(([, name]) =>
    name.startsWith(SYSTEM),
  ) ?? [undefined, ''];
  if (kind) throw new Refusal(403, `${kind} "${name}" begins with "${SYSTEM}": that takes a key of scope manage`);
}
