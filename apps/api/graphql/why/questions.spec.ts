import { expect, test } from '@jest/globals';
import { whySpecOf } from './questions.js';

test.each<[Parameters<typeof whySpecOf>[0], object]>([
  [
    { resource: 'pods', name: 'web' },
    { resource: 'pods', name: 'web' },
  ],
  [{ revision: 7 }, { revision: 7 }],
  [{ from: 'node/a', to: '10.0.0.1', port: '80' }, { connection: { from: 'node/a', to: '10.0.0.1', port: 80 } }],
  [
    { from: 'node/a', to: 'service/a/b', port: 'http', protocol: 'TCP' },
    { connection: { from: 'node/a', to: 'service/a/b', port: 'http', protocol: 'TCP' } },
  ],
  [
    { verb: 'delete', resource: 'pods', namespace: 'shop', user: 'jane' },
    { request: { verb: 'delete', user: 'jane', resource: 'pods', namespace: 'shop' } },
  ],
  // Two questions at once are not made into one: the cluster refuses them.
  [
    { from: 'node/a', to: '10.0.0.1', name: 'web' },
    { connection: { from: 'node/a', to: '10.0.0.1' }, name: 'web' },
  ],
])('%j', (query, spec) => expect(whySpecOf(query)).toEqual(spec));
