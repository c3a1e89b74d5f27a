import { describe, expect, test } from '@jest/globals';
import { ClusterBed } from '../../testkit/beds/cluster-bed.js';
import { Checks, NetworkPolicies, Pods, Services } from '../kinds/index.js';
import type { CheckPartSpec } from '../kinds/terrarium/check/kind.js';

class LookBed extends ClusterBed {
  ask(part: CheckPartSpec, name = 'one'): this {
    this.create(Checks, name, { spec: part });
    return this;
  }

  pod(name: string, container: object, labels = { app: name }): this {
    this.create(Pods, name, { spec: { containers: [{ name: 'c', ...container }] } }, { labels });
    return this;
  }

  result(name = 'one'): string {
    const { phase, message } = this.get(Checks, name).status;
    return `${phase} ${message ?? ''}`.trim();
  }
}

describe('looks', () => {
  const script = 'echo started; echo hello > /tmp/greeting; sleep 20; echo done; sleep 100000';
  const bed = (): LookBed => new LookBed().pod('a', { image: 'busybox:1.36', command: ['sh', '-c', script] }).at(5);

  test.each<[string, string, string]>([
    ["logs('default/a').contains('started')", 'Passed', 'Passed'],
    ["logs('default/a', 'c').contains('done')", 'Pending it does not hold', 'Passed'],
    ["file('default/a', '/tmp/greeting') == 'hello\\n'", 'Passed', 'Passed'],
    ["file('default/a', '/tmp/none') == ''", "Pending cat: can't open '/tmp/none': No such file or directory", ''],
    ["run('default/a', ['sh', '-c', 'exit 3']).code == 3", 'Passed', 'Passed'],
    ["run('default/a', 'c', ['cat', '/tmp/greeting']).output.startsWith('hello')", 'Passed', 'Passed'],
    ["run('default/none', ['true']).code == 0", 'Pending pods "default/none" not found', ''],
    ["run('node/worker-1', ['hostname']).output == 'worker-1\\n'", 'Passed', 'Passed'],
    ["file('node/worker-1', '/etc/hostname').startsWith('worker-1')", 'Passed', 'Passed'],
  ])('%s', (now, soon, late) => {
    const asked = bed().ask({ now });
    expect(asked.at(6).result()).toBe(soon);
    if (late) expect(asked.at(40).result()).toBe(late);
    expect(asked.errors).toEqual([]);
  });

  test('a command leaves no trace', () => {
    const asked = bed().ask({
      now: "run('default/a', ['sh', '-c', 'echo x >> /tmp/greeting; cat /tmp/greeting']).output == 'hello\\nx\\n'",
    });
    expect(asked.at(6).result()).toBe('Passed');
    expect(asked.at(60).result()).toBe('Passed');
  });

  test('a look is taken in turns, and writes nothing', () => {
    const asked = bed().ask({ now: "logs('default/a').contains('done')", every: '30s' });
    expect(asked.at(30).result()).toBe('Pending it does not hold');
    const { revision } = asked.cluster;
    expect(asked.at(34).result()).toBe('Pending it does not hold');
    expect(asked.cluster.revision).toBe(revision);
    expect(asked.at(36).result()).toBe('Passed');
  });
});

describe('traffic', () => {
  const service = { spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 80, nodePort: 30080 }] } };
  const web = (): LookBed => {
    const bed = new LookBed()
      .pod('web', { image: 'nginx:1.27' })
      .pod('client', { image: 'busybox:1.36', command: ['sleep', '1000000'] });
    bed.create(Services, 'web', service);
    return bed.at(5);
  };

  test('who can reach whom', () => {
    const bed = web().ask({ now: "connects('pod/default/client', 'service/default/web', 80)" }).at(6);
    expect(bed.result()).toBe('Passed');
    bed.create(NetworkPolicies, 'deny', {
      spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] },
    });
    expect(bed.at(20).result()).toBe('Pending it does not hold');
  });

  test('what is answered to the world', () => {
    const bed = web().ask({
      now: "fetch('http://:30080/').status == 200 && fetch('http://:30080/').body.contains('nginx')",
    });
    expect(bed.at(6).result()).toBe('Passed');
    expect(bed.ask({ now: "fetch('http://:30081/').status == 0" }, 'none').at(7).result('none')).toBe('Passed');
  });

  test('a prober tells of every failure', () => {
    const bed = web()
      .ask({ probe: { url: 'http://:30080/' }, every: '1s' })
      .ask({ probe: { url: 'http://:30080/', failures: 3 }, every: '1s', within: '1m' }, 'lenient')
      .ask({ probe: { url: 'http://:30080/', body: 'nothing of this' } }, 'body');
    expect([bed.at(10).result(), bed.result('lenient'), bed.result('body')]).toEqual([
      'Passed',
      'Pending it holds so far',
      'Failed GET http://:30080/: the body is another',
    ]);
    bed.client.delete(Pods, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    expect(bed.at(12).result()).toMatch(/^Failed GET http:\/\/:30080\/: dial tcp .*: connect: connection refused$/);
    expect(bed.get(Checks, 'lenient').status.parts![0]).toMatchObject({ phase: 'Pending', count: 2 });
    bed.pod('web', { image: 'nginx:1.27' });
    expect(bed.at(80).result('lenient')).toBe('Passed');
  });
});

