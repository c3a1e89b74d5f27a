import { describe, expect, test } from '@jest/globals';
import type { Start } from '@terrarium/engine';
import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import { containerOf } from '../../../engine/kernel/testing.js';
import { nginxFiles } from '../../catalog/nginx/files.js';
import { image } from '../../catalog/nginx/image.js';
import type { Machine } from '../../../engine/kernel/machine.js';
import { programs } from '../../programs/index.js';
import { BOOT, execute, file, get, logOf, runTo, startImage, startServer } from '../testing.js';

const ARGV = ['/docker-entrypoint.sh', 'nginx', '-g', 'daemon off;'];
const env = { PATH: '/usr/sbin:/usr/bin', NGINX_VERSION: '1.27.3' };

function serve(more: ImageFiles = {}, argv = ARGV) {
  const { machine } = startServer({ ...nginxFiles(''), ...more }, argv, { env });
  runTo(machine, BOOT + 1_000);
  return machine;
}
const site = (text: string): ImageFiles => ({
  '/etc/nginx/conf.d/default.conf': file(`server {\n  listen 80;\n${text}\n}\n`),
});

test.each([
  ['/usr/share/nginx/html', {}, false],
  ['/usr/share/nginx/html/', {}, false],
  ['/usr/share/nginx', {}, false],
  ['/usr/share/nginx/html/more', {}, false],
  ['/var/log/nginx', {}, false],
  ['/usr/share/nginx/html', { '/usr/share/nginx/html/index.html': 'known' }, true],
  ['/data', {}, true],
])('a volume at %s with %j: it is summed up: %s', (mountPath, files, isSummedUp) => {
  const container = { name: 'c', image: 'nginx:1.27.3', volumeMounts: [{ name: 'v', mountPath }] };
  const start = { argv: ARGV, env, container, at: BOOT, files: () => files } as unknown as Start;
  expect(image.start(start) !== undefined).toBe(isSummedUp);
});

test('it writes and listens as its summary says', () => {
  const { machine } = startServer(nginxFiles(''), ARGV, { env });
  const container = { name: 'c', image: 'nginx:1.27.3' };
  const summary = image.start({ argv: ARGV, env, container, at: BOOT, files: () => ({}) } as unknown as Start)!;
  runTo(machine, BOOT + summary.readyAfterMs - 1);
  expect(machine.container('c1').listening).toEqual([]);
  const since = BOOT + summary.readyAfterMs;
  runTo(machine, since);
  expect(machine.container('c1').listening).toEqual(summary.listens.map((port) => ({ port, protocol: 'tcp', since })));
  const lines = machine.container('c1').logs.map(({ at, text }) => ({ at: at - BOOT, text }));
  expect(lines).toEqual(summary.lines(1e6).map(({ at, text }) => ({ at, text })));
  const request = { scheme: 'http', method: 'GET', path: '/', headers: {}, body: '', port: 80 } as never;
  expect(get(machine, 80, '/').body).toBe(summary.serve!(request, 1_000).body);
  machine.signal('c1', 'QUIT', machine.now);
  const at = machine.now;
  runTo(machine, at + 10_000);
  expect(machine.container('c1').exit).toMatchObject({ code: summary.stop!.code, at: at + summary.stop!.afterMs });
});

test('the thousandth large file comes as fast as the first', () => {
  const [size, times] = [1 << 20, 1_000];
  const machine = serve({ '/usr/share/nginx/html/big': file('0'.repeat(size)) });
  const session = machine.connect(80, machine.now);
  const fetchOne = (received: number): number => {
    const since = machine.now;
    const until = received + size;
    machine.input(session, 'GET /big HTTP/1.1\r\nHost: x\r\n\r\n', since);
    for (let have = received; have < until;) {
      expect(machine.now).toBeLessThan(since + 100);
      runTo(machine, machine.now + 1);
      const { stdout, stdoutFrom } = machine.output(session);
      have = stdoutFrom + stdout.length;
      machine.acknowledge(session, have, 0);
    }
    return machine.output(session).stdoutFrom;
  };
  for (let time = 0, received = 0; time < times; time++) received = fetchOne(received);
});

