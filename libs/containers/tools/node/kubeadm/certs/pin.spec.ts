import { expect, test } from '@jest/globals';
import { pinOf } from './pin.js';

test('the pin of an authority is its own, in the form that kubeadm takes', () => {
  expect(pinOf('one')).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(pinOf('one')).toBe(pinOf('one'));
  expect(pinOf('one')).not.toBe(pinOf('two'));
});
