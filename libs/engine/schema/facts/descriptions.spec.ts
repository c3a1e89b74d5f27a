import { expect, test } from '@jest/globals';
import { description } from './descriptions.js';

test.each([
  ['io.k8s.api.core.v1.Pod', '', /^Pod is a collection of containers/],
  ['io.k8s.api.core.v1.Container', 'image', /image/i],
])('%s %s is described', (definition, field, text) => expect(description(definition, field)).toMatch(text));

test.each([
  ['io.example.Cart', ''],
  ['io.k8s.api.core.v1.Pod', 'foo'],
  ['constructor', 'name'],
])('%s %s is not', (definition, field) => expect(description(definition, field)).toBeUndefined());
