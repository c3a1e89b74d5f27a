import { expect, test } from '@jest/globals';
import { compactRules } from '../rbac/compact.js';
import { NODE_RULES } from './node-rules.js';

test.each([
  '{APIGroups:[""], Resources:["nodes/status"], Verbs:["patch" "update"]}',
  '{APIGroups:[""], Resources:["pods/eviction"], Verbs:["create"]}',
  '{APIGroups:["authentication.k8s.io"], Resources:["tokenreviews"], Verbs:["create"]}',
  '{APIGroups:["node.k8s.io"], Resources:["runtimeclasses"], Verbs:["get" "list" "watch"]}',
])('%s is a rule', (rule) => expect(compactRules(NODE_RULES)).toContain(rule));

test('nodes have no rule for all of a group', () =>
  expect(
    NODE_RULES.filter(({ apiGroups, resources, verbs }) => [apiGroups, resources, verbs].flat().includes('*')),
  ).toEqual([]));
