import { expect, test } from '@jest/globals';
import { TenantSlots } from './tenant-slots.js';

test('a tenant has so many slots, whatever another does', () => {
  const slots = new TenantSlots(2);
  expect(['a', 'b', 'c'].map((cluster) => slots.take('flood', cluster))).toEqual([true, true, false]);
  expect([slots.take('quiet', 'q'), slots.isCrowded('flood'), slots.isCrowded('quiet')]).toEqual([true, true, false]);
});

test('a slot that is given back goes to the cluster that has waited longest, once', () => {
  const slots = new TenantSlots(1);
  slots.take('acme', 'a');
  for (const cluster of ['b', 'c', 'b']) slots.take('acme', cluster);
  expect(slots.release('acme')).toBe('b');
  expect(slots.take('acme', 'b')).toBe(true);
  expect([slots.release('acme'), slots.take('acme', 'c'), slots.release('acme')]).toEqual(['c', true, undefined]);
});

test('tenants without tasks are forgotten', () => {
  const slots = new TenantSlots(1);
  slots.take('acme', 'a');
  slots.release('acme');
  expect((slots as unknown as { tenants: Map<string, unknown> }).tenants.size).toBe(0);
});

test('a slot is passed on to those that wait in turn, and is free when nobody does', () => {
  const slots = new TenantSlots(1);
  slots.take('acme', 'a');
  slots.take('acme', 'b');
  slots.wait('acme', 'a');
  expect([slots.passOn('acme'), slots.take('acme', 'c'), slots.passOn('acme')]).toEqual(['b', false, 'a']);
  expect([slots.passOn('acme'), slots.passOn('acme'), slots.take('acme', 'd')]).toEqual(['c', undefined, true]);
});

test('a cluster that takes a slot waits no more', () => {
  const slots = new TenantSlots(2);
  slots.take('acme', 'a');
  slots.wait('acme', 'b');
  slots.take('acme', 'b');
  expect(slots.isCrowded('acme')).toBe(false);
});
