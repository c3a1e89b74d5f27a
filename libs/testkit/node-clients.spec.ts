import { beforeAll, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import { Cluster, makeTemplate, shiftCheckpoint } from '@terrarium/engine';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
const HEADERS = { connection: 'Upgrade', upgrade: 'websocket' };
const NOW = Date.UTC(2026, 0, 1, 12);
const LIMIT_MS = 120_000;
const STEP_MS = 500;
const workers = [{ name: 'node01' }];
const names = { controlPlane: 'controlplane' };
const template = makeTemplate({ workers, names, speed: 'instant' }, catalog);

let cluster: Cluster;

/** What a script prints on the control plane's node, where kubectl is the administrator's, and how it ends. */
function run(script: string): { readonly output: string; readonly code: number } {
  const command = ['bash', '-c', script].map((word) => `command=${encodeURIComponent(word)}`).join('&');
  const path = '/api/v1/nodes/controlplane/shell';
  const request = { method: 'GET', path, headers: HEADERS, body: undefined, user: ADMIN };
  const opened = cluster.handle({ ...request, query: `stdout=1&stderr=1&${command}` }, cluster.state.now);
  if (opened.type !== 'session' || !opened.opened.session) throw new Error(JSON.stringify(opened));
  const { session } = opened.opened;
  for (const until = cluster.state.now + LIMIT_MS; cluster.state.now < until;) {
    const { now } = cluster.state;
    const { stdout, stderr, exit, waits } = cluster.readSession(session, { stdoutFrom: 0, stderrFrom: 0 }, now);
    if (exit) return { output: stdout + stderr, code: exit.code };
    if (waits) cluster.handleSession({ type: 'input', session, input: {} }, now);
    cluster.advance(now + STEP_MS);
    cluster.state.now = Math.max(cluster.state.now, now + STEP_MS);
  }
  throw new Error(`not over: ${script}`);
}

beforeAll(() => {
  cluster = new Cluster({ seed: 'clients', images: catalog, strict: true, tokenKey: 'clients' });
  cluster.load(shiftCheckpoint(template, NOW - template.now));
  cluster.advance(NOW);
  run(`kubectl run web --image=nginx:alpine --port=80 --expose
    kubectl run box --image=busybox -- sleep 1d
    kubectl wait --for=condition=Ready pod --all`);
});

test.each([
  ["kubectl exec box -- sh -c 'echo out; exit 3'", 'out\ncommand terminated with exit code 3\n', 3],
  ['echo typed | kubectl exec -i box -- cat', 'typed\n', 0],
  ['kubectl exec -it box -- true', 'Unable to use a TTY - input is not a terminal or the right kind of file\n', 0],
  [
    'kubectl exec -n kube-system etcd-controlplane -c none -- ls',
    'error: container none is not valid for pod etcd-controlplane out of: etcd\n',
    1,
  ],
  [
    'kubectl exec box ls',
    "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples\n",
    1,
  ],
  ['kubectl exec box', 'error: you must specify at least one command for the container\n', 1],
  ['kubectl exec none -- ls', 'Error from server (NotFound): pods "none" not found\n', 1],
  [
    'kubectl attach',
    "error: at least 1 argument is required for attach\nSee 'kubectl attach -h' for help and examples\n",
    1,
  ],
  [
    'PKI=/etc/kubernetes/pki; curl -s --cacert $PKI/ca.crt --cert $PKI/apiserver-kubelet-client.crt --key $PKI/apiserver-kubelet-client.key https://controlplane:6443/api/v1/namespaces/default | jq -r .kind',
    'Namespace\n',
    0,
  ],
  ['kubectl create deploy d --image=nginx --dry-run=client', 'deployment.apps/d created (dry run)\n', 0],
  [
    'kubectl create deployment e --image=nginx >/dev/null; KUBE_EDITOR="sed -i s/replicas:.1/replicas:\\ 2/" kubectl edit deploy e; kubectl get deploy e -o jsonpath={.spec.replicas}',
    'deployment.apps/e edited\n2',
    0,
  ],
  ['KUBE_EDITOR=true kubectl edit svc kubernetes', 'Edit cancelled, no changes made.\n', 0],
  ['ssh node01 hostname', 'node01\n', 0],
  ["ssh root@node01 'exit 4'", '', 4],
  ['ssh controlplane hostname', 'controlplane\n', 0],
  ['ssh -p 2222 node01 ls', 'ssh: connect to host node01 port 2222: Connection refused\r\n', 255],
  ['ssh nowhere ls', 'ssh: Could not resolve hostname nowhere: Name or service not known\r\n', 255],
  [
    'ssh node01 <<EOF\nhostname\nEOF',
    'node01\nPseudo-terminal will not be allocated because stdin is not a terminal.\r\n',
    0,
  ],
  ["kubectl config view --minify -o jsonpath='{.contexts[0].name}'", 'kubernetes-admin@kubernetes', 0],
  [
    'kubectl certificate approve none',
    'Error from server (NotFound): certificatesigningrequests.certificates.k8s.io "none" not found\n',
    1,
  ],
  ['echo \'{"a": [1]}\' | jq', '{\n  "a": [\n    1\n  ]\n}\n', 0],
])('%s', (script, output, code) => {
  expect(run(script)).toEqual({ output, code });
});

test('kubectl config makes a file for another user, who is asked for', () => {
  expect(
    run(`cd /tmp
      kubectl config set-cluster c --server=https://controlplane:6443 --certificate-authority=/etc/kubernetes/pki/ca.crt --embed-certs --kubeconfig=bob
      kubectl config set-credentials bob --token=$(kubectl create token default) --kubeconfig=bob
      kubectl config set-context c --cluster=c --user=bob --kubeconfig=bob
      kubectl config use-context c --kubeconfig=bob
      kubectl --kubeconfig=bob auth whoami -o jsonpath='{.status.userInfo.username}'
      kubectl config rename-context c d --kubeconfig=bob
      kubectl config delete-user bob --kubeconfig=bob
      kubectl config unset clusters.c --kubeconfig=bob
      kubectl config view --kubeconfig=bob -o jsonpath='{.clusters} {.users} {.current-context}'`).output,
  ).toBe(
    'Cluster "c" set.\nUser "bob" set.\nContext "c" created.\nSwitched to context "c".\nsystem:serviceaccount:default:default' +
      'Context "c" renamed to "d".\ndeleted user bob from bob\nProperty "clusters.c" unset.\n[] [] d',
  );
});

test('kubectl replace --force deletes and creates', () => {
  const script = `kubectl run r --image=nginx --dry-run=client -o yaml > /tmp/r.yaml
    kubectl apply -f /tmp/r.yaml; kubectl replace --force -f /tmp/r.yaml`;
  expect(run(script).output).toBe('pod/r created\npod "r" deleted from default namespace\npod/r replaced\n');
});

test('nobody exchanges bytes with a session whose ticket was not given', () => {
  const script = `curl -sk https://controlplane:6443/terrarium.dev/sessions -d '{"ticket": "x.{}"}' -w ' %{http_code}'`;
  expect(run(script)).toEqual({ output: 'no such session 403', code: 0 });
});

test('a server that is known by its summary has a line of each request in its log, also of clients that are gone', () => {
  const agents = (): string[] =>
    run('kubectl logs web')
      .output.split('\n')
      .flatMap((line) => /"(GET [^ ]*) .*"([^"]*)" "-"$/.exec(line)?.slice(1).join(' ') ?? []);
  run('kubectl exec box -- wget -qO- http://web/');
  run('curl -s -A node http://$(kubectl get svc web -o jsonpath={.spec.clusterIP})/none');
  run('kubectl run once --image=curlimages/curl --restart=Never --rm -i -- curl -s -A once http://web/');
  run('kubectl get --raw /api/v1/namespaces/default/pods/web/proxy/ | head -1; sleep 1');
  expect(agents()).toEqual(['GET / Wget', 'GET /none node', 'GET / once', expect.stringMatching(/^GET \/ kubectl\//)]);
});
