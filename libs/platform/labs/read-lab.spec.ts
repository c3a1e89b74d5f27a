import { describe, expect, test } from '@jest/globals';
import { readLab, readLabFolder } from './read-lab.js';

const lab = (spec: object): object => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'Lab',
  metadata: { name: 'first' },
  spec: { title: 'First', steps: [{ title: 'One' }], ...spec },
});

test('a lab of YAML has what it leaves out', () => {
  const { spec } = readLab(
    'apiVersion: terrarium.dev/v1alpha1\nkind: Lab\nmetadata: {name: a}\nspec: {title: A, steps: [{title: One}]}',
  );
  expect(spec).toMatchObject({
    cluster: { nodes: 2, controlPlane: 'control-plane' },
    learner: { user: 'learner', groups: ['terrarium:learners'], shell: true },
    ready: { timeout: 600_000, settle: 0 },
    steps: [{ title: 'One', hints: [], checks: [], text: '' }],
  });
});

describe('refused', () => {
  test.each<[unknown, string]>([
    ['a: [', 'this is no YAML'],
    ['a: 1\n---\nb: 2', 'one YAML document'],
    ['a: *none', 'this is no YAML'],
    ['7', 'must be an object'],
    [{ kind: 'Pod' }, 'kind'],
    [lab({ steps: [] }), 'spec.steps'],
    [lab({ colour: 'red' }), 'colour'],
    [lab({ steps: [{ title: 'One', checks: ['none'] }] }), 'there is no check "none"'],
    [
      lab({
        steps: [
          { title: 'One', name: 'a' },
          { title: 'Two', name: 'a' },
        ],
      }),
      'names of their own',
    ],
    [
      lab({
        checks: [
          { name: 'a', spec: {} },
          { name: 'a', spec: {} },
        ],
      }),
      'names of their own',
    ],
    [lab({ files: [{ path: 'relative', content: '' }] }), 'spec.files.0.path'],
    [lab({ files: [{ path: '/a', content: '', node: 'n', pod: 'p' }] }), 'must not be given with a node'],
    [lab({ ready: { timeout: '3d' } }), 'must be from 0s to 2h'],
    [lab({ cluster: { nodes: 201 } }), 'spec.cluster.nodes'],
  ])('%j: %s', (given, message) => expect(() => readLab(given)).toThrow(message));

  test('one that is too long', () => expect(() => readLab('x'.repeat(1024 * 1024 + 1))).toThrow('must not be longer'));
});

test('files of a folder stand in the place of texts and manifests, and of nothing within a spec', () => {
  const text = JSON.stringify(
    lab({
      steps: [{ title: 'One', text: { file: 'one.md' } }],
      manifests: [
        { file: 'all.yaml' },
        { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: { file: 'kept' } },
      ],
    }),
  );
  const { spec } = readLabFolder(text, (name) => `content of ${name}`);
  expect(spec.steps[0]!.text).toBe('content of one.md');
  expect(spec.manifests).toEqual(['content of all.yaml', expect.objectContaining({ spec: { file: 'kept' } })]);
});
