import { describe, expect, test } from '@jest/globals';
import { NOW } from '../testing.js';
import { waitForAttachAndMount, type MountDecision, type MountRequest } from './volume-manager.js';

const wait = (more: Partial<MountRequest> = {}): MountDecision =>
  waitForAttachAndMount({ problems: ['configmap "x" not found'], retry: undefined, now: NOW, instant: false, ...more });
const FAILED_MOUNT = [{ type: 'Warning', reason: 'FailedMount', message: 'configmap "x" not found' }];

test('volumes that can be mounted are mounted', () => {
  expect(wait({ problems: [] })).toEqual({});
});

describe('volumes that cannot be mounted', () => {
  test('get a second look before anything is reported', () => {
    expect(wait()).toEqual({ retry: { retryAt: NOW + 333, failures: 0 } });
  });
  test('are reported at once without delays', () => {
    expect(wait({ instant: true })).toEqual({ retry: { retryAt: NOW + 250, failures: 0 }, events: FAILED_MOUNT });
  });
  test('are left alone until the next try', () => {
    const retry = { retryAt: NOW + 1, failures: 3 };
    expect(wait({ retry })).toEqual({ retry });
  });
  test.each([
    [0, 500],
    [1, 1_000],
    [2, 2_000],
    [7, 64_000],
    [8, 122_000],
    [30, 122_000],
  ])('after %d failures are tried again %d ms later', (failures, backoff) => {
    expect(wait({ retry: { retryAt: NOW, failures } })).toEqual({
      retry: { retryAt: NOW + backoff, failures: failures + 1 },
      events: FAILED_MOUNT,
    });
  });
  test('are looked at every 10 s for the sake of a claim', () => {
    const problems = ['Unable to attach or mount volumes: error processing PVC shop/x: PVC is not bound'];
    const retry = { retryAt: NOW, failures: 30 };
    expect(wait({ problems, retry }).retry).toEqual({ retryAt: NOW + 10_000, failures: 31 });
  });
});
