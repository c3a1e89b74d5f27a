import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('pulls fail and back off, until the registry answers again', () => {
  const bed = new FaultBed();
  bed.fault('RegistryRateLimit', { target: { registries: ['docker.io'] }, duration: '1m' });
  bed.at(1).pod('web', { image: 'nginx:1.27' });
  expect(bed.at(20).state('web')).toBe('ImagePullBackOff 0');
  expect(bed.events('web')).toContainEqual(
    expect.stringMatching(
      /"docker.io\/library\/nginx:1.27": failed to copy: httpReadSeeker: failed open: .*\/manifests\/sha256:\w{64}: 429 .*toomanyrequests: You have reached your unauthenticated pull rate limit/,
    ),
  );
  expect(bed.at(200).state('web')).toBe('Running 0');
});

test('others are pulled from', () => {
  const bed = new FaultBed();
  bed.fault('RegistryRateLimit', { target: { registries: ['ghcr.io'] } });
  bed.at(1).pod('web', { image: 'nginx:1.27' });
  expect(bed.at(20).state('web')).toBe('Running 0');
});
