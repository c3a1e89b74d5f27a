import { beforeAll, describe, expect, test } from '@jest/globals';
import { NetworkPolicies, Nodes, Pods, Services } from '../engine/kinds/index.js';
import type { Trace } from '../engine/kinds/terrarium/trace/kind.js';
import { ClusterBed } from './beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
let bed: ClusterBed;

/** One request to the cluster's API; its body as JSON. */
function call(method: string, path: string, body?: unknown): { status: number; body: unknown } {
  const response = bed.cluster.handle(
    {
      method,
      path,
      query: '',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
      user: ADMIN,
    },
    bed.cluster.state.now,
  );
  if (response.type !== 'body') throw new Error(`${path} is answered by a stream`);
  const text = typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body);
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const ask = (spec: object): Trace['status'] & { message?: string } => {
  const trace = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'Trace', spec };
  const { status, body } = call('POST', '/apis/terrarium.dev/v1alpha1/traces', trace);
  return status === 201 ? (body as Trace).status! : (body as never);
};
const verdict = (spec: object): string => {
  const { verdict: found, reason, message } = ask(spec);
  return message ?? `${found}: ${reason}`;
};
const web = (nodeName: string, more: object = {}) => ({
  spec: { nodeName, containers: [{ name: 'c', image: 'nginx:1.27', ports: [{ containerPort: 80, ...more }] }] },
});

beforeAll(() => {
  bed = new ClusterBed();
  bed.create(Pods, 'web', web('worker-1', { hostPort: 8080 }), { labels: { app: 'web' } });
  bed.create(Pods, 'near', web('worker-1'));
  bed.create(Pods, 'far', web('worker-2'));
  bed.create(Services, 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  bed.at(60);
});

const FROM_FAR = { from: 'pod/default/far' };

describe('without policies', () => {
  test.each([
    [{ ...FROM_FAR, to: 'service/default/web' }, 'Delivered: pod default/web answers'],
    [{ ...FROM_FAR, to: 'web', port: 80 }, 'Delivered: pod default/web answers'],
    [{ ...FROM_FAR, to: 'pod/default/web', port: 80 }, 'Delivered: pod default/web answers'],
    [{ ...FROM_FAR, to: 'pod/default/web', port: 81 }, 'Refused: connection refused: nothing listens at port 81'],
    [{ ...FROM_FAR, to: 'node/worker-1', port: 8080 }, 'Delivered: pod default/web answers'],
    [{ ...FROM_FAR, to: 'nobody', port: 80 }, 'Unreachable: nobody has no address'],
    [{ ...FROM_FAR, to: 'kubernetes', port: 443 }, 'Delivered: the API server answers'],
    [{ from: 'node/worker-2', to: 'pod/default/web', port: 80 }, 'Delivered: pod default/web answers'],
    [{ from: '203.0.113.7', to: 'node/worker-1', port: 8080 }, 'Delivered: pod default/web answers'],
    [{ from: 'pod/default/none', to: 'web', port: 80 }, 'pods "none" not found'],
  ])('%j: %s', (spec, expected) => {
    expect(verdict(spec)).toBe(expected);
  });

  test('every hop says what decided there', () => {
    const { hops } = ask({ ...FROM_FAR, to: 'web', port: 80 });
    const { clusterIP } = bed.get(Services, 'web').spec;
    expect(hops[0]).toEqual({
      at: 'pod default/far',
      type: 'name',
      text: `web.default.svc.cluster.local has address ${clusterIP}`,
    });
    expect(hops.map(({ type }) => type)).toEqual(expect.arrayContaining(['route', 'rule', 'translation', 'delivery']));
    expect(hops.find(({ text }) => text.includes('-j DNAT'))?.at).toBe('node worker-2');
  });
});

describe('with a policy that closes a pod', () => {
  beforeAll(() => {
    bed.create(NetworkPolicies, 'closed', {
      spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] },
    });
  });

  test.each([
    [{ ...FROM_FAR, to: 'service/default/web' }, 'Dropped: connection timed out'],
    [{ from: 'pod/default/near', to: 'pod/default/web', port: 80 }, 'Dropped: connection timed out'],
    [{ from: 'node/worker-1', to: 'pod/default/web', port: 80 }, 'Delivered: pod default/web answers'],
    [{ from: 'node/worker-2', to: 'pod/default/web', port: 80 }, 'Dropped: connection timed out'],
  ])('%j: %s', (spec, expected) => {
    expect(verdict(spec)).toBe(expected);
  });

  test('the policy is named', () => {
    expect(ask({ ...FROM_FAR, to: 'service/default/web' }).hops.find(({ type }) => type === 'policy')?.text).toBe(
      'NetworkPolicy default/closed: no rule of ingress matches, which denies it to pod default/web',
    );
  });

  test("the API server's proxy is a client like others", () => {
    const { podIP } = bed.get(Pods, 'web').status;
    const { status, body } = call('GET', '/api/v1/namespaces/default/pods/web:80/proxy/');
    expect([status, (body as { message: string }).message]).toEqual([
      503,
      `error trying to reach service: dial tcp ${podIP}:80: i/o timeout`,
    ]);
    expect(call('GET', '/api/v1/namespaces/default/pods/far:80/proxy/').status).toBe(200);
  });

  test('probes of its kubelet reach it', () => {
    const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1, failureThreshold: 1 };
    const spec = { ...web('worker-1').spec, containers: [{ name: 'c', image: 'nginx:1.27', readinessProbe: probe }] };
    bed.create(Pods, 'probed', { spec }, { labels: { app: 'web' } });
    bed.at(80);
    expect(bed.get(Pods, 'probed').status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });
});

