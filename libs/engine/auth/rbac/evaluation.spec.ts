import { expect, test } from '@jest/globals';
import { makeAccess, type Access } from '../../machinery/requests/auth.js';
import { ruleAllows } from './evaluation.js';
import { parseRules } from './policy-text.js';

/** 'get core pods/log web', or 'get /metrics'. */
function parseAccess(text: string): Access {
  const [verb = '', group = '', path = '', name = ''] = text.split(' ');
  const [resource = '', subresource = ''] = path.split('/');
  if (group.startsWith('/')) return makeAccess(verb, { path: group });
  return makeAccess(verb, { group: group === 'core' ? '' : group, resource, subresource, name });
}

test.each<[string, string, boolean]>([
  ['get core pods', 'get core pods web', true],
  ['get core pods', 'list core pods', false],
  ['get core pods', 'get apps pods', false],
  ['get core pods', 'get core pods/log web', false],
  ['get core pods/log', 'get core pods/log web', true],
  ['get core pods/log', 'get core pods', false],
  ['get * */scale', 'get apps deployments/scale web', true],
  ['get * */scale', 'get apps deployments', false],
  ['get core *', 'get core pods/log web', true],
  ['* * *', 'impersonate core users jane', true],
  ['* * *', 'get /metrics', false],
  ['get core configmaps first', 'get core configmaps first', true],
  ['get core configmaps first', 'get core configmaps second', false],
  ['list core configmaps first', 'list core configmaps', false],
  ['get /healthz', 'get /healthz', true],
  ['get /healthz', 'get /healthz/etcd', false],
  ['get /apis/*', 'get /apis/apps/v1', true],
  ['get /apis/*', 'get /apis', false],
  ['get /*/v1', 'get /api/v1', false],
  ['* *', 'post /anything', true],
  ['* *', 'get core pods', false],
])('%s allows %s: %s', (rule, access, allowed) =>
  expect(ruleAllows(parseRules(rule)[0]!, parseAccess(access))).toBe(allowed),
);