test('a port that is taken is asked for five times, before it says anything else', () => {
  const machine = serve();
  const files = nginxFiles('');
  machine.start(containerOf(files, { id: 'c2', argv: ARGV, env, root: new FileTree('root2', files) }), machine.now);
  runTo(machine, machine.now + 10_000);
  expect(machine.container('c2').exit).toMatchObject({ code: 1 });
  const said = machine.container('c2').logs.map(({ text }) => text.replace(/^\d.{18} /, ''));
  const refused = 'bind() to 0.0.0.0:80 failed (98: Address already in use)';
  expect(said.filter((line) => line === `nginx: [emerg] ${refused}`)).toHaveLength(5);
  expect(said.slice(-3)).toEqual([
    expect.stringMatching(/^\[notice\] \d+#\d+: try again to bind\(\) after 500ms$/),
    expect.stringMatching(/^\[emerg\] \d+#\d+: still could not bind\(\)$/),
    'nginx: [emerg] still could not bind()',
  ]);
  expect(said.join()).not.toContain('start worker');
});

test('a large file goes out in pieces, as fast as its client reads, and requests behind it wait', () => {
  const content = Array.from({ length: 250_000 }, (_, i) => `line ${i}\n`).join('');
  const machine = serve({ '/usr/share/nginx/html/big': file(content) });
  const request = 'GET /big HTTP/1.1\r\nHost: test\r\n\r\n';
  const session = machine.connect(80, machine.now);
  machine.input(session, request + request + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), machine.now);
  runTo(machine, machine.now + 1_000);
  // What is not sent stays in the file.
  expect(JSON.stringify(machine.save()).length).toBeLessThan(content.length);
  let received = '';
  for (let turns = 0, hasEnded = false; turns < 100 && !hasEnded; turns++) {
    const { stdout, ended } = machine.output(session);
    received += stdout;
    hasEnded = ended;
    machine.acknowledge(session, received.length, 0);
    runTo(machine, machine.now + 10);
  }
  const answers = received.split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/);
  expect(answers.map((body) => body === content)).toEqual([false, true, true, true]);
});

