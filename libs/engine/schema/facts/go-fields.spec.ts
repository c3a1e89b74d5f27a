import { expect, test } from '@jest/globals';
import { goField } from './go-fields.js';

const CORE = 'io.k8s.api.core.v1';

test.each([
  [`${CORE}.Container`, 'name', { zero: 'shown' }],
  [`${CORE}.Container`, 'image', { zero: 'absent' }],
  [`${CORE}.Container`, 'imagePullPolicy', { zero: 'absent', type: 'v1.PullPolicy' }],
  [`${CORE}.Container`, 'restartPolicy', { zero: 'kept', type: 'v1.ContainerRestartPolicy' }],
  [`${CORE}.ConfigMapKeySelector`, 'name', { zero: 'absent', within: 'LocalObjectReference' }],
  [`${CORE}.ContainerImage`, 'names', { zero: 'null' }],
  [`${CORE}.Nothing`, 'name', { zero: 'absent' }],
])('%s.%s: %j', (definition, field, expected) => expect(goField(definition, field)).toEqual(expected));
