import { expect, it, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { ConfigMaps, Namespaces } from '../../kinds/index.js';
import { controller } from './controller.js';

const NAME = 'kube-root-ca.crt';
const SHOP = { namespace: 'shop', name: NAME };

function newBed(): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(ConfigMaps, NAME, { data: { 'ca.crt': 'PEM' } }, { namespace: 'kube-system' });
  bed.create(Namespaces, 'shop', { spec: {}, status: {} });
  return bed.settle();
}

it('a namespace has the CA, and gets it back', () => {
  const bed = newBed();
  for (let i = 0; i < 2; i++) {
    const { data, metadata } = bed.get(ConfigMaps, NAME, 'shop');
    expect(data).toEqual({ 'ca.crt': 'PEM' });
    expect(metadata.annotations).toEqual({
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    });
    bed.client.delete(ConfigMaps, SHOP);
    bed.settle();
  }
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

test('what is written into the copy is undone; annotations beside its own stay', () => {
  const bed = newBed();
  const copy = bed.get(ConfigMaps, NAME, 'shop');
  const metadata = { ...copy.metadata, annotations: { mine: 'x' } };
  bed.client.update(ConfigMaps, { ...copy, metadata, data: { 'ca.crt': 'other', more: 'y' } });
  bed.settle();
  const restored = bed.get(ConfigMaps, NAME, 'shop');
  expect(restored.data).toEqual({ 'ca.crt': 'PEM' });
  expect(Object.keys(restored.metadata.annotations!)).toEqual(['mine', 'kubernetes.io/description']);
});

test('a namespace that is being deleted does not get it back', () => {
  const bed = newBed();
  bed.client.delete(Namespaces, { namespace: '', name: 'shop' });
  bed.client.delete(ConfigMaps, SHOP);
  bed.settle();
  expect(bed.client.get(ConfigMaps, SHOP)).toBeUndefined();
});
