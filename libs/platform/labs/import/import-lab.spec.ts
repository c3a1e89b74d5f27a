import { describe, expect, test } from '@jest/globals';
import { readLabFolder } from '../read-lab.js';
import { importLab } from './import-lab.js';

const folder = (files: Record<string, string | undefined>): Map<string, string | undefined> =>
  new Map(Object.entries(files));
const labOf = ({ files }: { files: Map<string, string> }) =>
  readLabFolder(files.get('lab.yaml')!, (path) => files.get(path)!);

const SCENARIO = {
  title: 'A shop',
  description: 'Scale a shop.',
  time: '10-15 minutes',
  difficulty: 'Beginner',
  details: {
    intro: { text: 'intro.md', background: 'intro.sh', foreground: 'wait.sh', video: 'x' },
    steps: [
      {
        title: 'Scale',
        text: 'one/text.md',
        verify: 'one/verify.sh',
        foreground: 'one/fg.sh',
        answer: 'one/answer.md',
      },
      { title: 'Read', text: 'none.md', background: 'two.sh' },
    ],
    finish: { text: 'finish.md' },
    assets: {
      host01: [
        { file: '*.sh', target: '~/bin', chmod: '+x' },
        { file: 'logo.png', target: '/root' },
      ],
      host02: [{ file: 'conf.yaml', target: '/etc/shop', chmod: '600' }],
      client: [],
    },
  },
  backend: { imageid: 'kubernetes-kubeadm-2nodes' },
  interface: { layout: 'ide' },
};
const KILLERCODA = {
  'index.json': JSON.stringify(SCENARIO),
  'intro.md': 'Welcome to [it]({{TRAFFIC_HOST1_80}}). ![a picture](./assets/logo.png)\n',
  'intro.sh': 'kubectl create deployment shop --image=nginx\n',
  'wait.sh': 'clear\n',
  'one/text.md':
    'Look: `kubectl get pods`{{exec}}, `not this`{{}}, `nor this`{{copy}}.\n\n```\nkubectl scale deployment/shop --replicas=2\n```{{exec}}\n',
  'one/verify.sh': 'kubectl get deployment shop\n',
  'one/fg.sh': 'echo begin\n',
  'one/answer.md': 'Use `kubectl scale`.\n',
  'two.sh': 'true\n',
  'finish.md': 'Done.\n',
  'assets/a.sh': 'echo a\n',
  'assets/conf.yaml': 'a: 1\n',
  'assets/logo.png': undefined,
};

