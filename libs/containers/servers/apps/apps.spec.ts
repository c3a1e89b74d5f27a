import { describe, expect, test } from '@jest/globals';
import type { Machine } from '../../../engine/kernel/machine.js';
import { allImages } from '../../catalog/all.js';
import { programs } from '../../programs/index.js';
import { parseReference } from '../../../engine/node/cri/images/reference.js';
import { BOOT, exchange, execute, get, logOf, runTo, serverFiles, startImage, startServer } from '../testing.js';

const MB = 2 ** 20;

/** A machine with a container of an image of the catalogue, ten seconds after its start. */
function run(name: string, fields: object = {}, args: readonly string[] = []): Machine {
  const { repository, tag } = parseReference(name)!;
  const found = allImages.find((image) => image.repositories.includes(repository))!;
  const image = found.variant?.(tag) ?? found;
  const { entrypoint = [], cmd = [] } = image.config;
  const argv = args.length > 0 ? [...entrypoint, ...args] : [...entrypoint, ...cmd];
  const machine = startImage(image, programs, { hostname: 'web-0', argv, ...fields });
  runTo(machine, BOOT + 10_000);
  return machine;
}

const withEnv = (env: Record<string, string>): object => ({ env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env } });

describe('sample servers', () => {
  test.each([
    ['gcr.io/google-samples/hello-app:1.0', 8080, '/', 'Hello, world!\nVersion: 1.0.0\nHostname: web-0\n'],
    ['gcr.io/google-samples/hello-app:2.0', 8080, '/', 'Hello, world!\nVersion: 2.0.0\nHostname: web-0\n'],
    [
      'gcr.io/google-samples/kubernetes-bootcamp:v2',
      8080,
      '/',
      'Hello Kubernetes bootcamp! | Running on: web-0 | v=2\n',
    ],
    ['gcr.io/google-samples/node-hello:1.0', 8080, '/', 'Hello Kubernetes!'],
    ['bmuschko/nodejs-hello-world:1.0.0', 3000, '/any', 'Hello World\n'],
    ['dgkanatsios/simpleapp', 8080, '/', 'Hello world from web-0\n'],
    ['registry.k8s.io/hpa-example', 80, '/', 'OK!'],
    ['registry.k8s.io/serve_hostname', 9376, '/', 'web-0'],
    ['hashicorp/http-echo', 5678, '/', 'hello-world\n'],
    ['registry.k8s.io/gateway-api/echo-basic:v1', 3000, '/x', /^\{\n "path": "\/x",\n "host": /],
    ['nginxdemos/hello:plain-text', 80, '/x', /Server name: web-0\nDate: .*\nURI: \/x\nRequest ID: /],
    ['nginxdemos/hello', 80, '/', /<title>Hello World<\/title>/],
    ['paulbouwer/hello-kubernetes:1', 8080, '/', /Hello world!/],
    [
      'registry.k8s.io/echoserver:1.4',
      8080,
      '/a?b=1',
      /^CLIENT VALUES:\nclient_address=[^]*\nreal path=\/a\?b=1\nquery=b=1\n/,
    ],
    ['registry.k8s.io/echoserver:1.10', 8080, '/a?b=1', /Hostname: web-0\n[^]*real path=\/a\?b=1\n\tquery=b=1\n/],
    ['kicbase/echo-server:1.0', 8080, '/', /^Request served by web-0\n\nGET \/ HTTP\/1.1\n\nHost: test\n/],
    ['traefik/whoami', 80, '/', /^Hostname: web-0\nIP: 127.0.0.1\n[^]*GET \/ HTTP\/1.1\nHost: test\n/],
    ['mendhak/http-https-echo', 8080, '/a', /"path": "\/a"/],
    ['ealen/echo-server', 80, '/?echo_body=hi', 'hi'],
    ['kennethreitz/httpbin', 80, '/get?a=1', /"args": {\n {4}"a": "1"\n {2}}/],
    ['mccutchen/go-httpbin', 8080, '/get?a=1', /"a": \[\n/],
    ['fortio/fortio', 8080, '/', ''],
    ['registry:2', 5000, '/v2/_catalog', '{"repositories":[]}\n'],
    ['hashicorp/vault', 8200, '/v1/sys/health', /"initialized":true,"sealed":false/],
    ['istio/examples-bookinfo-details-v1:1', 9080, '/details/0', /"author":"William Shakespeare"/],
    ['istio/examples-bookinfo-ratings-v1:1', 9080, '/ratings/0', '{"id":0,"ratings":{"Reviewer1":5,"Reviewer2":4}}\n'],
    ['istio/examples-bookinfo-reviews-v3:1', 9080, '/reviews/0', /Ratings service is currently unavailable/],
    ['istio/examples-bookinfo-productpage-v1:1', 9080, '/productpage', /Error fetching product details!/],
    ['gcr.io/google-samples/gb-frontend:v5', 80, '/', /<title>Guestbook<\/title>/],
    ['wordpress:6', 80, '/', /Error establishing a database connection/],
    ['dockersamples/examplevotingapp_vote', 80, '/', /Processed by container ID web-0/],
  ])('%s at %i%s', (name, port, path, body) => {
    const answer = get(run(name), port, path);
    if (typeof body === 'string') expect(answer.body).toBe(body);
    else expect(answer.body).toMatch(body);
  });

  test('wordpress lays its pages where its volume is, and a configuration of its variables', () => {
    const env = { ...withEnv({ WORDPRESS_DB_HOST: 'db', WORDPRESS_DB_USER: 'me' }), cwd: '/var/www/html' };
    const machine = run('wordpress:6.2.1-apache', env);
    const { stdout } = execute(machine, ['sh', '-c', 'cd /var/www/html; ls; cat wp-includes/version.php']);
    expect(stdout).toMatch(/^index\.php\nlicense\.txt\n[^]*\nwp-config\.php\n[^]*wp_version = '6\.2\.1'/);
    expect(logOf(machine, 'stderr')).toMatch(/copying 'wp-config-docker.php' \(WORDPRESS_DB_HOST WORDPRESS_DB_USER\)/);
  });

  test('what shows a file that an init container brings ends without it', () => {
    const machine = run('bmuschko/nodejs-read-config:1.0.0');
    exchange(machine, 8080, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(machine.container('c1').exit).toMatchObject({ code: 1 });
    expect(logOf(machine, 'stderr')).toBe(
      "Error: ENOENT: no such file or directory, open '/usr/shared/app/config.json'\n",
    );
  });

  test('http-echo says its text at its port', () => {
    expect(get(run('hashicorp/http-echo', {}, ['-text=hi', '-listen=:8080']), 8080, '/').body).toBe('hi\n');
  });

  test('podinfo is ready until it is told not to be', () => {
    const machine = run('stefanprodan/podinfo');
    expect(get(machine, 9898, '/readyz')).toMatchObject({ status: 200, body: '{\n  "status": "OK"\n}\n' });
    exchange(machine, 9898, 'POST /readyz/disable HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(get(machine, 9898, '/readyz').status).toBe(503);
    expect(get(machine, 9898, '/healthz').status).toBe(200);
    expect(get(machine, 9898, '/metrics').body).toMatch(/http_requests_total{status="200"} \d/);
    expect(get(machine, 9898, '/status/418').status).toBe(418);
  });

  test('the front end of the boutique wants its services', () => {
    const name = 'us-central1-docker.pkg.dev/online-boutique-ci/microservices-demo/frontend:v0';
    const machine = run(name);
    expect(machine.container('c1').exit).toMatchObject({ code: 2 });
    expect(logOf(machine, 'stderr')).toMatch(/environment variable "PRODUCT_CATALOG_SERVICE_ADDR" not set/);
  });

  test('Vault keeps secrets', () => {
    const machine = run(
      'hashicorp/vault',
      withEnv({ VAULT_DEV_ROOT_TOKEN_ID: 'root', VAULT_ADDR: 'http://127.0.0.1:8200', VAULT_TOKEN: 'root' }),
    );
    const vault = (...args: string[]) => execute(machine, ['vault', ...args]);
    expect(vault('status').stdout).toMatch(/^Key {13}Value\n--- {13}-----\nSeal Type {7}shamir\n/);
    expect(vault('kv', 'put', 'secret/db', 'user=ann', 'pass=x').stdout).toMatch(
      /^== Secret Path ==\nsecret\/data\/db\n[^]*version +1\n$/,
    );
    expect(vault('kv', 'get', '-field=user', 'secret/db').stdout).toBe('ann\n');
    expect(vault('kv', 'get', 'secret/none')).toMatchObject({
      code: 2,
      stderr: 'No value found at secret/data/none\n',
    });
    expect(vault('operator', 'init')).toMatchObject({ code: 1, stderr: 'vault: operator init is not simulated\n' });
  });
});

describe('loads', () => {
  test('stress takes memory until the cgroup ends it', () => {
    const machine = run('polinux/stress', { memoryLimit: 100 * MB }, [
      'stress',
      '--vm',
      '1',
      '--vm-bytes',
      '250M',
      '--vm-hang',
      '1',
    ]);
    expect(machine.container('c1').exit).toMatchObject({ outOfMemory: true });
    expect(logOf(machine, 'stdout')).toBe('stress: info: [1] dispatching hogs: 0 cpu, 0 io, 1 vm, 0 hdd\n');
  });

  test('stress that has enough goes on, and ends at its time', () => {
    const machine = run('polinux/stress', { memoryLimit: 200 * MB }, [
      'stress',
      '--vm',
      '1',
      '--vm-bytes',
      '150M',
      '-t',
      '60s',
    ]);
    expect(machine.container('c1').exit).toBeUndefined();
    runTo(machine, BOOT + 61_000);
    expect(machine.container('c1').exit).toMatchObject({ code: 0 });
    expect(logOf(machine, 'stdout')).toMatch(/successful run completed in 60s\n$/);
  });

  test.each([
    [['stress', '--bogus'], 1, /unrecognized option: --bogus/],
    [['stress', '-c', 'x'], 1, /invalid number: x/],
  ])('%j is refused', (args, code, words) => {
    const machine = run('polinux/stress', {}, args);
    expect(machine.container('c1').exit).toMatchObject({ code });
    expect(logOf(machine, 'stderr')).toMatch(words);
  });

  test('stress-ng says what it does on standard error, and ends at its time', () => {
    const args = ['stress-ng', '--cpu', '2', '--cpu-load', '50', '--vm=1', '--vm-bytes', '150m', '-t', '1m'];
    const machine = run('litmuschaos/go-runner', { memoryLimit: 200 * MB }, args);
    expect(machine.container('c1').exit).toBeUndefined();
    runTo(machine, BOOT + 61_000);
    expect(machine.container('c1').exit).toMatchObject({ code: 0 });
    expect(logOf(machine, 'stderr').split('\n')).toEqual([
      'stress-ng: info:  [1] setting to a 60 second run per stressor',
      'stress-ng: info:  [1] dispatching hogs: 2 cpu, 1 vm',
      'stress-ng: info:  [1] successful run completed in 60.00s',
      '',
    ]);
    const small = run('litmuschaos/go-runner', { memoryLimit: 100 * MB }, [
      'stress-ng',
      '--vm',
      '1',
      '--vm-bytes',
      '1g',
    ]);
    expect(small.container('c1').exit).toMatchObject({ outOfMemory: true });
  });

  test.each([
    [['stress-ng', '--bogus'], 1, /unrecognized option '--bogus'/],
    [['stress-ng', '--cpu'], 1, /option '--cpu' requires an argument/],
    [['stress-ng', '--cpu', 'x'], 1, /invalid number x/],
    [['stress-ng', '--vm', '1', '--vm-bytes', '1x'], 1, /invalid number/],
    [['stress-ng'], 1, /no stress workers specified/],
  ])('%j is refused in its own words', (args, code, words) => {
    const machine = run('litmuschaos/go-runner', {}, args);
    expect(machine.container('c1').exit).toMatchObject({ code });
    expect(logOf(machine, 'stderr')).toMatch(words);
  });

  test('CPU counts up to the limit', () => {
    const machine = run('vish/stress', { cpuLimit: 500 }, ['-cpus', '2']);
    runTo(machine, BOOT + 110_000);
    const [only] = [machine.container('c1')];
    expect(only.exit).toBeUndefined();
    expect(logOf(machine, 'stdout')).toMatch(/Spawning a thread to consume CPU/);
  });

  test('hey counts answers', () => {
    const files = serverFiles({ '/agnhost': 'agnhost:agnhost', '/bin/hey': 'apps:hey' });
    const { machine } = startServer(files, ['/agnhost', 'netexec']);
    runTo(machine, BOOT + 1_000);
    const { stdout, code } = execute(
      machine,
      ['/bin/hey', '-n', '20', '-c', '5', 'http://127.0.0.1:8080/hostname'],
      60_000,
    );
    expect([code, /\[200\]\t(\d+) responses/.exec(stdout)?.[1]]).toEqual([0, '20']);
    const failed = execute(machine, ['/bin/hey', '-n', '2', '-c', '1', 'http://127.0.0.1:9/'], 60_000);
    expect(failed.stdout).toMatch(
      /Error distribution:\n {2}\[2\]\tGet "http:\/\/127.0.0.1:9\/": dial tcp 127.0.0.1:9: connect: connection refused/,
    );
  });
});

test('python3 -m http.server lists and serves a folder', () => {
  const machine = run('python:3.13', { cwd: '/etc' }, ['python3', '-m', 'http.server', '8080']);
  expect(get(machine, 8080, '/').body).toMatch(/<li><a href="passwd">passwd<\/a><\/li>/);
  expect(get(machine, 8080, '/passwd').body).toMatch(/^root:x:0:0/);
  expect(get(machine, 8080, '/none').status).toBe(404);
});
