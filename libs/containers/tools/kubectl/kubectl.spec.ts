import { expect, test } from '@jest/globals';
import { HttpRemote } from '../../../engine/node/cri/servers/http-remote.js';
import { NO_NETWORK, type Network } from '../../../engine/kernel/network.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../engine/machinery/requests/http.js';
import { runLine } from '../testing/run-line.js';
import { kubectl } from './kubectl.js';

const discovery = (group: string, ...resources: readonly (readonly [string, string, string, string])[]) => ({
  metadata: { name: group },
  versions: [
    {
      version: 'v1',
      resources: resources.map(([resource, singularResource, short, kind]) => ({
        ...{ resource, singularResource, shortNames: [short], scope: 'Namespaced', responseKind: { kind } },
      })),
    },
  ],
});
const json = (value: unknown, status = 200): PodHttpAnswer => ({ status, body: JSON.stringify(value) });
const notFound = (name: string): PodHttpAnswer =>
  json({ kind: 'Status', reason: 'NotFound', message: `pods "${name}" not found` }, 404);

function serve(requests: string[], { method, path, headers, body }: PodHttpRequest): PodHttpAnswer {
  expect(headers['authorization']).toBe('Bearer secret');
  if (path === '/api') return json({ items: [discovery('', ['pods', 'pod', 'po', 'Pod'])] });
  if (path === '/apis')
    return json({ items: [discovery('apps', ['deployments', 'deployment', 'deploy', 'Deployment'])] });
  requests.push(`${method} ${path}${body === '' ? '' : ` ${headers['content-type']} ${body}`}`);
  if (path.endsWith('/none')) return notFound('none');
  if (path.includes('/log?')) return { status: 200, body: 'a line\n' };
  if (method === 'GET' && path.endsWith('/pods')) {
    expect(headers['accept']).toContain('as=Table');
    const columnDefinitions = [{ name: 'Name' }, { name: 'Ready' }, { name: 'Node', priority: 1 }];
    return json({ columnDefinitions, rows: [{ cells: ['web-0', '1/1', 'n1'] }] });
  }
  const [version, spec] = path.includes('/deployments')
    ? ['apps/v1', { replicas: 1, template: { spec: { containers: [{ name: 'a', image: 'b:0' }] } } }]
    : ['v1', { containers: [{ name: 'a', image: 'b:0' }] }];
  const metadata = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: method === 'PATCH' ? '8' : '7' };
  if (method === 'DELETE') return json({ kind: 'Status', status: 'Success' });
  return json({ apiVersion: version, metadata, spec, status: { phase: 'Running' } }, method === 'POST' ? 201 : 200);
}

