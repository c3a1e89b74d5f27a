import { expect, test } from '@jest/globals';
import { node, pod, running, STAMP, waiting } from '../testing.js';
import { summarize } from './stats.js';

test('the summary names the pods that run, and their containers', () => {
  const pods = [
    pod({}, { startTime: STAMP, containerStatuses: [running('a'), waiting('b')] }),
    pod({}, { containerStatuses: [waiting('c')] }, { name: 'new' }),
  ];
  expect(summarize(node({}, { metadata: { name: 'worker-1', creationTimestamp: STAMP } }), pods)).toEqual({
    node: { nodeName: 'worker-1', startTime: STAMP },
    pods: [
      {
        podRef: { name: 'web', namespace: 'shop', uid: 'u1' },
        startTime: STAMP,
        containers: [{ name: 'a', startTime: STAMP }],
      },
    ],
  });
});
