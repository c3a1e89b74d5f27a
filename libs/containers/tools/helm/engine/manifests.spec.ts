import { expect, test } from '@jest/globals';
import { sortManifests, sortForUninstall, splitManifests } from './manifests.js';

test.each([
  ['a: 1\n---\nb: 2\n', ['a: 1', 'b: 2']],
  ['---\na: 1\n---\nb: 1\n', ['a: 1', 'b: 1']],
  ['a: 1\n---\n---\n', ['a: 1']],
  ['# only\n', ['# only']],
  ['a: |\n  x --- y\n', ['a: |\n  x --- y']],
  ['', []],
])('%j', (text, parts) => expect(splitManifests(text)).toEqual(parts));

const object = (kind: string, name: string, annotations = ''): string =>
  `kind: ${kind}\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\n`;

test('objects are installed by kind, hooks stand apart, partials and empty files are nothing', () => {
  const files = new Map([
    ['c/templates/b.yaml', [object('Service', 's'), object('Deployment', 'd'), object('Foo', 'f')].join('---\n')],
    ['c/templates/a.yaml', [object('Namespace', 'ns'), object('Secret', 'x')].join('---\n')],
    ['c/templates/_h.tpl', 'x'],
    ['c/templates/e.yaml', '\n'],
    ['c/templates/h.yaml', object('Job', 'j', 'helm.sh/hook: "pre-install, test-success", helm.sh/hook-weight: "-5"')],
    ['c/templates/u.yaml', object('Job', 'u', 'helm.sh/hook: nothing-known')],
  ]);
  const { manifests, hooks } = sortManifests(files);
  expect(manifests.map(({ name }) => name)).toEqual(['ns', 'x', 's', 'd', 'f']);
  expect(hooks).toMatchObject([{ name: 'j', weight: -5, events: ['pre-install', 'test'], delete_policies: [] }]);
  expect(sortForUninstall(manifests).map(({ name }) => name)).toEqual(['s', 'd', 'x', 'ns', 'f']);
});

test.each([
  ['a: [', 'YAML parse error on t: error converting YAML to JSON: '],
  ['- a', 'YAML parse error on t: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array'],
])('%j is refused', (text, message) => expect(() => sortManifests(new Map([['t', text]]))).toThrow(message));
