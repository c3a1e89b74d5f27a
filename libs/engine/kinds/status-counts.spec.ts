import { expect, test } from '@jest/globals';
import { validateStatusCounts } from './status-counts.js';

const errorsOf = (status: object, ready?: string): string[] =>
  validateStatusCounts(status, ['replicas', 'readyReplicas', 'availableReplicas'], ['readyReplicas'], ready).map(
    (error) => error.message,
  );

test.each<[object, string | undefined, string[]]>([
  [{}, 'readyReplicas', []],
  [{ replicas: 3, readyReplicas: 2, availableReplicas: 1 }, 'readyReplicas', []],
  [
    { replicas: -1, readyReplicas: -1 },
    undefined,
    ['replicas', 'readyReplicas'].map(
      (field) => `status.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
  [
    { replicas: 1, readyReplicas: 2 },
    undefined,
    ['status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    'status.readyReplicas',
    ['status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas'],
  ],
  [{ replicas: 2, readyReplicas: 1, availableReplicas: 2 }, undefined, []],
])('%j, ready as %s', (status, ready, errors) => expect(errorsOf(status, ready)).toEqual(errors));
