import { expect, test } from '@jest/globals';
import { runLine, type Texts } from '../../testing/run-line.js';
import { kubectl } from '../kubectl.js';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {run: web}}
  template:
    metadata: {labels: {run: web}}
    spec:
      containers:
      - name: nginx
        image: nginx:1.25
        args: [a]
        envFrom: [{configMapRef: {name: conf}}]
        env: [{name: X, value: "1"}]
      - {name: side, image: busybox}
`;
const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {run: web}, ports: [{port: 80}]}
`;
const BASE = 'resources: [d.yaml, s.yaml]\n';
const FILES = { '/base/d.yaml': DEPLOYMENT, '/base/s.yaml': SERVICE, '/base/kustomization.yaml': BASE };

const build = (text: string, files: Texts = FILES) =>
  runLine({ kubectl }, 'cd /; kubectl kustomize over', { ...files, '/over/kustomization.yaml': text });

/** What stands after a field in the output, wherever it is. */
function values(stdout: string, field: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.trim().replace(/^- /, '').startsWith(`${field}:`))
    .map((line) => line.slice(line.indexOf(':') + 1).trim());
}

// Hashes, orders and words are those that kubectl prints for these files.
test.each<[string, string, string[]]>([
  ['namePrefix: a-\nnameSuffix: -z', 'name', ['a-web-z', 'a-web-z', 'X', 'conf', 'nginx', 'side']],
  ['namespace: shop', 'namespace', ['shop', 'shop']],
  ['images: [{name: nginx, newName: r.io/n, newTag: "2"}]', 'image', ['r.io/n:2', 'busybox']],
  ['images: [{name: busybox, digest: "sha256:a"}]', 'image', ['nginx:1.25', 'busybox@sha256:a']],
  ['replicas: [{name: web, count: 3}]', 'replicas', ['3']],
  ['commonAnnotations: {a: b}', 'a', ['b', 'b', 'b']],
  ['labels: [{pairs: {t: a}}]', 't', ['a', 'a']],
  ['labels: [{pairs: {t: a}, includeTemplates: true}]', 't', ['a', 'a', 'a']],
  ['labels: [{pairs: {t: a}, includeSelectors: true}]', 't', ['a', 'a', 'a', 'a', 'a']],
  ['sortOptions: {order: fifo}', 'kind', ['Deployment', 'Service']],
  ['configMapGenerator: [{name: conf, literals: [a=b]}]', 'kind', ['ConfigMap', 'Service', 'Deployment']],
  [
    'configMapGenerator: [{name: conf, literals: [a=b]}]',
    'name',
    ['conf-4h2mbtbbt6', 'web', 'web', 'X', 'conf-4h2mbtbbt6', 'nginx', 'side'],
  ],
])('%s: %s', (text, field, expected) => {
  const { stdout, stderr } = build(`resources: [../base]\n${text}\n`);
  expect(stderr).toBe('');
  expect(values(stdout, field)).toEqual(expected);
});

test.each([
  ['{name: c, literals: [a=b]}', 'c-4h2mbtbbt6'],
  ['{name: empty}', 'empty-6ct58987ht'],
  ['{name: c, literals: [a=b], options: {disableNameSuffixHash: true}}', 'c'],
])('configMapGenerator: [%s]', (generator, name) => {
  expect(values(build(`configMapGenerator: [${generator}]\n`).stdout, 'name')).toEqual([name]);
});

test('a Secret is in base64, in lines of seventy', () => {
  const files = { '/over/e': '# a comment\nA=1\nB="2"\n' };
  const long = '0123456789'.repeat(6);
  expect(build(`secretGenerator: [{name: s, envs: [e], literals: [long=${long}]}]\n`, files).stdout)
    .toBe(`apiVersion: v1
data:
  A: MQ==
  B: IjIi
  long: |
    MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMT
    IzNDU2Nzg5
kind: Secret
metadata:
  name: s-7ktf28kc86
type: Opaque
`);
});

test('an overlay merges a generated ConfigMap, a component patches it', () => {
  const patch = '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {x: z}}}';
  const { stdout, stderr } = build(
    'resources: [../gen]\ncomponents: [../comp]\nconfigMapGenerator: [{name: c, behavior: merge, literals: [b=3]}]\n',
    {
      '/gen/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=1, b=2]}]\n',
      '/comp/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{patch: "${patch}"}]\n`,
    },
  );
  expect(stderr).toBe('');
  expect(stdout).toBe(
    'apiVersion: v1\ndata:\n  a: "1"\n  b: "3"\nkind: ConfigMap\nmetadata:\n  labels:\n    x: z\n  name: c-dtd4b88ttf\n',
  );
});

test('patches: entries that they name stand first', () => {
  const patch = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers: [{name: side, command: [sh]}, {name: new, image: img}, {name: nginx, env: [{name: Y2, value: "2"}]}]
`;
  const { stdout } = build(
    'resources: [../base]\npatches:\n- path: p.yaml\n- target: {kind: Dep.*}\n  patch: |-\n    - {op: add, path: /spec/template/spec/containers/2/args/-, value: b}\n',
    { ...FILES, '/over/p.yaml': patch },
  );
  expect(values(stdout, 'image')).toEqual(['busybox', 'img', 'nginx:1.25']);
  expect(values(stdout, 'name').slice(2)).toEqual(['side', 'new', 'Y2', 'X', 'conf', 'nginx']);
});
