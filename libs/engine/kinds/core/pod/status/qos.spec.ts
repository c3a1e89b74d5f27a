import { expect, test } from '@jest/globals';
import { makePod, web } from '../testing.js';
import { qosClass } from './qos.js';

const both = { cpu: '1', memory: '1Gi' };

test.each([
  [{ limits: both }, 'Guaranteed'],
  [{ limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }, 'Guaranteed'],
  [{ requests: { cpu: '1' } }, 'Burstable'],
  [{ limits: { cpu: '1' } }, 'Burstable'],
  [{ limits: both, requests: { cpu: '500m' } }, 'Burstable'],
  [{}, 'BestEffort'],
  [{ requests: { cpu: '0' } }, 'BestEffort'],
  [{ requests: { 'ephemeral-storage': '1Gi' } }, 'BestEffort'],
])('resources %j are %s', (resources, qos) =>
  expect(qosClass(makePod({ containers: [{ ...web, resources }] }).spec)).toBe(qos),
);

test('init containers count too', () =>
  expect(
    qosClass(
      makePod({
        containers: [{ ...web, resources: { limits: both } }],
        initContainers: [{ name: 'init', image: 'busybox:1.36' }],
      }).spec,
    ),
  ).toBe('Burstable'));

test('the resources of the pod as a whole go before those of its containers', () =>
  expect(qosClass({ containers: [web], resources: { limits: both, requests: both } })).toBe('Guaranteed'));
