import { describe, expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import { Images, Pods, Secrets } from '../../../kinds/index.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';

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

describe('a private image', () => {
  const IMAGE = 'registry.acme.com/shop:v1';
  const bedWith = (spec: object): ClusterBed => {
    const bed = new ClusterBed();
    bed.create(Images, 'shop', { spec: { repository: 'registry.acme.com/shop', users: USERS, ...spec } });
    return bed;
  };
  const USERS = [{ name: 'jane', password: 'secret' }];
  const addSecret = (bed: ClusterBed, password: string): void => {
    const auths = { 'registry.acme.com': { username: 'jane', password } };
    const data = { '.dockerconfigjson': encodeBase64(JSON.stringify({ auths })) };
    bed.create(Secrets, 'regcred', { type: 'kubernetes.io/dockerconfigjson', data });
  };
  const addPod = (bed: ClusterBed, name: string, secret = true): void => {
    const imagePullSecrets = secret ? [{ name: 'regcred' }] : [];
    bed.create(Pods, name, { spec: { containers: [{ name: 'c', image: IMAGE }], imagePullSecrets } });
  };

  test.each([
    ['one without contents', {}],
    ['one with contents', { base: 'busybox', ports: [{ port: 80 }] }],
  ])('%s runs with its secret only', (_case, spec) => {
    const bed = bedWith(spec);
    addPod(bed, 'early');
    expect(waitingReason(bed.at(8), 'early')).toBe('ImagePullBackOff');
    expect(bed.events('early').join('\n')).toContain('authorization failed: no basic auth credentials');
    addSecret(bed, 'secret');
    expect(waitingReason(bed.at(60), 'early')).toBe('running');
    addPod(bed, 'late', false);
    expect(waitingReason(bed.at(70), 'late')).toBe('ImagePullBackOff');
  });

  test('a wrong password is refused', () => {
    const bed = bedWith({});
    addSecret(bed, 'wrong');
    addPod(bed, 'shop');
    expect(waitingReason(bed.at(8), 'shop')).toBe('ImagePullBackOff');
    expect(bed.events('shop').join('\n')).toContain(
      'unexpected status from HEAD request to https://registry.acme.com/v2/shop/manifests/v1: 401 Unauthorized',
    );
  });
});
