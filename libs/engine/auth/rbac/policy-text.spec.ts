import { expect, test } from '@jest/globals';
import { parseRules } from './policy-text.js';

test.each<[string, object]>([
  ['get core pods', { apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  ['read apps deployments', { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch'] }],
  [
    'write,get core,apps pods/log,configmaps',
    {
      apiGroups: ['', 'apps'],
      resources: ['configmaps', 'pods/log'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'patch', 'update'],
    },
  ],
  ['get core secrets b,a', { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] }],
  ['get /healthz,/api/*', { nonResourceURLs: ['/api/*', '/healthz'], verbs: ['get'] }],
  ['constructor core pods', { apiGroups: [''], resources: ['pods'], verbs: ['constructor'] }],
])('%s', (line, rule) => expect(parseRules(line)).toEqual([rule]));

test('one rule a line, empty lines aside', () =>
  expect(parseRules('\n  get core pods\n\n  list   core   pods  \n')).toEqual([
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  ]));
