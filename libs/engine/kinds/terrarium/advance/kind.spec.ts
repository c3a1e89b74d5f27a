import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../../testing.js';
import { kind as Advances } from './kind.js';

const SPAN = 'must be a duration of more than 0 and at most 8784h, such as 10m';

test.each<[object, string[]]>([
  [{ by: '10m' }, []],
  [{ to: '2026-01-31T09:00:00Z', pause: true }, []],
  [{ until: 'pods.exists(p, p.status.phase == "Running")', limit: '1h30m' }, []],
  [{ steps: 0 }, []],
  [{}, ['spec: Required value: exactly one of by, to, until and steps']],
  [{ by: '10m', steps: 1 }, ['spec: Required value: exactly one of by, to, until and steps']],
  [{ by: '0s' }, [`spec.by: Invalid value: "0s": ${SPAN}`]],
  [{ by: '9000h' }, [`spec.by: Invalid value: "9000h": ${SPAN}`]],
  [{ to: 'noon' }, ['spec.to: Invalid value: "noon": must be a time such as 2026-01-31T09:00:00Z']],
  [{ steps: 1.5 }, ['spec.steps: Invalid value: 1.5: must be a whole number from 0 to 1000']],
  [{ until: 'size(pods)' }, ['spec.until: Invalid value: "size(pods)": ERROR: <input>:1:6: undeclared reference']],
  [{ by: '1m', limit: '1h' }, ['spec.limit: Invalid value: "1h": may only be set with until']],
  [{ by: '1m', pause: 1 }, ['spec.pause: Invalid value: 1: must be true or false']],
  [{ by: '1m', rate: 1 }, ['spec: Invalid value: "rate": unknown field']],
])('an Advance of %j', (spec, errors) => {
  const found = errorsOf(Advances, { metadata: { name: 'one' }, spec });
  expect(found).toHaveLength(errors.length);
  found.forEach((error, i) => expect(error).toContain(errors[i]!));
});

test('an Advance prints', () =>
  expect(row(Advances, create(Advances, { metadata: { name: 'one' }, spec: { by: '10m' } }))).toEqual({
    Name: 'one',
    Goal: 'by 10m',
    Phase: 'Pending',
    Progress: '0%',
    Reached: '<none>',
    Age: AGE,
  }));
