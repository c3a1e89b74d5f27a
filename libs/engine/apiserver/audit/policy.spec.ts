import { expect, test } from '@jest/globals';
import type { AuditRule } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo } from '../request/requestinfo.js';
import { evaluatePolicy } from './policy.js';

const JANE = { name: 'jane', groups: ['dev'] };
const levelOf = (rule: Omit<AuditRule, 'level'>, method: string, url: string, user: typeof JANE | undefined = JANE) => {
  const [path = '', query = ''] = url.split('?');
  const info = newRequestInfo({ method, path }, new Query(query));
  return evaluatePolicy({ rules: [{ level: 'Metadata', ...rule }] }, info, user).level;
};
const PODS = '/api/v1/namespaces/a/pods';

test.each<[Omit<AuditRule, 'level'>, string, string, boolean]>([
  [{}, 'GET', '/healthz', true],
  [{ users: ['jane'] }, 'GET', PODS, true],
  [{ users: ['joe'] }, 'GET', PODS, false],
  [{ userGroups: ['ops', 'dev'] }, 'GET', PODS, true],
  [{ userGroups: ['ops'] }, 'GET', PODS, false],
  [{ verbs: ['watch'] }, 'GET', `${PODS}?watch=true`, true],
  [{ verbs: ['watch'] }, 'GET', PODS, false],
  [{ namespaces: ['a'] }, 'GET', PODS, true],
  [{ namespaces: ['b'] }, 'GET', PODS, false],
  [{ namespaces: [''] }, 'GET', '/api/v1/nodes', true],
  [{ namespaces: ['a'] }, 'GET', '/healthz', false],
  [{ resources: [{ group: '' }] }, 'GET', PODS, true],
  [{ resources: [{ resources: ['pods'] }] }, 'GET', PODS, true],
  [{ resources: [{ group: 'apps', resources: ['pods'] }] }, 'GET', PODS, false],
  [{ resources: [{ resources: ['pods'] }] }, 'GET', `${PODS}/p/log`, false],
  [{ resources: [{ resources: ['pods/log'] }] }, 'GET', `${PODS}/p/log`, true],
  [{ resources: [{ resources: ['pods/*'] }] }, 'GET', `${PODS}/p/log`, true],
  [{ resources: [{ resources: ['*/log'] }] }, 'GET', `${PODS}/p/log`, true],
  [{ resources: [{ resources: ['*'] }] }, 'GET', `${PODS}/p/log`, true],
  [{ resources: [{ resources: ['pods'], resourceNames: ['p'] }] }, 'GET', `${PODS}/p`, true],
  [{ resources: [{ resources: ['pods'], resourceNames: ['q'] }] }, 'GET', `${PODS}/p`, false],
  [{ nonResourceURLs: ['/healthz*'] }, 'GET', '/healthz/ping', true],
  [{ nonResourceURLs: ['/version'] }, 'GET', '/healthz', false],
  [{ nonResourceURLs: ['*'] }, 'GET', PODS, false],
])('%j of %s %s: %s', (rule, method, url, selected) =>
  expect(levelOf(rule, method, url)).toBe(selected ? 'Metadata' : 'None'),
);

test('nobody is no user', () => {
  const info = newRequestInfo({ method: 'GET', path: PODS }, new Query(''));
  const rules: AuditRule[] = [{ level: 'Request', users: ['jane'] }, { level: 'Metadata' }];
  expect(evaluatePolicy({ rules }, info, undefined).level).toBe('Metadata');
});

test('a rule adds to the stages that the policy leaves out, and says itself whether managed fields are', () => {
  const info = newRequestInfo({ method: 'GET', path: PODS }, new Query(''));
  const rules: AuditRule[] = [{ level: 'Request', omitStages: ['ResponseStarted'], omitManagedFields: false }];
  expect(evaluatePolicy({ rules, omitStages: ['RequestReceived'], omitManagedFields: true }, info, JANE)).toEqual({
    level: 'Request',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    omitManagedFields: false,
  });
});
