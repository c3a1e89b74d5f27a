import { expect, test } from '@jest/globals';
import { NOW } from '../../kubelet/testing.js';
import { summaryLogs } from './summary-logs.js';
import { stateOf, toolImages, toolPod } from '../testing.js';

test.each([
  ['server', { 'c-1': ['ready'] }],
  ['tools', {}],
])('what is known of a container of %s', (image, expected) => {
  const state = stateOf(toolPod([{ image }]));
  expect(summaryLogs(state, toolImages, 'worker-1', NOW + 1_000)).toEqual(expected);
});

test('another node’s containers are its own', () =>
  expect(summaryLogs(stateOf(toolPod([{ image: 'server' }])), toolImages, 'worker-2', NOW)).toEqual({}));
