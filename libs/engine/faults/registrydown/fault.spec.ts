import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('pulls fail and back off, until the registry answers again', () => {
  const bed = new FaultBed();
  bed.fault('RegistryDown', { target: { registries: ['docker.io'] }, duration: '1m' });
  bed.at(1).pod('web', { image: 'nginx:1.27' });
  expect(bed.at(20).state('web')).toBe('ImagePullBackOff 0');
  expect(bed.events('web')).toContainEqual(expect.stringMatching(/Head ".*": dial tcp 44\.[\d.]+:443: i\/o timeout/));
  expect(bed.at(200).state('web')).toBe('Running 0');
});

test('others are pulled from', () => {
  const bed = new FaultBed();
  bed.fault('RegistryDown', { target: { registries: ['ghcr.io'] } });
  bed.at(1).pod('web', { image: 'nginx:1.27' });
  expect(bed.at(20).state('web')).toBe('Running 0');
});

test('a pull is given up after 30 s', () => {
  const bed = new FaultBed('realistic');
  bed.fault('RegistryDown');
  bed.at(1).pod('web', { image: 'nginx:1.27' });
  expect(bed.at(28).state('web')).toBe('ContainerCreating 0');
  expect(bed.at(40).state('web')).toMatch(/^(ErrImagePull|ImagePullBackOff) 0$/);
});
