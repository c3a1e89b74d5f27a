import { expect, test } from '@jest/globals';
import type { Client } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { tendEvents, tendReloads } from './events.js';

const COMPONENT = 'nginx-ingress-controller';
const at = (second: number): string => `2026-11-22T00:00:0${second}Z`;
const ingress = (...times: number[]): Ingress =>
  ({
    metadata: {
      name: 'web',
      uid: 'u',
      creationTimestamp: at(1),
      managedFields: times.map((one) => ({ time: at(one) })),
    },
  }) as unknown as Ingress;
const said = (second: number, component = COMPONENT, reason = 'Sync'): object => ({
  ...{ reason, source: { component }, lastTimestamp: at(second) },
});

test.each<[string, Ingress, object[], number]>([
  ['a new one', ingress(), [], 1],
  ['one that was seen', ingress(1), [said(1)], 0],
  ['one that has changed since', ingress(1, 3), [said(2)], 1],
  ['one that another controller has seen', ingress(1), [said(2, 'other')], 1],
  ['one of which something else was said', ingress(1), [said(2, COMPONENT, 'Other')], 1],
])('%s', (_case, object, events, count) => {
  const seen: unknown[] = [];
  const api = { byIndex: () => events } as unknown as Client;
  const hasChanged = tendEvents(api, { now: 0, event: (...all) => void seen.push(all.slice(1)) }, [object], COMPONENT);
  expect(hasChanged).toBe(count > 0);
  expect(seen).toEqual(Array(count).fill(['Normal', 'Sync', 'Scheduled for sync', { component: COMPONENT }]));
});

test.each<[string, object[], boolean, number]>([
  ['starts', [], false, 1],
  ['goes on', [said(1, COMPONENT, 'RELOAD')], false, 0],
  ['has a new configuration', [said(1, COMPONENT, 'RELOAD')], true, 1],
])('NGINX %s', (_case, events, hasChanged, count) => {
  const seen: unknown[] = [];
  const api = { byIndex: () => events, get: () => ({ metadata: { uid: 'p' } }) } as unknown as Client;
  const tools = { now: 0, event: (...all: unknown[]) => void seen.push(all.slice(1)) };
  tendReloads(api, tools, { namespace: 'ingress-nginx', name: 'c' }, hasChanged, COMPONENT);
  const message = 'NGINX reload triggered due to a change in configuration';
  expect(seen).toEqual(Array(count).fill(['Normal', 'RELOAD', message, { component: COMPONENT }]));
});