test('a pod that may not ask for names hears nothing of its name server', () => {
  bed.create(NetworkPolicies, 'mute', { spec: { podSelector: {}, policyTypes: ['Egress'] } });
  expect(verdict({ ...FROM_FAR, to: 'web', port: 80 })).toBe('Dropped: the name server 10.96.0.10 does not answer');
  bed.client.delete(NetworkPolicies, { namespace: 'default', name: 'mute' });
});

describe("the configuration of a node's network", () => {
  /** A pod on the node's network that runs a command with the folder of configurations at /cni. */
  const runOnNode = (name: string, command: string): void => {
    const volumeMounts = [{ name: 'cni', mountPath: '/cni' }];
    bed.create(Pods, name, {
      spec: {
        nodeName: 'worker-2',
        hostNetwork: true,
        restartPolicy: 'Never',
        volumes: [{ name: 'cni', hostPath: { path: '/etc/cni/net.d' } }],
        containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', command], volumeMounts }],
      },
    });
  };
  const readyOf = (): unknown => {
    const node = bed.get(Nodes, 'worker-2');
    return node.status.conditions?.find(({ type }) => type === 'Ready');
  };

  test('that is gone makes the node NotReady, and keeps pods from starting', () => {
    runOnNode('breaks', 'mv /cni/10-kindnet.conflist /cni/kept');
    bed.at(120);
    const message =
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady ' +
      'message:Network plugin returns error: cni plugin not initialized';
    expect(readyOf()).toMatchObject({ status: 'False', reason: 'KubeletNotReady', message });
    bed.create(Pods, 'late', { spec: { ...web('worker-2').spec, tolerations: [{ operator: 'Exists' }] } });
    bed.at(130);
    expect(bed.get(Pods, 'late').status.phase).toBe('Pending');
    expect(bed.events('late')).toContain(`NetworkNotReady: network is not ready: ${message}`);
  });

  test('that names a plug-in which is not there fails sandboxes', () => {
    runOnNode('misspells', 'sed \'s/"ptp"/"ptpp"/\' /cni/kept > /cni/10-kindnet.conflist');
    bed.at(160);
    expect(readyOf()).toMatchObject({ status: 'True' });
    expect(bed.events('late').find((text) => text.startsWith('FailedCreatePodSandBox'))).toMatch(
      /plugin type="ptpp" failed \(add\): failed to find plugin "ptpp" in path \[\/opt\/cni\/bin\]$/,
    );
  });

  test('that is mended heals', () => {
    runOnNode('mends', 'mv /cni/kept /cni/10-kindnet.conflist');
    bed.at(200);
    expect(bed.get(Pods, 'late').status).toMatchObject({
      phase: 'Running',
      podIP: expect.stringMatching(/^10\.244\./),
    });
  });
});

test('nothing has failed, and all nodes are Ready', () => {
  expect(bed.errors).toEqual([]);
  const ready = bed.client.list(Nodes).map((n) => n.status.conditions?.find((c) => c.type === 'Ready')?.status);
  expect(ready).toEqual(['True', 'True', 'True']);
});
