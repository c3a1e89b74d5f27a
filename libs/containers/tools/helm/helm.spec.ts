import { expect, test } from '@jest/globals';
import { programs as coreutils } from '../coreutils/index.js';
import { runLine } from '../testing/run-line.js';
import { helm } from './helm.js';

const tools = { helm, mkdir: coreutils['coreutils:mkdir']!, ls: coreutils['coreutils:ls']! };
const run = (line: string, files: Record<string, string> = {}) =>
  runLine(tools, line, files, { env: { PATH: '/bin', HOME: '/root' } });

const CHART = {
  '/c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.2.3\n',
  '/c/values.yaml': 'a: 1\nm: {x: 1}\n',
  '/c/templates/t.yaml':
    'kind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {a: "{{ .Values.a }}", m: {{ .Values.m | toJson }}}\n',
  '/c/.helmignore': '*.bak\nold/\n',
  '/c/templates/t.yaml.bak': '{{ nonsense',
  '/c/old/x': 'x',
  '/v.yaml': 'a: 2\nm: {w: 2}\n',
};

test.each([
  ['helm template c', 'kind: ConfigMap\nmetadata: {name: "release-name"}\ndata: {a: "1", m: {"x":1}}\n'],
  [
    'helm template r c -f v.yaml --set m.z=3',
    'kind: ConfigMap\nmetadata: {name: "r"}\ndata: {a: "2", m: {"w":2,"x":1,"z":3}}\n',
  ],
  ['helm template r c --set m=null,a=', 'kind: ConfigMap\nmetadata: {name: "r"}\ndata: {a: "", m: null}\n'],
])('%s', (line, manifest) => {
  const { stdout, stderr } = run(line, CHART);
  expect(stderr).toBe('');
  expect(stdout).toBe(`---\n# Source: c/templates/t.yaml\n${manifest}`);
});

test('a made chart is whole, is packed, and is the same unpacked', () => {
  const line =
    'helm create web && helm template web web > /a && helm package web && helm template web web-0.1.0.tgz > /b && ls -A web web/templates && cat /a | wc -l && cat /b | wc -l';
  const { stdout, stderr } = run(line);
  expect(stderr).toBe('');
  expect(stdout).toContain('Successfully packaged chart and saved it to: /web-0.1.0.tgz\n');
  expect(stdout).toContain('.helmignore\nChart.yaml\ncharts\ntemplates\nvalues.yaml\n');
  const [a, b] = stdout.trim().split('\n').slice(-2);
  expect(a).toBe(b);
  expect(Number(a)).toBeGreaterThan(80);
});

test.each([
  ['helm show chart c', 'apiVersion: v2\nname: c\nversion: 1.2.3\n\n'],
  ['helm show values c', 'a: 1\nm: {x: 1}\n\n'],
  ['helm dependency list c', 'WARNING: no dependencies at c/charts\n'],
  ['helm lint c', '==> Linting c\n[INFO] Chart.yaml: icon is recommended\n\n1 chart(s) linted, 0 chart(s) failed\n'],
  ['helm version --short', 'v3.18.6+gb76a950\n'],
  ['helm plugin list', 'NAME\tVERSION\tDESCRIPTION\n'],
  ['helm env HELM_REPOSITORY_CONFIG', '/root/.config/helm/repositories.yaml\n'],
  [
    'helm repo add m https://kubernetes-sigs.github.io/metrics-server/ >/dev/null; helm repo list',
    'NAME\tURL                                             \nm   \thttps://kubernetes-sigs.github.io/metrics-server/\n'.replace(
      'URL   ',
      'URL    ',
    ),
  ],
  [
    'helm pull nginx --repo https://charts.bitnami.com/bitnami --untar; helm show chart nginx | head -n 2',
    'apiVersion: v2\nappVersion: 1.29.1\n',
  ],
  [
    'helm template oci://registry-1.docker.io/bitnamicharts/nginx -s templates/svc.yaml | head -n 2',
    '---\n# Source: nginx/templates/svc.yaml\n',
  ],
])('%s', (line, output) => expect(run(line, CHART)).toMatchObject({ stdout: output, stderr: '', code: 0 }));

test.each([
  ['helm foo', 'unknown command "foo" for "helm"\nRun \'helm --help\' for usage.'],
  [
    'helm instal',
    'unknown command "instal" for "helm"\n\nDid you mean this?\n\tinstall\n\nRun \'helm --help\' for usage.',
  ],
  ['helm install --foo', 'unknown flag: --foo'],
  ['helm install', '"helm install" requires at least 1 argument\n\nUsage:  helm install [NAME] [CHART] [flags]'],
  ['helm status', '"helm status" requires 1 argument\n\nUsage:  helm status RELEASE_NAME [flags]'],
  ['helm list -x', "unknown shorthand flag: 'x' in -x"],
  ['helm template nope', 'non-absolute URLs should be in form of repo_name/path_to_chart, got: nope'],
  ['helm template ./nope', 'path "./nope" not found'],
  ['helm template a/b', 'repo a not found'],
  ['helm template v.yaml', "file '/v.yaml' does not appear to be a gzipped archive; got 'text/plain; charset=utf-8'"],
  ['helm template c -f nope.yaml', 'open nope.yaml: no such file or directory'],
  ['helm template c --set a', 'failed parsing --set data: key "a" has no value'],
  ['helm repo list', 'no repositories to show'],
  ['helm repo update', 'no repositories found. You must add one before updating'],
  ['helm search repo x', 'no repositories configured'],
  [
    'helm repo add x https://x.test',
    'looks like "https://x.test" is not a valid chart repository or cannot be reached: Get "https://x.test/index.yaml": dial tcp: lookup x.test: no such host',
  ],
  ['helm pull oci://x.test/a', 'Get "https://x.test/v2/a/tags/list": dial tcp: lookup x.test: no such host'],
  ['helm install c', 'INSTALLATION FAILED: must either provide a name or specify --generate-name'],
  ['helm list -o xml', 'invalid argument "xml" for "-o, --output" flag: invalid format type'],
  ['helm completion bash', '"helm completion" is not simulated'],
  ['helm create a:b', 'chart name must match the regular expression "^[a-zA-Z0-9._-]+$"'],
  [
    'helm list',
    'Kubernetes cluster unreachable: Get "http://localhost:8080/version": dial tcp 127.0.0.1:8080: connect: connection refused',
  ],
  [
    'helm install r c',
    'INSTALLATION FAILED: Kubernetes cluster unreachable: Get "http://localhost:8080/version": dial tcp 127.0.0.1:8080: connect: connection refused',
  ],
])('%s fails', (line, message) => expect(run(line, CHART)).toMatchObject({ stderr: `Error: ${message}\n`, code: 1 }));
