import { expect, test } from '@jest/globals';
import type { Pod, PodResourceClaim } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';
import { claimNameOf, isReservedFor } from './pod-claims.js';

test.each<[string, PodResourceClaim, object[] | undefined, string | null | undefined]>([
  ['a claim that is named', { name: 'gpu', resourceClaimName: 'own' }, undefined, 'own'],
  ['one that was made of a template', { name: 'gpu' }, [{ name: 'gpu', resourceClaimName: 'web-gpu-x' }], 'web-gpu-x'],
  ['one that is not made yet', { name: 'gpu' }, [{ name: 'other', resourceClaimName: 'web-other-x' }], undefined],
  ['one of which nothing is said', { name: 'gpu' }, undefined, undefined],
  ['one that is not needed', { name: 'gpu' }, [{ name: 'gpu' }], null],
])('%s', (_case, wanted, resourceClaimStatuses, expected) =>
  expect(claimNameOf({ status: { resourceClaimStatuses } } as unknown as Pod, wanted)).toBe(expected),
);

test.each([
  [[{ resource: 'pods', name: 'web', uid: 'u' }], true],
  [[{ resource: 'pods', name: 'web', uid: 'an earlier one' }], false],
  [undefined, false],
])('reserved for %j: %j', (reservedFor, expected) => {
  const claim = { status: { reservedFor } } as ResourceClaim;
  expect(isReservedFor(claim, { metadata: { name: 'web', uid: 'u' } } as Pod)).toBe(expected);
});