describe('Killercoda', () => {
  const made = importLab(folder(KILLERCODA), 'My_Shop');
  const { metadata, spec } = labOf(made);

  test('texts, scripts and files are the lab’s', () => {
    expect(metadata.name).toBe('my-shop');
    expect(spec).toMatchObject({
      ...{ title: 'A shop', summary: 'Scale a shop.', minutes: 10, finish: 'Done.\n' },
      cluster: { controlPlane: 'controlplane', nodes: [{ names: ['node01'] }], storageClass: 'local-path' },
      setup: 'kubectl create deployment shop --image=nginx\n',
      steps: [
        {
          ...{ title: 'Scale', foreground: 'clear\necho begin\n', verify: 'kubectl get deployment shop\n' },
          hints: ['Use `kubectl scale`.\n'],
          solution: 'kubectl get pods\nkubectl scale deployment/shop --replicas=2\n',
        },
        { title: 'Read', text: '', background: 'true\n' },
      ],
      files: [
        { path: '/etc/profile.d/kubectl.sh', content: 'alias k=kubectl\n' },
        { node: 'controlplane', path: '/root/bin/a.sh', content: 'echo a\n', mode: '755' },
        { node: 'node01', path: '/etc/shop/conf.yaml', content: 'a: 1\n', mode: '600' },
      ],
    });
    expect(spec.steps[0]!.text).toContain('`kubectl get pods`{{exec}}');
    expect([...made.files.keys()]).toContain('step-1/text.md');
  });

  test('what is not taken over is said by its name', () =>
    expect(made.notes).toEqual(
      expect.arrayContaining([
        'difficulty: is not taken over',
        'interface: is not taken over',
        'details.intro.video: is not taken over',
        'details.intro: the mark {{TRAFFIC_HOST1_80}} means nothing in a lab',
        'details.intro: the picture ./assets/logo.png is left out',
        'details.intro.background: runs before the learner comes, as setup; when it fails, /var/log/setup.log says how',
        'details.steps[0]: its solution is the commands of its text that a click runs',
        'details.steps[1].text: none.md does not exist: it is left out',
        'details.assets.host01[1]: assets/logo.png is no text: it is left out',
        'details.assets.client: is not taken over',
      ]),
    ));

  test.each<[string, string, string[]]>([
    ['a folder', 'app', ['/root/app/deploy/web.yaml', '/root/app/run.sh']],
    ['a folder with a slash', './app/', ['/root/app/deploy/web.yaml', '/root/app/run.sh']],
    ['what is in a folder', 'app/*.sh', ['/root/app/run.sh']],
    ['the folder of assets before it', 'assets/a.sh', ['/root/a.sh']],
    ['a folder of that name', 'assets/inner.sh', ['/root/assets/inner.sh']],
    ['everything', '**', ['/root/a.sh', '/root/app/deploy/web.yaml', '/root/app/run.sh', '/root/assets/inner.sh']],
    ['nothing', 'nope', []],
  ])('an asset that names %s', (_, file, paths) => {
    const details = { steps: [{ code: 'a' }], assets: { host01: [{ file, target: '/root' }] } };
    const index = { title: 'A', details, backend: { imageid: 'kubernetes-kubeadm-1node' } };
    const names = ['a.sh', 'app/run.sh', 'app/deploy/web.yaml', 'assets/inner.sh'];
    const assets = Object.fromEntries(names.map((name) => [`assets/${name}`, 'x\n']));
    const made = importLab(folder({ 'index.json': JSON.stringify(index), a: 'ls\n', ...assets }), 'a');
    const own = labOf(made).spec.files.map(({ path }) => path);
    expect(own.filter((path) => path.startsWith('/root'))).toEqual(paths);
  });

  test.each([
    ['kubernetes-kubeadm-1node', { nodes: 0, controlPlaneTaint: false }],
    ['kubernetes-kubeadm-2nodes', { nodes: [{ names: ['node01'] }] }],
    ['kubernetes-k3s-1node', { nodes: 0, controlPlaneTaint: false }],
  ])('the nodes of %s', (imageid, cluster) => {
    const index = { title: 'A', backend: { imageid } };
    const { spec } = labOf(importLab(folder({ 'index.json': JSON.stringify(index) }), 'a'));
    expect(spec.cluster).toMatchObject(cluster);
  });

  const intro = { title: 'Look', text: 'i.md', foreground: 'ls.sh' };
  test.each([
    ['its intro alone', { details: { intro } }, { title: 'Look', text: 'Around.\n', foreground: 'ls\n' }],
    ['nothing but a terminal', {}, { title: 'A', text: '' }],
  ])('a scenario that is %s has one step', (_, fields, step) => {
    const files = { 'index.json': JSON.stringify({ title: 'A', ...fields }), 'i.md': 'Around.\n', 'ls.sh': 'ls\n' };
    const { spec } = labOf(importLab(folder(files), 'a'));
    expect(spec.steps).toEqual([expect.objectContaining(step)]);
    expect(spec.intro).toBeFalsy();
  });

  test('a solution may call kubectl by its letter', () => {
    const steps = [{ title: 'A', text: 'a.md', verify: 'v.sh' }];
    const text = ['<details>', '```', 'k get pods', '```', '</details>'].join('\n');
    const files = { 'index.json': JSON.stringify({ title: 'A', details: { steps } }), 'a.md': text, 'v.sh': 'true\n' };
    const { spec } = labOf(importLab(folder(files), 'a'));
    expect(spec.steps[0]!.solution).toBe('shopt -s expand_aliases; alias k=kubectl\nk get pods\n');
  });

  test('a machine without Kubernetes is said', () =>
    expect(
      importLab(
        folder({
          'index.json': JSON.stringify({
            title: 'A',
            details: { steps: [{ code: 'a' }] },
            backend: { imageid: 'ubuntu' },
          }),
          a: 'ls\n',
        }),
        'a',
      ),
    ).toMatchObject({
      notes: ['backend.imageid: "ubuntu" is not known: commands run on the control plane’s node of a cluster'],
    }));
});

