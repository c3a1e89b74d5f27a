import { expect, test } from '@jest/globals';
import { CallFailure, TemplateRunFailure, TemplateSyntaxFailure } from './failures.js';
import { ARITY, FUNCTIONS, type TemplateFunction } from './functions.js';
import { formatPrintf } from './printf.js';
import { Templates } from './templates.js';
import { GoInt, GoObject } from './values.js';

const make = (functions: Record<string, TemplateFunction> = {}, missing: 'nothing' | 'null' | 'refused' = 'null') =>
  new Templates({ functions: { ...FUNCTIONS, ...functions }, arity: ARITY, missing, nilText: '<no value>' });

test('templates know each other, and messages name the text that they stand in', () => {
  const templates = make();
  templates.add('a', '{{ define "x" }}[{{ .v }}]{{ end }}');
  templates.add('b', '{{ template "x" . }}{{ template "x" .in }}');
  expect(templates.run('b', { v: '1', in: { v: '2' } })).toBe('[1][2]');
  templates.add('c', '{{ define "bad" }}\n{{ .v.w.x }}{{ end }}{{ template "bad" . }}');
  expect(() => templates.run('c', {})).toThrow(
    'template: c:2:5: executing "bad" at <.v.w.x>: nil pointer evaluating interface {}.w',
  );
});

test('what a copy defines the first one does not know', () => {
  const templates = make();
  templates.add('a', '{{ define "x" }}1{{ end }}');
  const copy = templates.clone();
  copy.add('b', '{{ define "x" }}2{{ end }}');
  expect([templates.run('x', null), copy.run('x', null)]).toEqual(['1', '2']);
});

test('values have methods and fields', () => {
  const greeter = new GoObject(
    'app.Greeter',
    { Name: 'x' },
    { Greet: ([who]) => `hi ${String(who)}`, Who: () => 'me' },
  );
  const templates = make();
  templates.add(
    't',
    '{{ .g.Greet "you" }} {{ .g.Name }} {{ (.g).Who }} {{ "z" | .g.Greet }}{{ range $k, $v := .g }} {{ $k }}={{ $v }}{{ end }}',
  );
  expect(templates.run('t', { g: greeter })).toBe('hi you x me hi z Name=x');
});

test.each<[string, string]>([
  ['{{ template "t" . }}', 'exceeded maximum template depth'],
  [
    '{{ range . }}{{ range $ }}{{ range $ }}{{ range $ }}x{{ end }}{{ end }}{{ end }}{{ end }}',
    'the template prints too much',
  ],
  ['{{ boom }}', 'error calling boom: it broke'],
])('%s ends', (text, message) => {
  const templates = make({
    boom: () => {
      throw new CallFailure('it broke');
    },
  });
  templates.add('t', text);
  const many = Array.from({ length: 40 }, (_, i) => i);
  expect(() => templates.run('t', many)).toThrow(TemplateRunFailure);
  expect(() => templates.run('t', many)).toThrow(message);
});

test('a text that is none is told by its name and line', () => {
  expect(() => make().add('t', 'a\n{{ nope }}')).toThrow(TemplateSyntaxFailure);
  expect(() => make().add('t', 'a\n{{ nope }}')).toThrow('template: t:2: function "nope" not defined');
});

test.each<[string, unknown[], string]>([
  ['%s %d %v', ['a', new GoInt(1), [new GoInt(1)]], 'a 1 [1]'],
  ['%5.2f|%05d|%-4s|%+d', [1.5, new GoInt(42), 'l', new GoInt(5)], ' 1.50|00042|l   |+5'],
  ['%d', [1.5], '%!d(float64=1.5)'],
  ['%s', [{ a: 'b' }], 'map[a:b]'],
  ['%c %x %e', [new GoInt(65), 'hi', 1.5], 'A 6869 1.500000e+00'],
  ['%[2]s %[1]s', ['a', 'b'], 'b a'],
  ['%*d', [new GoInt(4), new GoInt(3)], '   3'],
  ['%s', [], '%!s(MISSING)'],
  ['a', [new GoInt(1)], 'a%!(EXTRA int=1)'],
  ['%v %v', [1_000_000, 0.5], '1e+06 0.5'],
])('printf %s', (format, args, text) => expect(formatPrintf(format, args)).toBe(text));