function run(line: string, files: Record<string, string> = {}) {
  const requests: string[] = [];
  const tls = { subject: 'CN = kube-apiserver', issuer: 'CN = kubernetes', names: [], chain: [] };
  const remote = new HttpRemote({ port: 443, tls, serve: (request) => serve(requests, request) });
  const network: Network = { ...NO_NETWORK, connect: () => ({ remote }) };
  const account = { token: 'secret', namespace: 'shop' };
  const mounted = Object.entries(account).map(([name, text]): [string, string] => [
    `/var/run/secrets/kubernetes.io/serviceaccount/${name}`,
    text,
  ]);
  const env = { PATH: '/bin', KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const outcome = runLine({ kubectl }, line, { ...Object.fromEntries(mounted), ...files }, { env }, { network });
  return { ...outcome, requests };
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const PODS = '/api/v1/namespaces/shop/pods';
const APPS = '/apis/apps/v1/namespaces/shop/deployments';

test.each([
  ['kubectl get pods', 'NAME    READY\nweb-0   1/1\n', ['GET /api/v1/namespaces/shop/pods']],
  ['kubectl get po -o wide', 'NAME    READY   NODE\nweb-0   1/1     n1\n', ['GET /api/v1/namespaces/shop/pods']],
  ['kubectl get po -n a --no-headers', 'web-0   1/1\n', ['GET /api/v1/namespaces/a/pods']],
  ['kubectl get deploy/web -o name', 'deployment.apps/web\n', [`GET ${APPS}/web`]],
  [
    'kubectl delete pod web',
    'pod "web" deleted from shop namespace\n',
    [`DELETE ${PODS}/web application/json {"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}`],
  ],
  [
    'kubectl scale deployment web --replicas=3',
    'deployment.apps/web scaled\n',
    [`GET ${APPS}/web`, `PATCH ${APPS}/web/scale?fieldManager=kubectl-scale ${MERGE} {"spec":{"replicas":3}}`],
  ],
  [
    'kubectl set image deploy/web a=b:1',
    'deployment.apps/web image updated\n',
    [
      `GET ${APPS}/web`,
      `PATCH ${APPS}/web?fieldManager=kubectl-set ${STRATEGIC} {"spec":{"template":{"spec":{"containers":[{"name":"a","image":"b:1"}]}}}}`,
    ],
  ],
  ['kubectl logs web', 'a line\n', [`GET ${PODS}/web`, `GET ${PODS}/web/log?container=a`]],
  [
    'cat /m.yaml | kubectl create -f -',
    'pod/web created\n',
    [
      `POST ${PODS}?fieldManager=kubectl-create&fieldValidation=Strict application/json {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}`,
    ],
  ],
  ['kubectl get pod web -o jsonpath={.status.phase}', 'Running', [`GET ${PODS}/web`]],
  ['kubectl get pod web -o custom-columns=N:.metadata.name', 'N\nweb\n', [`GET ${PODS}/web`]],
  [
    'kubectl wait --for=jsonpath={.status.phase}=Running pod/web',
    'pod/web condition met\n',
    [`GET ${PODS}/web`, `GET ${PODS}/web`],
  ],
  [
    'kubectl label pod web a=b',
    'pod/web labeled\n',
    [`GET ${PODS}/web`, `PATCH ${PODS}/web?fieldManager=kubectl-label ${MERGE} {"metadata":{"labels":{"a":"b"}}}`],
  ],
  ['kubectl create deployment x --image=nginx --dry-run=client', 'deployment.apps/x created (dry run)\n', []],
])('%s', (line, stdout, requests) => {
  const files = { '/m.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n' };
  expect(run(line, files)).toEqual({ stdout, stderr: '', code: 0, requests });
});

const cause = (command: string): string => `"metadata":{"annotations":{"kubernetes.io/change-cause":"${command}"}}`;

test.each([
  [
    'kubectl set image deploy/web a=b:1 --record',
    [
      `GET ${APPS}/web`,
      `PATCH ${APPS}/web?fieldManager=kubectl-set ${STRATEGIC} {"spec":{"template":{"spec":{"containers":[{"name":"a","image":"b:1"}]}}},${cause('kubectl set image deploy/web a=b:1 --record=true')}}`,
    ],
  ],
  [
    'kubectl scale --record deployment web --replicas=3',
    [
      `GET ${APPS}/web`,
      `PATCH ${APPS}/web/scale?fieldManager=kubectl-scale ${MERGE} {"spec":{"replicas":3}}`,
      `PATCH ${APPS}/web?fieldManager=kubectl-scale ${MERGE} {${cause('kubectl scale deployment web --record=true --replicas=3')}}`,
    ],
  ],
  [
    'kubectl annotate pod web a=b --record',
    [
      `GET ${PODS}/web`,
      `PATCH ${PODS}/web?fieldManager=kubectl-annotate ${MERGE} {"metadata":{"annotations":{"a":"b","kubernetes.io/change-cause":"kubectl annotate pod web a=b --record=true"}}}`,
    ],
  ],
  [
    'kubectl patch pod web --record -p {}',
    [
      `GET ${PODS}/web`,
      `PATCH ${PODS}/web?fieldManager=kubectl-patch ${STRATEGIC} {}`,
      `PATCH ${PODS}/web?fieldManager=kubectl-patch ${MERGE} {${cause('kubectl patch pod web --record=true --patch={}')}}`,
    ],
  ],
  [
    'kubectl label pod web a=b --record=false',
    [`GET ${PODS}/web`, `PATCH ${PODS}/web?fieldManager=kubectl-label ${MERGE} {"metadata":{"labels":{"a":"b"}}}`],
  ],
])('%s', (line, requests) => {
  const { code, stderr, requests: sent } = run(line);
  expect([code, stderr]).toEqual([0, 'Flag --record has been deprecated, --record will be removed in the future\n']);
  expect(sent).toEqual(requests);
});

test('an exported object is made anew without its resourceVersion', () => {
  const files = { '/m.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: none, uid: u, resourceVersion: "7"}\n' };
  const [created] = run('kubectl create -f /m.yaml', files).requests;
  expect(created).toContain('"metadata":{"name":"none","uid":"u"}');
  const applied = run('kubectl apply -f /m.yaml', files).requests.find((request) => request.startsWith('POST'));
  expect(applied).toMatch(/"metadata":\{"name":"none","uid":"u","annotations"/);
});

test('apply says whether the object has changed, and what it lacks', () => {
  const files = { '/m.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n' };
  const { stdout, stderr } = run('kubectl apply -f /m.yaml', files);
  expect(stdout).toBe('pod/web configured\n');
  expect(stderr).toContain(
    'Warning: resource pods/web is missing the kubectl.kubernetes.io/last-applied-configuration',
  );
});

test.each([
  ['kubectl get pod none', 'Error from server (NotFound): pods "none" not found\n'],
  ['kubectl delete pod web --record', "error: unknown flag: --record\nSee 'kubectl delete --help' for usage.\n"],
  ['kubectl get foo', 'error: the server doesn\'t have a resource type "foo"\n'],
  ['kubectl delete pod', 'error: resource(s) were provided, but no name was specified\n'],
  ['kubectl apply -f /none.yaml', 'error: the path "/none.yaml" does not exist\n'],
  ['kubectl foo', 'error: unknown command "foo" for "kubectl"\n\nDid you mean this?\n\ttop\n'],
  ['kubectl edit pod web', 'error: unable to launch the editor "vi"\n'],
  ['kubectl diff -f x', 'error: the path "x" does not exist\n'],
  [
    'echo "foo: bar" > /tmp/x; kubectl diff -f /tmp/x',
    `error: unable to decode "/tmp/x": Object 'Kind' is missing in '{"foo":"bar"}'\n`,
  ],
  [
    'echo text > /tmp/x; kubectl get -f /tmp/x',
    'error: unable to decode "/tmp/x": json: cannot unmarshal string into Go value of type unstructured.detector\n',
  ],
  ['kubectl plugin', 'error: unknown command "plugin" for "kubectl" (it is not simulated in a container)\n'],
  ['kubectl cp a b', 'error: one of src or dest must be a remote file specification\n'],
  ['kubectl cp /none web:/a', "error: /none doesn't exist in local filesystem\n"],
  ['kubectl debug web', 'error: you must specify --image when not using --copy-to.\n'],
  ['kubectl port-forward web x', "error: Pod 'web' does not have a named port 'x'\n"],
  ['kubectl proxy --www=/tmp', 'error: --www is not simulated\n'],
  [
    'kubectl get pods -o foo',
    'error: unable to match a printer suitable for the output format "foo", allowed formats are: custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,wide,yaml\n',
  ],
  ['kubectl get pods --foo', "error: unknown flag: --foo\nSee 'kubectl get --help' for usage.\n"],
])('%s fails', (line, stderr) =>
  expect(run(line)).toMatchObject({ stdout: '', stderr, code: line.includes('kubectl diff') ? 2 : 1 }),
);

test.each([
  ['kubectl completion bash', 'complete -o default -F __start_kubectl kubectl\n', ''],
  ['kubectl completion zsh', '#compdef kubectl\n', ''],
  ['kubectl completion', '', "error: Shell not specified.\nSee 'kubectl completion -h' for help and examples\n"],
  ['kubectl completion tcsh', '', 'error: Unsupported shell type "tcsh".\n'],
])('%s', (line, stdout, stderr) => {
  const found = run(line);
  expect(found.stdout).toContain(stdout);
  expect([found.stderr, found.requests]).toEqual([stderr, []]);
});
