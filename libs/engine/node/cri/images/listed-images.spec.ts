import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/cluster-bed.js';
import { Images, Pods } from '../../../kinds/index.js';

const waitingReason = (bed: ClusterBed, name: string): string | undefined => {
  const state = bed.get(Pods, name).status.containerStatuses?.[0]?.state;
  return state?.waiting?.reason ?? (state?.running && 'running');
};

test.each([
  ['an image that is not known', undefined, 'ImagePullBackOff'],
  ['one that the author has added', { repository: 'ghcr.io/acme/shop' }, 'running'],
  ['a tag that the author has added', { repository: 'ghcr.io/acme/shop', tags: ['v1'] }, 'running'],
  ['another tag', { repository: 'ghcr.io/acme/shop', tags: ['v2'] }, 'ImagePullBackOff'],
  ['another repository', { repository: 'ghcr.io/acme/cart' }, 'ImagePullBackOff'],
])('%s', (_case, spec, expected) => {
  const bed = new ClusterBed();
  if (spec) bed.create(Images, 'shop', { spec });
  bed.create(Pods, 'shop', { spec: { containers: [{ name: 'c', image: 'ghcr.io/acme/shop:v1' }] } });
  expect(waitingReason(bed.at(5), 'shop')).toBe(expected);
});

test('a pod whose image is added later runs at the next try', () => {
  const bed = new ClusterBed();
  bed.create(Pods, 'shop', { spec: { containers: [{ name: 'c', image: 'ghcr.io/acme/shop:v1' }] } });
  bed.at(5).create(Images, 'shop', { spec: { repository: 'ghcr.io/acme/shop' } });
  expect(waitingReason(bed.at(60), 'shop')).toBe('running');
  expect(bed.events('shop')).toContain(
    'Failed: Failed to pull image "ghcr.io/acme/shop:v1": rpc error: code = NotFound desc = failed to pull and unpack image "ghcr.io/acme/shop:v1": failed to resolve reference "ghcr.io/acme/shop:v1": ghcr.io/acme/shop:v1: not found',
  );
});
