import { expect, test } from '@jest/globals';
import { compileCondition, pluralsIn, singularsIn } from './condition.js';

test.each([
  ['pods.exists(p, p.status.phase == "Running")', ['pods', 'p']],
  ['now > timestamp("2026-01-01T00:00:00Z")', []],
  ['size(deployments.filter(d, true)) > 1 && nodes[0].metadata.name == "a.b"', ['deployments', 'nodes']],
])('%s names %j', (text, plurals) => expect(pluralsIn(text)).toEqual(plurals));

test.each([
  ["deployment['shop/web'].spec.replicas == 3", ['deployment']],
  ["'shop/web' in deployment && 'x' in pods.map(p, p.metadata.name)", ['deployment']],
  ['pods[0].metadata.name == "a"', []],
])('%s asks %j by name', (text, singulars) => expect(singularsIn(text)).toEqual(singulars));

test.each([
  ['pods.exists(p, p.ready)', undefined],
  ['size(pods.filter(p, true))', 'must evaluate to bool, but evaluates to int'],
  ['pods.exists(', 'ERROR: <input>:1:13: Syntax error'],
])('%s: %s', (text, error) => {
  const compiled = compileCondition(text);
  if (error === undefined) expect(compiled.error).toBeUndefined();
  else expect(compiled.error).toContain(error);
});
