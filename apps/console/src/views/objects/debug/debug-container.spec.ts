import { expect, test } from '@jest/globals';
import { debuggerName, debugWrite } from './debug-container.js';

test.each([
  ['web', { targetContainerName: 'web' }],
  ['', {}],
])('a container of kubectl debug with target %j', (target, more) =>
  expect(debugWrite({ namespace: 'shop', name: 'web-0' }, { name: 'debugger-b', image: 'busybox', target })).toEqual({
    method: 'PATCH',
    path: '/api/v1/namespaces/shop/pods/web-0/ephemeralcontainers',
    body: {
      spec: {
        ephemeralContainers: [
          {
            ...{ name: 'debugger-b', image: 'busybox', stdin: true, tty: true, terminationMessagePolicy: 'File' },
            ...more,
            securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
          },
        ],
      },
    },
    type: 'application/strategic-merge-patch+json',
  }),
);

test('names are kubectl’s', () => {
  expect(debuggerName(() => 0)).toBe('debugger-bbbbb');
  expect(debuggerName(() => 0.999)).toBe('debugger-99999');
});
