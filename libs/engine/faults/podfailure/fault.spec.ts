import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { Faults, Pods } from '../../kinds/index.js';

const PAUSE = 'gcr.io/google-containers/pause:latest';
const TARGET = { target: { pods: ['web'] } };
const NGINX = { image: 'nginx:1.27', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 2 } };

const imageOf = (bed: FaultBed): string | undefined => bed.get(Pods, 'web').spec.containers[0]!.image;

test('the pause image runs, is not ready, and the own one comes back', () => {
  const bed = new FaultBed('realistic');
  bed.pod('web', NGINX);
  bed.at(60).fault('PodFailure', { ...TARGET, duration: '30s', parameters: { experiment: 'x' } });
  expect(imageOf(bed.at(61))).toBe(PAUSE);
  expect(bed.get(Pods, 'web').metadata.annotations).toEqual({
    'chaos-mesh-x-pod-failure-c-normal-image': 'nginx:1.27',
  });
  bed.at(80);
  expect([bed.state('web'), bed.isReady('web')]).toEqual(['Running 1', false]);
  expect(bed.get(Pods, 'web').status.containerStatuses?.[0]?.image).toBe(PAUSE);
  expect(bed.events('web')).toContainEqual('Killing: Container c definition changed, will be restarted');
  bed.at(120);
  expect([imageOf(bed), bed.state('web'), bed.isReady('web')]).toEqual(['nginx:1.27', 'Running 2', true]);
  expect(bed.get(Pods, 'web').metadata.annotations).toBeUndefined();
});

test('a command that the image lacks cannot be started', () => {
  const bed = new FaultBed('realistic');
  bed.pod('web', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(60).fault('PodFailure', TARGET);
  expect(bed.at(100).last('web')).toEqual({ reason: 'StartError', exitCode: 128 });
});

test('a name that is too long for an annotation is left out', () => {
  const bed = new FaultBed();
  bed.pod('web', NGINX);
  bed.at(5).fault('PodFailure', { ...TARGET, parameters: { experiment: 'x'.repeat(60) } });
  expect(bed.at(6).get(Pods, 'web').metadata.annotations).toEqual({ 'c-normal': 'nginx:1.27' });
});

test('its deletion brings the image back', () => {
  const bed = new FaultBed();
  bed.pod('web', NGINX);
  bed.at(5).fault('PodFailure', TARGET);
  bed.at(10).client.delete(Faults, { namespace: '', name: 'f' });
  expect(imageOf(bed.at(11))).toBe('nginx:1.27');
});
