import { expect, test } from '@jest/globals';
import { Path } from '../../../machinery/meta/field.js';
import { visitContainersWithPath } from './visit-containers.js';

test('init containers first, then containers, then ephemeral ones, each with its path', () => {
  const visited: string[] = [];
  visitContainersWithPath(
    {
      containers: [{ name: 'a' }, { name: 'b' }],
      ephemeralContainers: [{ name: 'debug' }],
      initContainers: [{ name: 'init' }],
    },
    Path.of('spec'),
    ({ name }, path) => visited.push(`${path} ${name}`),
  );
  expect(visited).toEqual([
    'spec.initContainers[0] init',
    'spec.containers[0] a',
    'spec.containers[1] b',
    'spec.ephemeralContainers[0] debug',
  ]);
});
