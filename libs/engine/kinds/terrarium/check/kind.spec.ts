import { expect, test } from '@jest/globals';
import { AGE, context, create, errorsOf, make, row } from '../../testing.js';
import { kind as Checks, MAX_CHECKS } from './kind.js';

const parts = (...given: object[]): object => ({ parts: given });
const NOW = 'size(pods) > 1';

test.each<[object, string[]]>([
  [{ now: NOW }, []],
  [{ title: 'T', points: 4, hint: 'h', messages: { passed: 'p' }, eventually: NOW, within: '10m' }, []],
  [parts({ now: NOW }, { name: 'b', always: NOW, from: '1m', until: "parts['part-1'] == 'Passed'" }), []],
  [parts({ probe: { url: 'http://shop.example.com/' }, every: '1s' }, { probe: { url: 'http://:30080/a?b' } }), []],
  [parts({ never: "change.resource == 'pods'", times: 3 }, { eventually: "request.verb == 'get'" }), []],
  [parts({ now: "run('default/web', ['true']).code == 0", every: '30s' }), []],
  [parts({ now: NOW, at: '2026-01-31T09:00:00Z' }, { now: NOW, atRevision: 7 }), []],
  [{}, ['spec: Required value: exactly one of now, eventually, always, never, probe']],
  [{ now: NOW, never: NOW }, ['spec: Required value: exactly one of']],
  [parts(), ['spec.parts: Required value: at least one part']],
  [parts({ now: NOW, within: 'soon' }), ['spec.parts[0].within: Invalid value: "soon": must be a duration']],
  [parts({ now: 'size(pods)' }), ['must evaluate to bool, but evaluates to int']],
  [
    parts({ now: 'pods.exists(' }),
    ['spec.parts[0].now: Invalid value: "pods.exists(": ERROR: <input>:1:13: Syntax error'],
  ],
  [parts({ now: 'Pods.size() > 1' }), ["undeclared reference to 'Pods'"]],
  [parts({ now: 'lives(pods)' }), ["undeclared reference to 'lives'"]],
  [parts({ now: "change.type == 'delete'" }), ['may be asked for by eventually, always and never']],
  [parts({ never: NOW, times: 2 }), ['spec.parts[0].times: Forbidden: may only be set where change or request']],
  [parts({ never: NOW, at: '1m' }), ['spec.parts[0].never: Forbidden: what is asked at one moment is asked by now']],
  [
    parts({ now: "parts['b'] == 'Passed'" }, { name: 'b', now: NOW }),
    ['must be the name of a part that stands before'],
  ],
  [parts({ now: NOW, until: "file('default/a', '/x') == ''" }), ['spec.parts[0].until: Forbidden']],
  [parts({ name: 'a', now: NOW }, { name: 'a', now: NOW }), ['spec.parts[1].name: Duplicate value: "a"']],
  [parts({ now: NOW, points: 1 }, { now: NOW }), ['spec.parts: Required value: points of every part, or of none']],
  [
    { ...parts({ now: NOW, points: 1 }), points: 2 },
    ['spec.points: Invalid value: 2: must be the points of the parts'],
  ],
  [parts({ probe: { url: 'ftp://x' } }), ['spec.parts[0].probe.url: Invalid value']],
  [
    parts({ now: NOW, every: '10ms' }),
    ['spec.parts[0].every: Invalid value: "10ms": must be a duration of at least 1s'],
  ],
  [parts({ now: NOW, colour: 'red' }), ['spec.parts[0]: Invalid value: "colour": unknown field']],
  [{ parts: [7] }, ['spec.parts[0]: Invalid value']],
  [{ parts: 7 }, ['spec.parts: Invalid value']],
  [{ now: NOW, messages: { lost: 'x' } }, ['spec.messages: Invalid value: "lost": unknown field']],
  [
    parts(...Array.from({ length: 21 }, () => ({ now: NOW }))),
    ['spec.parts: Too many: 21: must have at most 20 items'],
  ],
])('a Check of %j', (spec, errors) => {
  const found = errorsOf(Checks, { metadata: { name: 'one' }, spec });
  expect(found).toHaveLength(errors.length);
  found.forEach((error, i) => expect(error).toContain(errors[i]!));
});

test.each<[object, number]>([
  [{ now: NOW }, 1],
  [{ now: NOW, points: 4 }, 4],
  [parts({ now: NOW }, { now: NOW }), 1],
  [parts({ now: NOW, points: 1 }, { now: NOW, points: 2 }), 3],
  [{ ...parts({ now: NOW }, { now: NOW }, { now: NOW }), points: 1 }, 1],
])('the points of %j are %d', (spec, points) => {
  expect(create(Checks, { metadata: { name: 'one' }, spec }).status).toEqual({ phase: 'Pending', score: 0, points });
});

test('a Check prints, and its status is kept from users', () => {
  const check = create(Checks, { metadata: { name: 'one' }, spec: { now: NOW }, status: { phase: 'Passed' } });
  expect(row(Checks, check)).toEqual({ Name: 'one', Phase: 'Pending', Score: '0/1', Message: '', Age: AGE });
  const given = make(Checks, { metadata: { name: 'one' }, spec: { now: NOW }, status: { phase: 'Passed' } });
  Checks.prepareForUpdate!(given, check, context);
  expect(given.status).toEqual(check.status);
});

test('a cluster has so many', () => {
  const read = { ...context.read, list: () => Array.from({ length: MAX_CHECKS }) };
  expect(Checks.validateNew!(make(Checks), { ...context, read } as never)).toHaveLength(1);
  expect(Checks.validateNew!(make(Checks), context)).toEqual([]);
});
