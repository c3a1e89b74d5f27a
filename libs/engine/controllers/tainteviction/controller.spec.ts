import { describe, expect, it, test } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Taint, Toleration } from '../../api/core_v1.js';
import { Events, Nodes, Pods } from '../../kinds/index.js';
import { timestamp } from '../../machinery/time/time.js';
import { controller as nodelifecycle } from '../nodelifecycle/controller.js';
import { controller } from './controller.js';

const UNREACHABLE = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' };

const createPod = (bed: ControllerBed, name: string, tolerations: Toleration[] = []): void =>
  void bed.create(Pods, name, {
    spec: { nodeName: 'a', tolerations, containers: [{ name: 'c', image: 'nginx' }] },
    status: {},
  });
const pods = (bed: ControllerBed): string[] => names(bed.client.list(Pods));

function taint(bed: ControllerBed, ...taints: Taint[]): void {
  const node = bed.get(Nodes, 'a');
  bed.client.update(Nodes, { ...node, spec: { ...node.spec, taints } });
  bed.settle();
}

function newBed(): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(Nodes, 'a', { spec: {}, status: {} });
  return bed;
}

it('a node that is lost loses its pods when their patience ends', () => {
  const bed = new ControllerBed({ controllers: [nodelifecycle, controller] });
  bed.create(Nodes, 'a', { spec: {}, status: {} });
  const setReady = (status: string): void => {
    const node = bed.get(Nodes, 'a');
    const at = timestamp(bed.state.now);
    const condition = {
      type: 'Ready',
      status,
      lastHeartbeatTime: at,
      lastTransitionTime: at,
      reason: 'Test',
      message: '',
    };
    bed.client.updateStatus(Nodes, { ...node, status: { ...node.status, conditions: [condition] } });
    bed.settle();
  };
  setReady('True');
  createPod(bed, 'forever', [UNREACHABLE]);
  createPod(bed, 'minutes', [{ ...UNREACHABLE, tolerationSeconds: 300 }]);
  createPod(bed, 'never');
  bed.settle();
  setReady('Unknown');
  expect(pods(bed)).toEqual(['forever', 'minutes']);
  bed.settle(seconds(299));
  expect(pods(bed)).toEqual(['forever', 'minutes']);
  bed.settle(seconds(2));
  expect(pods(bed)).toEqual(['forever']);
  expect(bed.events('TaintManagerEviction')).toContain('TaintManagerEviction Marking for deletion Pod default/minutes');
  expect(bed.errors).toEqual([]);
});

describe('a taint', () => {
  test.each<[string, Taint, Toleration[], string[]]>([
    ['NoExecute evicts', { key: 'k', value: 'v', effect: 'NoExecute' }, [], []],
    ['NoSchedule does not', { key: 'k', value: 'v', effect: 'NoSchedule' }, [], ['p']],
    ['of a value that is tolerated', { key: 'k', value: 'v', effect: 'NoExecute' }, [{ key: 'k', value: 'v' }], ['p']],
    ['of another value', { key: 'k', value: 'v', effect: 'NoExecute' }, [{ key: 'k', value: 'w' }], []],
    [
      'of another effect',
      { key: 'k', effect: 'NoExecute' },
      [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
      [],
    ],
    ['that anything tolerates', { key: 'k', effect: 'NoExecute' }, [{ operator: 'Exists' }], ['p']],
    [
      'tolerated for less than no time',
      { key: 'k', effect: 'NoExecute' },
      [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -5 }],
      [],
    ],
  ])('%s', (_, added, tolerations, left) => {
    const bed = newBed();
    createPod(bed, 'p', tolerations);
    bed.settle(seconds(10));
    taint(bed, added);
    expect(pods(bed)).toEqual(left);
    expect(bed.errors).toEqual([]);
  });

  test('that goes in time evicts nobody', () => {
    const bed = newBed();
    createPod(bed, 'p', [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }]);
    bed.settle();
    taint(bed, { key: 'k', effect: 'NoExecute', timeAdded: timestamp(bed.state.now) });
    bed.settle(seconds(59));
    taint(bed);
    bed.settle(seconds(600));
    expect(pods(bed)).toEqual(['p']);
  });
});

test('an evicted pod says why before it is deleted', () => {
  const bed = newBed();
  createPod(bed, 'p');
  bed.settle();
  const pod = bed.get(Pods, 'p');
  bed.client.update(Pods, { ...pod, metadata: { ...pod.metadata, finalizers: ['example.com/hold'] } });
  taint(bed, { key: 'k', effect: 'NoExecute' });
  const evicted = bed.get(Pods, 'p');
  expect(evicted.metadata.deletionTimestamp).toBeDefined();
  expect(evicted.status.conditions!.find((c) => c.type === 'DisruptionTarget')).toMatchObject({
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
  });
  expect(bed.events()).toEqual(['TaintManagerEviction Marking for deletion Pod default/p']);
  expect(bed.client.list(Events)[0]!.source).toEqual({ component: 'taint-eviction-controller' });
});
