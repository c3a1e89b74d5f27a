import { expect, test } from '@jest/globals';
import { Pods } from '../../../kinds/index.js';
import type { Kind } from '../../../machinery/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { podLines } from './kubelet-pods.js';

const NOT_FOUND = 'rpc error: code = NotFound desc = no such "image"';

function textsOf(waiting: object | undefined, events: readonly object[]): string[] {
  const pod = {
    metadata: { namespace: 'shop', name: 'web', uid: 'u' },
    status: { containerStatuses: [{ name: 'c', state: waiting ? { waiting } : { running: {} } }] },
  };
  const made = events.map((event) => ({
    metadata: {},
    involvedObject: { name: 'web', fieldPath: 'spec.containers{c}' },
    lastTimestamp: '2026-01-01T00:00:10Z',
    ...event,
  }));
  const read = {
    list: () => made,
    byIndex: (kind: Kind) => (kind.kind === Pods.kind ? [pod] : []),
  } as unknown as Reader;
  return podLines(read, 'n').map(({ text }) => text);
}

const backOff = { reason: 'BackOff', message: 'Back-off restarting failed container c in pod web_shop(u)' };
const pull = { reason: 'Failed', message: `Failed to pull image "x:1": ${NOT_FOUND}` };

test.each<[string, object | undefined, readonly object[], readonly string[]]>([
  ['a pod that runs', undefined, [backOff], []],
  ['one that is being made', { reason: 'ContainerCreating' }, [backOff], []],
  ['one of which nothing was said', { reason: 'CrashLoopBackOff', message: 'm' }, [], []],
  [
    'one that crashes',
    { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting failed container=c pod=web_shop(u)' },
    [backOff],
    [
      'pod_workers.go:1324] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"c\\" with CrashLoopBackOff: ' +
        '\\"back-off 20s restarting failed container=c pod=web_shop(u)\\"" pod="shop/web" podUID="u"',
    ],
  ],
  [
    'one whose image is not there',
    { reason: 'ErrImagePull', message: NOT_FOUND },
    [pull],
    [
      'log.go:32] "PullImage from image service failed" err="rpc error: code = NotFound desc = no such \\"image\\"" image="x:1"',
      'kuberuntime_image.go:43] "Failed to pull image" err="rpc error: code = NotFound desc = no such \\"image\\"" image="x:1"',
      'pod_workers.go:1324] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"c\\" with ErrImagePull: ' +
        '\\"rpc error: code = NotFound desc = no such \\\\\\"image\\\\\\"\\"" pod="shop/web" podUID="u"',
    ],
  ],
])('a kubelet logs of %s', (_what, waiting, events, expected) => expect(textsOf(waiting, events)).toEqual(expected));
