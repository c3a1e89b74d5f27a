import { expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

const token = { name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };

test.each<[string, Record<string, unknown>, object, string[]]>([
  ['a plain one', { containers: [web] }, {}, []],
  [
    'a gated pod on a node',
    { containers: [web], nodeName: 'n', schedulingGates: [{ name: 'example.com/wait' }] },
    {},
    ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
  ],
  [
    'ephemeral containers from the start',
    { containers: [web], ephemeralContainers: [{ name: 'debug', image: 'busybox:1.36' }] },
    {},
    ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
  ],
  [
    'ephemeral containers, later',
    { containers: [web], ephemeralContainers: [{ name: 'debug', image: 'busybox:1.36' }] },
    { resourceVersion: '1' },
    [],
  ],
  [
    'a token of no account',
    { containers: [web], volumes: [token] },
    {},
    [
      'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ],
  ],
  ['a token of an account', { containers: [web], volumes: [token], serviceAccountName: 'builder' }, {}, []],
])('%s', (_, spec, metadata, errors) => expect(podErrors(spec, { ...metadata })).toEqual(errors));
