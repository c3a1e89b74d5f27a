import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import { askWhy } from '../../../../testkit/why/ask.js';
import { Pods } from '../../../kinds/index.js';

test('a pod whose image waits for others of its node', () => {
  const bed = new ClusterBed('realistic', 1);
  bed.create(Pods, 'first', { spec: { containers: [{ name: 'c', image: 'postgres:16' }] } });
  bed.at(2);
  bed.create(Pods, 'second', { spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
  bed.at(3);
  const why = (name: string): string => askWhy(bed, { resource: 'pods', name }).text;
  expect(why('first')).toMatch(/^Pulling image "postgres:16"\n/);
  expect(why('first')).not.toContain('were asked for before');
  expect(why('second')).toMatch(/^Pulling image "nginx:1.27"\n/);
  expect(why('second')).toContain('other images of worker-1 were asked for before: by pod/default/first');
  bed.at(60);
  expect(why('second')).not.toContain('Pulling');
});
