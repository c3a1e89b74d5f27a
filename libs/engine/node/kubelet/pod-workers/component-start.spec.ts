import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../../testkit/beds/fault-bed.js';
import { Events, Pods } from '../../../kinds/index.js';

const startsOf = (bed: FaultBed) =>
  bed.client
    .list(Events, 'default')
    .filter(({ reason, involvedObject }) => reason === 'Starting' && involvedObject.name === 'worker-1');

test('kube-proxy tells of each of its starts', () => {
  const bed = new FaultBed('realistic');
  bed.at(30);
  const before = startsOf(bed).length;
  const proxy = bed.client
    .list(Pods, 'kube-system')
    .find(({ metadata, spec }) => metadata.labels?.['k8s-app'] === 'kube-proxy' && spec.nodeName === 'worker-1')!;
  bed.client.delete(Pods, { namespace: 'kube-system', name: proxy.metadata.name! });
  bed.at(120);
  const starts = startsOf(bed);
  expect(starts).toHaveLength(before + 1);
  expect(starts.at(-1)).toMatchObject({
    ...{ type: 'Normal', message: '', action: 'StartKubeProxy' },
    ...{ reportingComponent: 'kube-proxy', reportingInstance: 'kube-proxy-worker-1' },
  });
});

test('what else has its label elsewhere does not', () => {
  const bed = new FaultBed();
  bed.pod('kube-proxy', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(20);
  expect(startsOf(bed)).toEqual([]);
});
