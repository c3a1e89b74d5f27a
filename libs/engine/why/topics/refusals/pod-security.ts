import { Namespaces } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { actorText } from '../../text.js';
import { findingOf, type World } from '../../world.js';

const REFUSAL = /violates PodSecurity "([^"]+)"/;
const ENFORCE = 'pod-security.kubernetes.io/enforce';
const MAX_CHANGES = 20;

/** The namespace whose label asks for a standard, and who has set its labels last. */
export function securityFindings({ read, past }: World, name: string, message: string): WhyFinding[] {
  const level = REFUSAL.exec(message)?.[1];
  const namespace = level === undefined ? undefined : read.get(Namespaces, { namespace: '', name });
  const label = namespace?.metadata.labels?.[ENFORCE];
  if (!namespace || label === undefined) return [];
  const filter = { resource: 'namespaces', namespace: '', name, ofUsers: true };
  const { changes } = past({ type: 'search', filter, before: Number.MAX_SAFE_INTEGER, limit: MAX_CHANGES });
  const change = changes.find(({ verb, fields }) => verb === 'create' || fields.includes('metadata.labels'));
  const by = change ? `; ${actorText(change.actor)} was the last user to change its labels` : '';
  const text = `its label ${ENFORCE}=${label} keeps out pods that do not meet the standard "${level}"${by}`;
  return [findingOf(namespace, 'PodSecurity', text, change ? { revision: change.revision } : {})];
}
