import { expect, test } from '@jest/globals';
import { parsePlaces, type Place } from './places.js';
import { targetIn } from './target.js';

const pod = (annotations: Record<string, string> = {}) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', annotations } },
  spec: {
    containers: [{ name: 'a' }, { name: 'b', stdin: true }],
    ephemeralContainers: [{ name: 'debugger-x', stdin: true, tty: true }],
  },
  status: {
    containerStatuses: [
      { name: 'a', state: { running: {} } },
      { name: 'b', state: { terminated: {} } },
    ],
    ephemeralContainerStatuses: [{ name: 'debugger-x', state: { waiting: {} } }],
  },
});
const named = { 'kubectl.kubernetes.io/default-container': 'b' };
type PodPlace = Extract<Place, { on: 'container' | 'attach' }>;

test.each<[string, Record<string, string>, string, boolean, boolean, boolean]>([
  ['s/web', {}, 'a', true, true, false],
  ['s/web', named, 'b', true, true, false],
  ['attach/s/web/', {}, 'a', false, false, false],
  ['attach/s/web/', named, 'b', true, false, false],
  ['attach/s/web/debugger-x', {}, 'debugger-x', true, true, true],
  ['attach/s/web/none', {}, 'none', false, false, false],
])('%s with %j leads into %s', (text, annotations, container, stdin, tty, isStarting) =>
  expect(targetIn(pod(annotations), parsePlaces(text)[0] as PodPlace)).toMatchObject({
    place: { container },
    streams: { stdin, tty },
    isStarting,
  }),
);