test('what users requested', () => {
  const bed = new LookBed();
  bed.create(Checks, 'asked', {
    spec: {
      eventually:
        "request.verb == 'get' && request.resource == 'pods' && request.name == 'x' && request.code == 404 && request.user == 'ann'",
    },
  });
  bed.create(Checks, 'exec', {
    spec: { eventually: "request.subresource == 'exec' && request.command == ['ls', '-l']" },
  });
  bed.create(Checks, 'made', {
    spec: { never: "request.verb == 'create' && request.resource == 'configmaps' && request.name == 'a'" },
  });
  bed.pod('p', { image: 'nginx:1.27' }).at(5);
  const user = { name: 'ann', groups: ['system:masters', 'system:authenticated'] };
  const ask = (method: string, path: string, query = '', body?: object): void =>
    void bed.cluster.handle(
      {
        method,
        path,
        query,
        headers: { 'content-type': 'application/json' },
        user,
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      },
      bed.cluster.state.now,
    );
  expect([bed.result('asked'), bed.result('exec'), bed.result('made')]).toEqual([
    'Pending it has not happened yet',
    'Pending it has not happened yet',
    'Passed',
  ]);
  ask('GET', '/api/v1/namespaces/default/pods/x');
  ask('POST', '/api/v1/namespaces/default/pods/p/exec', 'command=ls&command=-l&stdout=true');
  ask('POST', '/api/v1/namespaces/default/configmaps', '', { metadata: { name: 'a' } });
  expect([bed.result('asked'), bed.result('exec')]).toEqual(['Passed', 'Passed']);
  expect(bed.result('made')).toMatch(/^Failed it happened at revision \d+$/);
});

test.each(['view', 'edit', 'admin'])('who has the role %s in a namespace sees nothing of checks', (role) => {
  const bed = new LookBed().ask({ now: 'size(pods) > 100' }).at(1);
  const user = { name: 'ann', groups: ['system:authenticated'] };
  const admin = { name: 'root', groups: ['system:masters', 'system:authenticated'] };
  const call = (as: typeof user, method: string, path: string, body?: object): number => {
    const headers = { 'content-type': 'application/json' };
    const request = {
      method,
      path,
      query: '',
      headers,
      user: as,
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    };
    return bed.cluster.handle(request, bed.cluster.state.now).status;
  };
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' }];
  const bind = (kind: string, name: string, where: string): number =>
    call(admin, 'POST', `${rbac}${where}`, {
      metadata: { name },
      subjects,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    });
  expect(bind('ClusterRole', role, '/namespaces/default/rolebindings')).toBe(201);
  const checks = '/apis/terrarium.dev/v1alpha1/checks';
  const report = (): number => call(user, 'POST', '/apis/terrarium.dev/v1alpha1/checkreports', { metadata: {} });
  for (const [method, path] of [
    ['GET', checks],
    ['GET', `${checks}/one`],
    ['POST', checks],
    ['DELETE', `${checks}/one`],
  ] as const)
    expect([method, path, call(user, method, path, method === 'POST' ? {} : undefined)]).toEqual([method, path, 403]);
  expect(report()).toBe(403);
  const rules = [{ apiGroups: ['terrarium.dev'], resources: ['checkreports'], verbs: ['create'] }];
  expect(call(admin, 'POST', `${rbac}/clusterroles`, { metadata: { name: 'results' }, rules })).toBe(201);
  expect(bind('ClusterRole', 'results', '/clusterrolebindings')).toBe(201);
  expect([report(), call(user, 'GET', checks)]).toEqual([201, 403]);
  expect(call(admin, 'PUT', `${checks}/one/status`, {})).toBe(404);
});
