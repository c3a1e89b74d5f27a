import { describe, expect, test } from '@jest/globals';
import { readLab } from '../read-lab.js';
import { prepareLab } from './prepare.js';
import { testLab, type SeedResult } from './test-lab.js';

const NOW = Date.UTC(2026, 0, 1, 12);

const lab = (spec: object) =>
  readLab({
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Lab',
    metadata: { name: 'tried' },
    spec: { title: 'Tried', cluster: { nodes: 1 }, settle: '20s', ready: { settle: '0s' }, ...spec },
  });
const tried = (spec: object): SeedResult => testLab(lab(spec), 'one', NOW);

const STEP = {
  title: 'A ConfigMap',
  verify: 'kubectl get configmap colours -o name',
  solution: 'kubectl create configmap colours',
};

test('a lab that is as it should be', () => {
  const { failures, rows, tookVirtual } = tried({ steps: [STEP] });
  expect(failures).toEqual([]);
  expect(rows).toMatchObject([{ name: 'verify step-1', before: false, after: true }]);
  expect(tookVirtual).toBeLessThan(20_000);
});

test('a solution may take its time to show', () => {
  const late = { ...STEP, solution: '(sleep 8; kubectl create configmap colours) & true' };
  expect(tried({ steps: [late] }).failures).toEqual([]);
});

test('scripts of an imported scenario may fail, and say so in a log', () => {
  const look = "grep -q 'exit code 2' /var/log/setup.log && grep -q '^no$' /var/log/setup.log";
  const steps = [{ ...STEP, background: 'false', verify: `${look} && ${STEP.verify}` }];
  expect(tried({ steps, setup: 'echo no >&2; exit 2', ignoreExitCodes: true }).failures).toEqual([]);
});

test('files of the web are there for the solution', () => {
  const content = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: colours}\n';
  const steps = [{ ...STEP, solution: 'kubectl apply -f https://example.com/colours.yaml' }];
  expect(tried({ steps, web: [{ url: 'https://example.com/colours.yaml', content }] }).failures).toEqual([]);
});

describe('is told', () => {
  test.each<[string, object, string]>([
    ['what holds already', { steps: [{ ...STEP, verify: 'true' }] }, 'verify step-1 has succeeded before the solution'],
    ['what does not hold', { steps: [{ ...STEP, solution: 'true' }] }, 'verify step-1 fails after the solution'],
    [
      'that nobody types a solution',
      {
        steps: [STEP],
        checks: [{ name: 'typed', spec: { eventually: "request.verb == 'type' && request.line == 'ls'" } }],
      },
      "a solution is run as a script: no request has the verb 'type'",
    ],
    ['a solution that fails', { steps: [{ ...STEP, solution: 'exit 7' }] }, 'of step-1 ends with exit code 7'],
    ['a beginning that fails', { steps: [{ ...STEP, background: 'nope' }] }, 'step-1 begins with exit code 127'],
    [
      'what a step’s beginning does for the learner',
      { steps: [{ ...STEP, background: 'kubectl create configmap colours', solution: undefined }] },
      'verify step-1 succeeds when the step begins',
    ],
    ['that nothing is asked for', { steps: [{ title: 'Read' }] }, 'the lab asks for nothing'],
    ['a setup that fails', { steps: [STEP], setup: 'echo no >&2; exit 2' }, 'setup: exit code 2: no'],
    [
      'what the cluster refuses',
      { steps: [STEP], manifests: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: {} }] },
      'Service s: Service "s" is invalid',
    ],
    [
      'a kind that there is not',
      { steps: [STEP], manifests: [{ apiVersion: 'v1', kind: 'Nope', metadata: { name: 's' } }] },
      'Nope s: no such kind is served',
    ],
    [
      'a role that there is not',
      { steps: [STEP], users: [{ name: 'ann', clusterRole: 'vieww' }] },
      'users: ann: there is no ClusterRole "vieww"',
    ],
    ['a condition that is none', { steps: [STEP], ready: { condition: 'nonsense ==' } }, 'ready: '],
    [
      'a condition that never holds',
      { steps: [STEP], ready: { condition: 'nodes.size() == 7', timeout: '1m' } },
      'ready: The condition did not hold',
    ],
  ])('%s', (_, spec, message) => expect(tried(spec).failures.join('\n')).toContain(message));
});

test('everything that a lab asks for is there for the learner', () => {
  const cluster = prepareLab(
    lab({
      steps: [STEP],
      manifests: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'box', namespace: 'team' },
          spec: { containers: [{ name: 'box', image: 'busybox:1.36', command: ['sleep', '100000'] }] },
        },
      ],
      images: [{ name: 'shop', spec: { repository: 'docker.io/library/shop' } }],
      users: [{ name: 'jane', groups: ['devs'], clusterRole: 'view', namespace: 'team' }],
      files: [
        { path: '/opt/a/b', content: 'für alle\n', mode: '600' },
        { path: '/tmp/in', content: 'inside', pod: 'team/box' },
        { node: 'worker-1', path: '/etc/motd', content: 'hello' },
      ],
      setup: 'echo done > /opt/set-up',
      ready: { condition: 'pods.exists(p, p.metadata.name == "box" && p.status.phase == "Running")' },
      faults: [{ name: 'later', spec: { type: 'SchedulerDown', start: '1h' } }],
      clock: { rate: 10 },
    }),
    'one',
    NOW,
  );
  const output = (script: string): string => cluster.runHere(script, 60_000).output;
  expect(output('cat /opt/a/b /opt/set-up; stat -c %a /opt/a/b')).toBe('für alle\ndone\n600\n');
  expect(cluster.run({ node: 'worker-1' }, 'cat /etc/motd', 1_000).output).toBe('hello');
  expect(cluster.run({ pod: 'team/box' }, 'cat /tmp/in', 1_000).output).toBe('inside');
  expect(cluster.run({ pod: 'team/none' }, 'true', 1_000)).toEqual({ code: 126, output: 'pods "none" not found' });
  expect(output('kubectl auth can-i list pods -n team --as jane; kubectl auth can-i list pods --as jane')).toBe(
    'yes\nno\n',
  );
  const mine = '--as learner --as-group terrarium:learners';
  expect(
    output(
      `kubectl auth can-i create deployments ${mine}; kubectl auth can-i list faults.terrarium.dev ${mine} 2> /dev/null`,
    ),
  ).toBe('yes\nno\n');
  expect(output('kubectl get faults,images,clock -o name; kubectl get advances -o name')).toBe(
    'fault.terrarium.dev/later\nimage.terrarium.dev/shop\nclock.terrarium.dev/clock\n',
  );
  expect(cluster.call('GET', '/apis/terrarium.dev/v1alpha1/clocks/clock').body).toMatchObject({ spec: { rate: 10 } });
});
