import {
  isBootstrapToken,
  keyOfBootstrapToken,
  lifeOf,
  parseBootstrapToken,
  readBootstrapToken,
} from '../../kinds/core/secret/bootstrap-token.js';
import { kind as Secrets } from '../../kinds/core/secret/kind.js';
import type { Reader, User } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';

const GROUP = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Who shows a bootstrap token ('abcdef.0123456789abcdef') that a Secret of kube-system is about; undefined: nobody.
 * Models plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go AuthenticateToken.
 */
export function authenticateBootstrapToken(text: string, read: Reader, now: Millis): User | undefined {
  const shown = parseBootstrapToken(text);
  const stored = shown && read.get(Secrets, keyOfBootstrapToken(shown.id));
  if (!stored || stored.metadata.deletionTimestamp || !isBootstrapToken(stored)) return undefined;
  const token = readBootstrapToken(stored);
  if (token.secret !== shown.secret || token.id !== shown.id) return undefined;
  if (lifeOf(token, now) <= 0 || !token.usages.includes('authentication')) return undefined;
  const groups = groupsOf(token.groups);
  return groups && { name: `system:bootstrap:${token.id}`, groups: [...groups, 'system:authenticated'] };
}

/** Undefined: one of them is not for bootstrap tokens. Models cluster-bootstrap/token/util GetGroups. */
function groupsOf(extra: string): readonly string[] | undefined {
  if (extra === '') return [GROUP];
  const groups = extra.split(',');
  return groups.every((group) => EXTRA_GROUP.test(group)) ? [...new Set([GROUP, ...groups])].sort() : undefined;
}