const WORKSHOP = `
apiVersion: training.educates.dev/v1beta1
kind: Workshop
metadata: {name: lab-shop}
spec:
  title: A shop
  description: Scale a shop.
  duration: 1h
  publish: {image: x}
  session:
    namespaces: {budget: medium}
    applications: {terminal: {enabled: true}, docker: {enabled: true}, slides: {enabled: false}}
    objects:
      - {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}
      - {apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: $(session_namespace)}}
`;
const EDUCATES = {
  'resources/workshop.yaml': WORKSHOP,
  'workshop/content/00-workshop-overview.md': '---\ntitle: Overview\n---\nHello.\n',
  'workshop/content/01-scale.md': [
    ...[
      '---',
      'title: "Scale it"',
      '---',
      'Do it in {{< param session_namespace >}} of {{< param ingress_domain >}}.',
      '',
    ],
    ...['```terminal:execute', 'command: |-', '  kubectl scale deployment/shop --replicas=2', '```', ''],
    ...['```editor:create-file', 'file: ~/exercises/a.yaml', 'text: |', '  a: 1', '```', ''],
    ...[
      '```editor:open-file',
      'file: a',
      '```',
      '```files:download-file',
      'path: a',
      '```',
      '```yaml',
      'plain: 1',
      '```',
      '',
    ],
    ...['```examiner:execute-test', 'name: scaled', 'title: Is it?', 'args: [shop, it’s]', 'retries: 3', '```', ''],
    ...['```workshop:copy', 'text: word', '```', '```execute', 'ls', '```', ''],
  ].join('\n'),
  'workshop/content/99-summary.md': 'Bye.\n',
  'workshop/examiner/tests/scaled': '#!/bin/bash\nkubectl get deployment $1\n',
  'workshop/setup.d/01-first.sh': '#!/bin/bash\nkubectl create deployment shop --image=nginx\n',
  'exercises/deployment.yaml': 'kind: Deployment\n',
};

describe('Educates', () => {
  const made = importLab(folder(EDUCATES), 'shop');
  const { metadata, spec } = labOf(made);

  test('pages are steps, and actions are marks, scripts and solutions', () => {
    expect(metadata.name).toBe('lab-shop');
    expect(spec).toMatchObject({
      ...{ title: 'A shop', minutes: 60, intro: 'Hello.\n', finish: 'Bye.\n' },
      setup: 'kubectl create deployment shop --image=nginx\n',
      manifests: [{ metadata: { name: 'a' } }],
      files: [{ path: '/root/exercises/deployment.yaml' }, { path: '/opt/workshop/tests/scaled', mode: '755' }],
      steps: [
        {
          ...{ title: 'Scale it', foreground: 'cd /root/exercises' },
          verify: "set -e\n/opt/workshop/tests/scaled 'shop' 'it’s'\n",
        },
      ],
    });
    const { text, solution } = spec.steps[0]!;
    expect(text).toContain('Do it in default of');
    expect(text).toContain('```\nkubectl scale deployment/shop --replicas=2\n```{{exec}}');
    expect(text).toContain("cat > ~/exercises/a.yaml <<'EOF'\na: 1\nEOF\n```{{exec}}");
    expect(text).toContain('```\nword\n```{{copy}}');
    expect(text).toContain('```yaml\nplain: 1\n```');
    expect(text).not.toMatch(/examiner|editor:/);
    expect(solution).toMatch(/^cd \/root\/exercises\nkubectl scale[^]*EOF\nls\n$/);
  });

  test('what is not taken over is said by its name', () =>
    expect(made.notes).toEqual([
      'spec.publish: is not taken over',
      'spec.session.namespaces: is not taken over',
      'spec.session.applications.docker: is not taken over',
      'workshop/content/01-scale.md: nothing stands for the parameter ingress_domain',
      'workshop/content/01-scale.md: the action editor:open-file is left out',
      'workshop/content/01-scale.md: the action files:download-file is shown as text',
      'workshop/content/01-scale.md: examiner:execute-test.retries: is not taken over',
      'spec.session.objects[1]: is left out: nothing stands for $(session_namespace)',
      'workshop/content/01-scale.md: its solution is the commands that a click runs',
    ]));

  test('old workshops list their pages', () => {
    const { files, notes } = importLab(
      folder({
        'resources/workshop.yaml':
          'apiVersion: training.eduk8s.io/v1alpha2\nkind: Workshop\nmetadata: {name: old}\nspec: {title: Old}\n',
        'workshop/workshop.yaml': 'name: Old\nmodules: {activate: [b, a]}\n',
        'workshop/content/a.md': 'A.\n',
        'workshop/content/b.md': 'B.\n',
        'workshop/content/c.md': 'C.\n',
      }),
      'old',
    );
    expect(labOf({ files }).spec.steps.map(({ text }) => text)).toEqual(['B.\n', 'A.\n']);
    expect(notes).toEqual(['workshop/content/c.md: is not among the modules, and left out']);
  });
});

describe('is refused', () => {
  test.each<[string, Record<string, string>, string]>([
    ['another folder', { 'a.md': 'a' }, 'neither index.json of Killercoda nor a Workshop'],
    ['an index that is no JSON', { 'index.json': '{' }, 'index.json is no JSON'],
    ['a scenario of too many steps', { 'index.json': `{"details": {"steps": [${'{},'.repeat(30)}{}]}}` }, 'spec.steps'],
  ])('%s', (_, files, message) => expect(() => importLab(folder(files), 'a')).toThrow(message));
});
