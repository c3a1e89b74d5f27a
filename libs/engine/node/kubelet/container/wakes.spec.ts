import { expect, test } from '@jest/globals';
import type { Service } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { container, pod, readerOf } from '../testing.js';
import { LOAD_BALANCERS, NODES, wakeSources } from './wakes.js';

const BOUND = { nodeName: 'worker', containers: [container()] };
const reader = readerOf(
  pod(BOUND, {}, { namespace: 'metallb-system', name: 'controller' }),
  pod(BOUND, {}, { namespace: 'shop', name: 'web' }),
  pod({ ...BOUND, nodeName: undefined }, {}, { namespace: 'metallb-system', name: 'unscheduled' }),
);
/** The pods that a change of an object wakes, where those of metallb-system tend one thing. */
function wokenBy(tended: string, kind: string, object: KubeObject, old?: KubeObject): string[] {
  const sources = wakeSources(({ metadata }, wake) => metadata.namespace === 'metallb-system' && wake === tended);
  return sources
    .filter((source) => source.kind.kind === kind && (source.when?.(object, old) ?? true))
    .flatMap((source) => [...(source.keys?.(object, reader, old) ?? [])])
    .map(({ name }) => name);
}
const service = (type: string): Service => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
  spec: { type },
  status: {},
});
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' } };
const pool = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool', metadata: { name: 'first' } };
const POOLS = 'ipaddresspools.metallb.io';

test.each<[string, string, string, KubeObject, KubeObject | undefined, string[]]>([
  ['a load balancer', LOAD_BALANCERS, 'Service', service('LoadBalancer'), undefined, ['controller']],
  ['one that was', LOAD_BALANCERS, 'Service', service('ClusterIP'), service('LoadBalancer'), ['controller']],
  ['another Service', LOAD_BALANCERS, 'Service', service('ClusterIP'), undefined, []],
  ['a new node', NODES, 'Node', node, undefined, ['controller']],
  ['a node that is there', NODES, 'Node', node, node, []],
  ['a pool', POOLS, 'IPAddressPool', pool, undefined, ['controller']],
  ['a pool, for who tends nodes', NODES, 'IPAddressPool', pool, undefined, []],
])('%s', (_case, tended, kind, object, old, names) => {
  expect(wokenBy(tended, kind, object, old)).toEqual(names);
});
