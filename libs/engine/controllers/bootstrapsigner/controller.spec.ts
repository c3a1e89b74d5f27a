import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { ConfigMaps, Secrets } from '../../kinds/index.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { MINUTE, timestamp } from '../../machinery/time/time.js';
import { controller as tokencleaner } from '../tokencleaner/controller.js';
import { controller } from './controller.js';

const KUBECONFIG = 'apiVersion: v1\nkind: Config\n';
const NAME = 'bootstrap-token-abcdef';

function openBed(data: Record<string, string> = { kubeconfig: KUBECONFIG }): ControllerBed {
  const bed = new ControllerBed({ controllers: [tokencleaner, controller] });
  bed.create(ConfigMaps, 'cluster-info', { data }, { namespace: 'kube-public' });
  return bed;
}

function addToken(bed: ControllerBed, usage = 'true'): void {
  const fields = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-signing': usage,
    expiration: timestamp(bed.state.now + MINUTE),
  };
  const data = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, encodeBase64(value)]));
  bed.create(Secrets, NAME, { type: 'bootstrap.kubernetes.io/token', data }, { namespace: 'kube-system' });
}

const signatures = (bed: ControllerBed): string[] =>
  Object.keys(bed.get(ConfigMaps, 'cluster-info', 'kube-public').data ?? {}).filter((name) => name.startsWith('jws-'));

test('a token signs the information, until it has expired', () => {
  const bed = openBed();
  addToken(bed);
  bed.settle();
  expect(signatures(bed)).toEqual(['jws-kubeconfig-abcdef']);
  bed.settle(2 * MINUTE);
  expect([signatures(bed), bed.errors]).toEqual([[], []]);
});

test('what has changed is signed anew', () => {
  const bed = openBed();
  addToken(bed);
  bed.settle();
  const map = bed.get(ConfigMaps, 'cluster-info', 'kube-public');
  bed.client.update(ConfigMaps, { ...map, data: { ...map.data, kubeconfig: 'other' } });
  bed.settle();
  const signed = bed.get(ConfigMaps, 'cluster-info', 'kube-public').data?.['jws-kubeconfig-abcdef'];
  expect(signed).toMatch(/^[\w-]+\.\.[\w-]+$/);
  expect(signed).not.toBe(map.data?.['jws-kubeconfig-abcdef']);
});

test.each<[string, (bed: ControllerBed) => void, Record<string, string>]>([
  ['a token for authentication only', (bed) => addToken(bed, 'false'), { kubeconfig: KUBECONFIG }],
  ['information without a kubeconfig', (bed) => addToken(bed), { other: 'x' }],
  ['no token', () => undefined, { kubeconfig: KUBECONFIG, 'jws-kubeconfig-zzzzzz': 'old' }],
])('%s: there is no signature', (_case, act, data) => {
  const bed = openBed(data);
  act(bed);
  bed.settle();
  expect(signatures(bed)).toEqual([]);
});
