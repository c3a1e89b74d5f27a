import { describe, expect, test } from '@jest/globals';
import type { Kind } from '../../../machinery/kind.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../../runtime/admission.js';
import { Widgets, type Widget } from '../../../runtime/testing.js';
import { COMPONENT, TestStore } from '../testing.js';

describe('mutating plug-ins', () => {
  test('run once more when one of them asks for it', () => {
    const rounds: string[] = [];
    const plugin = (name: string, act = (_request: AdmissionRequest): void => undefined): AdmissionPlugin => ({
      name,
      mutate: (request) => (rounds.push(`${name} ${request.round}`), act(request)),
    });
    new TestStore([plugin('first'), plugin('second', (request) => request.requireReinvocation())]).create();
    expect(rounds).toEqual(['first 0', 'second 0', 'first 1', 'second 1']);
  });

  test('share what they keep from one round to the next', () => {
    const counts: unknown[] = [];
    const mutate = (request: AdmissionRequest): void => {
      counts.push(request.pluginState.get('count'));
      request.pluginState.set('count', counts.length);
      request.requireReinvocation();
    };
    new TestStore([{ name: 'Counter', mutate }]).create();
    expect(counts).toEqual([undefined, 1]);
  });
});

test('a write that a body has led to is not shown to the plug-ins that have seen the body', () => {
  const kind: Kind<Widget> = {
    ...Widgets,
    subresources: { actions: { bind: { verbs: ['create'], handle: () => undefined } } },
  };
  const calls: string[] = [];
  const plugin = (name: string, fields: Partial<AdmissionPlugin> = {}): AdmissionPlugin => ({
    name,
    validate: ({ operation, subresource }) => void calls.push(`${name} ${operation} ${subresource}`),
    ...fields,
  });
  const bed = new TestStore([plugin('Webhook', { handlesBodies: true }), plugin('Quota')], [kind]);
  const old = bed.create(kind);
  calls.length = 0;
  bed.store.update(kind, { ...old, spec: { size: 9 } }, COMPONENT, 'bind');
  expect(calls).toEqual(['Quota UPDATE bind']);
});
