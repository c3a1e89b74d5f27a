import { expect, it, test } from '@jest/globals';
import { ControllerBed, names } from '../../../testkit/beds/controller-bed.js';
import { Namespaces, ServiceAccounts } from '../../kinds/index.js';
import { controller } from './controller.js';

const accounts = (bed: ControllerBed): string[] => names(bed.client.list(ServiceAccounts, 'shop'));

function newBed(): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(Namespaces, 'shop', { spec: {}, status: {} });
  return bed.settle();
}

it('a namespace has its service account, and gets it back', () => {
  const bed = newBed();
  for (let i = 0; i < 2; i++) {
    expect(accounts(bed)).toEqual(['default']);
    bed.client.delete(ServiceAccounts, { namespace: 'shop', name: 'default' });
    bed.settle();
  }
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

test('a namespace that is being deleted does not get it back', () => {
  const bed = newBed();
  bed.client.delete(Namespaces, { namespace: '', name: 'shop' });
  bed.client.delete(ServiceAccounts, { namespace: 'shop', name: 'default' });
  bed.settle();
  expect(accounts(bed)).toEqual([]);
});

test('other accounts are left alone', () => {
  const bed = newBed();
  bed.create(ServiceAccounts, 'robot', {}, { namespace: 'shop' });
  bed.client.delete(ServiceAccounts, { namespace: 'shop', name: 'robot' });
  bed.settle();
  expect(accounts(bed)).toEqual(['default']);
});
