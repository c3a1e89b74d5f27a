import { expect, test } from '@jest/globals';
import type { PodLike } from './check.js';
import { checkSeccomp } from './seccomp.js';

const profile = (type: string): object => ({ securityContext: { seccompProfile: { type } } });
const UNCONFINED = 'pod must not set securityContext.seccompProfile.type to "Unconfined"';
const MISSING = 'pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';

test.each<[string, object, string | undefined, string | undefined]>([
  ['none', {}, undefined, MISSING],
  ['the default', profile('RuntimeDefault'), undefined, undefined],
  ['a local one', profile('Localhost'), undefined, undefined],
  ['no confinement', profile('Unconfined'), UNCONFINED, UNCONFINED],
])('a profile that is %s', (_, fields, allowed, required) => {
  const pod = { metadata: {}, spec: { containers: [{ name: 'a' }], ...fields } } as PodLike;
  expect([checkSeccomp(pod, false), checkSeccomp(pod, true)]).toEqual([allowed, required]);
});
