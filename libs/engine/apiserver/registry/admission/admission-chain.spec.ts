import { expect, test } from '@jest/globals';
import { AdmissionChain, type Handled } from './admission-chain.js';

const chain = new AdmissionChain([
  { name: 'All' },
  { name: 'Pods', resources: ['pods'] },
  { name: 'Webhooks', handlesBodies: true },
]);

test.each<[string, Handled, string[]]>([
  ['pods', 'object', ['All', 'Pods', 'Webhooks']],
  ['services', 'object', ['All', 'Webhooks']],
  ['pods', 'body', ['Webhooks']],
  ['pods', 'parent', ['All', 'Pods']],
  ['services', 'parent', ['All']],
])('%s are handled as %s by %j', (resource, handled, names) =>
  expect(chain.pluginsFor(resource, handled).map((p) => p.name)).toEqual(names),
);