describe('what it serves', () => {
  test.each<[string, ImageFiles, string, number, RegExp]>([
    ['the page of the image', {}, '/', 200, /Welcome to nginx!/],
    ['a file', { '/usr/share/nginx/html/a.txt': file('own\n') }, '/a.txt?x=1', 200, /^own\n$/],
    ['nothing', {}, '/no', 404, /<h1>404 Not Found<\/h1>.*<center>nginx\/1\.27\.3<\/center>/s],
    ['a path that leaves the root', {}, '/../../etc/passwd', 400, /400 Bad Request/],
    ['a directory without an index', { '/usr/share/nginx/html/d/x': file('x') }, '/d/', 403, /403 Forbidden/],
    ['a directory without a slash', { '/usr/share/nginx/html/d/x': file('x') }, '/d', 301, /301 Moved Permanently/],
    ['return', site('location /healthz { return 200 "ok\\n"; }'), '/healthz', 200, /^ok\n$/],
    [
      'an exact location',
      site('location / { return 500; }\nlocation = /x { return 200 exact; }'),
      '/x',
      200,
      /^exact$/,
    ],
    [
      'the longest prefix',
      site('location / { return 500; }\nlocation /api/ { return 200 $uri; }'),
      '/api/v1',
      200,
      /^\/api\/v1$/,
    ],
    [
      'an expression',
      site('location / { return 500; }\nlocation ~* \\.php$ { return 403; }'),
      '/a.PHP',
      403,
      /403 Forbidden/,
    ],
    ['alias', { ...site('location /s/ { alias /srv/; }'), '/srv/f': file('aliased') }, '/s/f', 200, /^aliased$/],
    [
      'try_files',
      { ...site('root /srv;\ntry_files $uri /index.html;'), '/srv/index.html': file('app') },
      '/deep/link',
      200,
      /^app$/,
    ],
    ['try_files with a status', site('root /srv;\ntry_files $uri =404;'), '/no', 404, /404 Not Found/],
    ['autoindex', { ...site('root /srv;\nautoindex on;'), '/srv/f': file('x') }, '/', 200, /<a href="f">f<\/a>/],
    ['a proxy without a server', site('location / { proxy_pass http://127.0.0.1:9; }'), '/', 502, /502 Bad Gateway/],
    [
      'a proxy',
      site('location /p/ { proxy_pass http://127.0.0.1/q/; }\nlocation /q/ { return 200 "got $request_uri"; }'),
      '/p/x?y=1',
      200,
      /^got \/q\/x\?y=1$/,
    ],
    [
      'error_page',
      { ...site('root /srv;\nerror_page 404 /e.html;'), '/srv/e.html': file('mine') },
      '/no',
      404,
      /^mine$/,
    ],
  ])('%s', (_name, files, path, status, body) => {
    const answer = get(serve(files), 80, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatch(body);
  });

  test('a write to a page shows, and requests are logged', () => {
    const machine = serve();
    expect(execute(machine, ['sh', '-c', 'echo changed > /usr/share/nginx/html/index.html']).code).toBe(0);
    expect(get(machine, 80, '/', 'User-Agent: me\r\n').body).toBe('changed\n');
    get(machine, 80, '/no');
    expect(logOf(machine, 'stdout').split('\n').at(-3)).toMatch(
      /^\S+ - - \[22\/Nov\/2026:00:00:\d\d \+0000\] "GET \/ HTTP\/1\.1" 200 8 "-" "me" "-"$/,
    );
    expect(logOf(machine, 'stderr')).toContain(
      'open() "/usr/share/nginx/html/no" failed (2: No such file or directory), client: ',
    );
  });
});

describe('its command line', () => {
  test.each<[string, ImageFiles, string[], string, number]>([
    ['-v', {}, ['-v'], 'nginx version: nginx/1.27.3\n', 0],
    [
      '-t',
      {},
      ['-t'],
      'nginx: the configuration file /etc/nginx/nginx.conf syntax is ok\nnginx: configuration file /etc/nginx/nginx.conf test is successful\n',
      0,
    ],
    [
      'an unknown directive',
      site('  foo bar;'),
      ['-t'],
      'nginx: [emerg] unknown directive "foo" in /etc/nginx/conf.d/default.conf:3\nnginx: configuration file /etc/nginx/nginx.conf test failed\n',
      1,
    ],
    [
      'a missing brace',
      { '/etc/nginx/conf.d/default.conf': file('server {\n  listen 80;\n') },
      ['-t'],
      'nginx: [emerg] unexpected end of file, expecting "}" in /etc/nginx/conf.d/default.conf:3\nnginx: configuration file /etc/nginx/nginx.conf test failed\n',
      1,
    ],
    [
      'a host that is not there',
      site('  location / { proxy_pass http://nowhere:80; }'),
      ['-t'],
      'nginx: [emerg] host not found in upstream "nowhere" in /etc/nginx/conf.d/default.conf:3\nnginx: configuration file /etc/nginx/nginx.conf test failed\n',
      1,
    ],
    ['a wrong option', {}, ['-z'], 'nginx: invalid option: "z"\n', 1],
  ])('%s', (_name, files, args, stderr, code) => {
    const machine = serve(files, ['sleep', '1000']);
    expect(execute(machine, ['nginx', ...args])).toEqual({ stdout: '', stderr, code });
  });

  test('a reload takes up a new configuration, and keeps the old one when that is wrong', () => {
    const machine = serve();
    const write = (text: string) => execute(machine, ['sh', '-c', `echo '${text}' > /etc/nginx/conf.d/default.conf`]);
    write('server { listen 80; return 200 new; }');
    expect(get(machine, 80, '/').body).toContain('Welcome');
    expect(execute(machine, ['nginx', '-s', 'reload']).code).toBe(0);
    expect(get(machine, 80, '/').body).toBe('new');
    write('server { listen 80 ');
    expect(execute(machine, ['nginx', '-s', 'reload']).code).toBe(1);
    expect(get(machine, 80, '/').body).toBe('new');
  });

  test('a wrong configuration ends it', () => {
    const machine = serve(site('  nonsense;'));
    expect(machine.container('c1').exit).toMatchObject({ code: 1 });
    expect(logOf(machine, 'stderr')).toContain(
      '[emerg] unknown directive "nonsense" in /etc/nginx/conf.d/default.conf:3\n',
    );
  });

  test('a command runs instead of the server', () => {
    const machine = serve({}, ['/docker-entrypoint.sh', 'sh', '-c', 'echo other']);
    expect(logOf(machine, 'stdout')).toBe('other\n');
  });
});

describe('its workers', () => {
  const IMAGE_ALPINE = nginxFiles('alpine');
  const MASTER = '1 root nginx: master process nginx -g daemon off;';
  const start = (): Machine => {
    const machine = startImage({ ...image, files: IMAGE_ALPINE }, programs, {
      env: { ...env, PATH: `${env.PATH}:/bin` },
    });
    runTo(machine, BOOT + 1_000);
    return machine;
  };
  const list = (machine: Machine): string[] =>
    execute(machine, ['ps', '-o', 'pid,user,args'])
      .stdout.split('\n')
      .map((line) => line.trim().replace(/\s+/g, ' '))
      .filter((line) => line.includes('nginx: '));
  const said = (machine: Machine): string[] =>
    logOf(machine, 'stderr')
      .split('\n')
      .map((line) => line.slice('2026/11/22 00:00:00 '.length));

  test('are one for each CPU, and have the pids that the log says', () => {
    const machine = start();
    expect(list(machine)).toEqual([MASTER, '29 nginx nginx: worker process', '30 nginx nginx: worker process']);
    expect(said(machine)).toContain('[notice] 1#1: start worker process 30');
    expect(machine.nextWake()).toBeUndefined();
  });

  test('one that is killed is replaced', () => {
    const machine = start();
    execute(machine, ['kill', '-9', '29']);
    expect(list(machine)).toEqual([MASTER, expect.stringMatching(/^30 nginx/), expect.stringMatching(/^\d\d nginx/)]);
    expect(said(machine)).toContain('[alert] 1#1: worker process 29 exited on signal 9');
  });

  test('are others after a reload, which the master outlives', () => {
    const machine = start();
    execute(machine, ['sed', '-i', 's/worker_processes .*/worker_processes 3;/', '/etc/nginx/nginx.conf']);
    execute(machine, ['nginx', '-s', 'reload']);
    const after = list(machine);
    expect(after).toHaveLength(4);
    expect(after[0]).toBe(MASTER);
    expect(after.join()).not.toMatch(/\b(29|30) nginx/);
    expect(said(machine)).toEqual(
      expect.arrayContaining([
        '[notice] 29#29: gracefully shutting down',
        '[notice] 1#1: worker process 30 exited with code 0',
      ]),
    );
    expect(get(machine, 80, '/').status).toBe(200);
    machine.signal('c1', 'USR1', machine.now);
    runTo(machine, machine.now + 1_000);
    expect(said(machine)).toContain('[notice] 1#1: reopening logs');
    machine.signal('c1', 'QUIT', machine.now);
    runTo(machine, machine.now + 1_000);
    expect(machine.container('c1').exit).toMatchObject({ code: 0 });
  });

  test('end with a master that is not process 1', () => {
    const machine = startImage({ ...image, files: IMAGE_ALPINE }, programs, {
      argv: ['sh', '-c', "nginx -g 'daemon off;' & wait; sleep 1000"],
      env: { ...env, PATH: `${env.PATH}:/bin` },
    });
    runTo(machine, BOOT + 1_000);
    expect(list(machine)).toHaveLength(3);
    execute(machine, ['sh', '-c', 'kill -9 $(cat /run/nginx.pid)']);
    expect(list(machine)).toEqual([]);
  });
});
