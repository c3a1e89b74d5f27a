import { describe, expect, jest, test } from '@jest/globals';
import type { Container, Pod } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { timestamp } from '../../../machinery/time/time.js';
import { NOW } from '../../kubelet/testing.js';
import type { Machines } from '../machines.js';
import { clientOf, machinesOf, stateOf, toolImages, toolPod, toolPrograms } from '../testing.js';

const ID = 'containerd://c-1';
const REST: Partial<Container> = { command: ['rest', '5000', '3'] };
const images = {
  ...toolImages,
  programs: { ...toolPrograms, isSelfContained: ([name]: readonly string[]) => name === 'rest' },
};

const first = toolPod([REST], { metadata: { name: 'first', uid: 'u1' } });
const second = (own: Partial<Container>, spec: Partial<Pod['spec']> = {}): Pod =>
  toolPod([own], { metadata: { name: 'second', uid: 'u2' }, spec });

const stressed: KubeObject = {
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'Fault',
  metadata: { name: 'stress', uid: 'f1' },
  status: {
    phase: 'Active',
    startTime: timestamp(NOW),
    effects: [{ does: 'stress', pods: { chosen: ['shop/second'] }, cpu: 1_000 }],
  },
} as KubeObject;
const limited: KubeObject = {
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'NodeRuntime',
  metadata: { name: 'worker-1' },
  configuration: { podPidsLimit: 1 },
} as KubeObject;
const service = (i: number): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: `s${i}`, namespace: 'shop' }, spec: {} }) as KubeObject;

/** Machines that have run the first pod, and what they then make another one of. */
function runBoth(pod: Pod, ...others: readonly KubeObject[]) {
  const state = stateOf(first, pod, ...others);
  const machines: Machines = machinesOf(state, { images });
  machines.forecast(machines.viewOf(first), ID, NOW);
  const at = jest.spyOn(machines, 'at');
  const view = machines.viewOf(pod);
  const forecast = machines.forecast(view, ID, NOW);
  return { state, machines, view, forecast, isMade: at.mock.calls.length > 0 };
}

test('a run of a command line that has been seen ends as that did, without a machine', () => {
  const { machines, view, state, forecast, isMade } = runBoth(second(REST));
  expect(forecast.exit).toEqual({ code: 3, at: NOW + 5_000, outOfMemory: false });
  expect(machines.answerWaiting(clientOf(state), view, NOW)).toBe(false);
  machines.keepEnd(clientOf(state), view, NOW + 5_000);
  expect(machines.terminationMessage(view, view.pod.spec.containers[0]!, ID, true, NOW + 5_000)).toBe('');
  expect(isMade).toBe(false);
});

test('whoever looks into it finds what a machine has run', () => {
  const { machines, view } = runBoth(second(REST));
  const { machine } = machines.at(view, NOW + 4_999);
  expect(machine.container(ID).running).toBe(true);
  expect(machines.at(view, NOW + 5_000).machine.container(ID).exit).toMatchObject({ code: 3, at: NOW + 5_000 });
});

describe('a machine runs it', () => {
  const mount = [{ name: 'data', mountPath: '/bin' }];
  test.each<[string, Pod]>([
    ['with another command line', second({ command: ['rest', '7000', '3'] })],
    ['whose command line does not tell its course', second({ command: ['count'] })],
    ['with other variables', second({ ...REST, env: [{ name: 'A', value: 'b' }] })],
    ['with a volume', second({ ...REST, volumeMounts: mount }, { volumes: [{ name: 'data', emptyDir: {} }] })],
    ['with a limit', second({ ...REST, resources: { limits: { cpu: '10m' } } })],
    ['with a hook', second({ ...REST, lifecycle: { preStop: { exec: { command: ['env', 'A'] } } } })],
    ['as another user', second({ ...REST, securityContext: { runAsUser: 1 } })],
    ['with stdin', second({ ...REST, stdin: true })],
    ['beside another one', toolPod([REST, REST], { metadata: { name: 'second', uid: 'u2' } })],
    ['that sees its node', second(REST, { hostPID: true })],
  ])('%s', (_case, pod) => expect(runBoth(pod).isMade).toBe(true));

  test.each<[string, readonly KubeObject[]]>([
    ['that a fault concerns', [stressed]],
    ['on a node that limits its processes', [limited]],
    ['beside more Services than a command line has room for', Array.from({ length: 201 }, (_, i) => service(i))],
  ])('%s', (_case, others) => expect(runBoth(second(REST), ...others).isMade).toBe(true));

  test('that somebody has acted on', () => {
    const { machines, view, state } = runBoth(second(REST));
    machines.store(clientOf(state), view.pod, machines.at(view, NOW));
    const at = jest.spyOn(machines, 'at');
    machines.forecast(view, ID, NOW);
    expect(at).toHaveBeenCalled();
  });

  test('that is told to stop', () => {
    const { machines, view } = runBoth(second(REST));
    const dying = { at: '2026-01-01T00:00:02.000000Z', since: '2026-01-01T00:00:01.000000Z', code: 143 };
    const at = jest.spyOn(machines, 'at');
    machines.forecast({ ...view, records: { c: { dying } } }, ID, NOW);
    expect(at).toHaveBeenCalled();
  });
});

test('tools that an author has chosen may do anything', () => {
  const authored = { ...toolImages, programs: images.programs };
  authored.resolve = (...args) => {
    const found = toolImages.resolve(...args);
    return 'image' in found ? { ...found, image: { ...found.image, isAuthored: true } } : found;
  };
  const machines = machinesOf(stateOf(first), { images: authored });
  const view = machines.viewOf(first);
  machines.forecast(view, ID, NOW);
  const at = jest.spyOn(machines, 'at');
  machines.forecast({ ...view }, ID, NOW);
  expect(at).toHaveBeenCalled();
});

test('what is known is what its own machine would have said', () => {
  const state = stateOf(second(REST));
  const machines = machinesOf(state, { images });
  const view = machines.viewOf(second(REST));
  const told = machines.forecast(view, ID, NOW);
  expect(machines.forecast(view, ID, NOW)).toEqual(told);
  expect(runBoth(second(REST)).forecast).toEqual(told);
});
