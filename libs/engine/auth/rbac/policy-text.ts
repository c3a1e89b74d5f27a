import type { PolicyRule } from '../../api/rbac_v1.js';
import { own } from '../../machinery/meta/object.js';

const SHORT: Record<string, readonly string[]> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

/**
 * Rules as lines of 'verbs groups resources [names]', or 'verbs urls': lists with commas, 'core' for the core group,
 * 'read' and 'write' for their verbs. Every list comes out sorted, as upstream's rule builder does.
 */
export const parseRules = (text: string): PolicyRule[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(parseRule);

function parseRule(line: string): PolicyRule {
  const [verbs = '', second = '', resources, names] = line.split(/ +/);
  const sorted = (list: string): string[] => list.split(',').sort();
  const all = [...new Set(verbs.split(',').flatMap((v) => own(SHORT, v) ?? [v]))].sort();
  if (resources === undefined) return { nonResourceURLs: sorted(second), verbs: all };
  const apiGroups = second
    .split(',')
    .map((g) => (g === 'core' ? '' : g))
    .sort();
  return { apiGroups, ...(names ? { resourceNames: sorted(names) } : {}), resources: sorted(resources), verbs: all };
}
