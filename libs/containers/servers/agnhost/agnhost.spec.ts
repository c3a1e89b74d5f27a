import { describe, expect, test } from '@jest/globals';
import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import type { ContainerSpec, Mount } from '../../../engine/kernel/container.js';
import { BOOT, exchange, file, get, logOf, runTo, serverFiles, startServer } from '../testing.js';

const owner = { user: 0, group: 0, modified: BOOT };
const FILES: ImageFiles = serverFiles(
  { '/agnhost': 'agnhost:agnhost', '/agnhost-2': 'agnhost:agnhost' },
  {
    '/data/a': file('hello\n', 0o640),
    '/data/shared': { type: 'directory', mode: 0o2777, ...owner },
    '/uploads': { type: 'directory', mode: 0o777, ...owner },
    '/etc/hosts': file('127.0.0.1\tlocalhost\n'),
    '/etc/resolv.conf': file('search a.svc b.local\nnameserver 10.96.0.10\nnameserver 10.96.0.11\noptions ndots:5\n'),
  },
);
const memory = (): Mount => ({
  ...{ path: '/mem', tree: new FileTree('mem'), readOnly: false },
  ...{ source: 'tmpfs', type: 'tmpfs', options: ['rw'] },
});
const start = (argv: readonly string[], fields: Partial<ContainerSpec> = {}) =>
  startServer(FILES, argv, { mounts: [memory()], ...fields });

function run(argv: readonly string[], fields: Partial<ContainerSpec> = {}, until = 1_000_000) {
  const { machine } = start(argv, fields);
  runTo(machine, BOOT + until);
  const { exit } = machine.container('c1');
  return { stdout: logOf(machine, 'stdout'), stderr: logOf(machine, 'stderr'), code: exit?.code, at: exit?.at };
}

describe('mounttest', () => {
  test.each([
    [['--fs_type=/mem'], 'mount type of "/mem": tmpfs\n', 0],
    [['--fs_type=/data'], 'mount type of "/data": 2035054128\n', 0],
    [['--file_mode=/data/a'], 'mode of file "/data/a": -rw-r-----\n', 0],
    [['--file_mode=/data/shared'], 'mode of file "/data/shared": dgrwxrwxrwx\n', 0],
    [['--file_mode=/tmp'], 'mode of file "/tmp": dtrwxrwxrwx\n', 0],
    [['--file_perm=/data/shared'], 'perms of file "/data/shared": -rwxrwxrwx\n', 0],
    [['--file_owner=/data/a'], 'owner UID of "/data/a": 0\nowner GID of "/data/a": 0\n', 0],
    [['--file_content=/data/a'], 'content of file "/data/a": hello\n\n', 0],
    [
      ['--fs_type=/mem', '--new_file_0777=/mem/x', '--file_perm=/mem/x'],
      'mount type of "/mem": tmpfs\ncontent of file "/mem/x": mount-tester new file\n\nperms of file "/mem/x": -rwxrwxrwx\n',
      0,
    ],
    [
      ['--new_file_0644=/mem/x', '--file_mode', '/mem/x'],
      'content of file "/mem/x": mount-tester new file\n\nmode of file "/mem/x": -rw-r--r--\n',
      0,
    ],
    [['--file_content=/no'], 'error reading file content for "/no": open /no: no such file or directory\n', 1],
    [['--file_mode=/no'], 'error from Stat("/no"): stat /no: no such file or directory\n', 1],
    [['--file_owner=/no'], 'error from stat("/no"): no such file or directory\n', 1],
  ])('%j', (args, stdout, code) => {
    expect(run(['/agnhost', 'mounttest', ...args])).toMatchObject({ stdout, code });
  });

  test('a file that cannot be written', () => {
    const { stdout, code } = run(['/agnhost', 'mounttest', '--new_file_0644=/data/x'], { user: 1001, group: 1001 });
    expect([stdout, code]).toEqual(['error writing new file "/data/x": open /data/x: permission denied\n', 1]);
  });

  test('a loop prints every two seconds until the time is over', () => {
    const args = ['--break_on_expected_content=false', '--retry_time=5', '--file_content_in_loop=/data/a'];
    const { stdout, code, at } = run(['/agnhost', 'mounttest', ...args]);
    expect([stdout, code, at]).toEqual(['content of file "/data/a": hello\n\n'.repeat(3), 0, BOOT + 6_000]);
  });

  test('a loop sees a file that comes', () => {
    const { machine, root } = start(['/agnhost', 'mounttest', '--file_content_in_loop=/data/new']);
    runTo(machine, BOOT + 1_000);
    const data = root.find(root.root, 'data')!;
    root.create(data, 'new', file('mount-tester new file\n'), BOOT + 1_000);
    runTo(machine, BOOT + 10_000);
    expect(logOf(machine, 'stdout')).toBe(
      'Error reading file /data/new: open /data/new: no such file or directory, retrying\ncontent of file "/data/new": mount-tester new file\n\n',
    );
    expect(machine.container('c1').exit).toMatchObject({ code: 0, at: BOOT + 2_000 });
  });
});

describe('sub-commands that print', () => {
  test.each([
    [['/agnhost-2', 'entrypoint-tester', 'a', '--b'], '[/agnhost-2 entrypoint-tester a --b]\n', '', 0],
    [['/agnhost', 'dns-suffix'], 'a.svc,b.local\n', '', 0],
    [['/agnhost', 'dns-server-list'], '10.96.0.10,10.96.0.11\n', '', 0],
    [['/agnhost', 'etc-hosts'], '127.0.0.1\tlocalhost\n\n', '', 0],
    [['/agnhost', 'no-such'], '', 'Error: unknown command "no-such" for "app"\nRun \'app --help\' for usage.\n', 0],
    [['/agnhost', 'mtlsserver'], '', 'agnhost: mtlsserver is not simulated\n', 1],
    [['/agnhost', 'mounttest', '--nope'], '', 'Error: unknown flag: --nope\nUsage:\n  app mounttest [flags]\n\n', 0],
  ])('%j', (argv, stdout, stderr, code) => {
    expect(run(argv)).toMatchObject({ stdout, stderr, code });
  });

  test('logs-generator', () => {
    const { stderr, code, at } = run(['/agnhost', 'logs-generator', '--log-lines-total=3', '-d', '3s']);
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(3);
    lines.forEach((line, id) => {
      const pattern = `^I1122 00:00:0${id}\\.000000 {7}1 logs_generator\\.go:76\\] ${id} (GET|POST|PUT) /api/v1/namespaces/(kube-system|default|ns)/pods/[a-z0-9]{3,4} [2-5]\\d\\d$`;
      expect(line).toMatch(new RegExp(pattern));
    });
    expect([code, at]).toEqual([0, BOOT + 3_000]);
  });

  test.each([
    [['127.0.0.1:9'], 'REFUSED\n', 1],
    [['nowhere'], 'UNKNOWN: address nowhere: missing port in address\n', 1],
    [['no.such:80'], 'DNS: lookup no.such on 10.96.0.11:53: server misbehaving\n', 1],
    [['10.1.2.3:80'], 'OTHER: dial tcp 10.1.2.3:80: connect: network is unreachable\n', 1],
  ])('connect %j', (args, stderr, code) => {
    expect(run(['/agnhost', 'connect', ...args])).toMatchObject({ stderr, code });
  });
});

describe('netexec', () => {
  const server = (...args: string[]) => {
    const { machine } = start(['/agnhost', 'netexec', ...args], { hostname: 'web-0' });
    runTo(machine, BOOT + 1_000);
    return machine;
  };

  test('listens, and says so', () => {
    const machine = server();
    expect(logOf(machine, 'stderr')).toBe(
      'I1122 00:00:00.050000       1 log.go:245] Started HTTP server on port 8080\nI1122 00:00:00.050000       1 log.go:245] Started UDP server on port  8081\n',
    );
    expect(machine.container('c1').listening).toEqual([
      { port: 8080, protocol: 'tcp', since: BOOT + 50 },
      { port: 8081, protocol: 'udp', since: BOOT + 50 },
    ]);
  });

  test.each([
    ['/hostname', 200, 'web-0'],
    ['/hostName', 200, 'web-0'],
    ['/echo?msg=a%20b+c', 200, 'a b c'],
    ['/echo?msg=no&code=418', 418, 'no'],
    ['/healthz', 200, ''],
    ['/header?key=X-Own', 200, 'mine'],
    ['/shell?cmd=echo%20hi%3B%20exit%203', 200, '{"error":"exit status 3","output":"hi\\n"}'],
    ['/shell?shellCommand=cat+/data/a', 200, '{"output":"hello\\n"}'],
    ['/shell?cmd=nope', 200, '{"error":"exit status 127","output":"/bin/sh: 1: nope: not found\\n"}'],
    ['/redirect?location=/echo%3Fmsg=x&code=307', 307, '<a href="/echo?msg=x">Temporary Redirect</a>.\n\n'],
    ['/dial?host=127.0.0.1&port=8080&request=hostname&tries=2', 200, '{"responses":["web-0","web-0"]}'],
    ['/dial?host=127.0.0.1&port=8081&request=hostname&protocol=udp', 200, '{"responses":["web-0"]}'],
    ['/dial?host=127.0.0.1&port=8081&request=echo%20Hi&protocol=udp', 200, '{"responses":["hi"]}'],
    [
      '/dial?host=127.0.0.1&port=9&request=hostname',
      200,
      '{"errors":["Get \\"http://127.0.0.1:9/hostname\\": dial tcp 127.0.0.1:9: connect: connection refused"]}',
    ],
    ['/dial?host=127.0.0.1&port=9', 400, 'request parameter not specified. <nil>\n'],
    ['/other', 200, 'NOW: 2026-11-22 00:00:01 +0000 UTC'],
  ])('GET %s', (path, status, body) => {
    expect(get(server(), 8080, path, 'X-Own: mine\r\n')).toMatchObject({ status, body });
  });

  test('an upload is a file', () => {
    const machine = server();
    const form = '--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--B--\r\n';
    const head = `POST /upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${form.length}\r\n\r\n`;
    const path = /"output":"(.*)"/.exec(exchange(machine, 8080, head + form))![1]!;
    expect(get(machine, 8080, `/shell?cmd=cat%20${path}`).body).toBe('{"output":"bytes"}');
  });

  test('/exit ends it with a code after a wait', () => {
    const machine = server();
    exchange(machine, 8080, 'GET /exit?code=7&wait=2s HTTP/1.1\r\n\r\n');
    expect(machine.container('c1').exit).toMatchObject({ code: 7, at: BOOT + 3_000 });
  });

  test('without UDP it is not healthy', () => {
    expect(get(server('--udp-port=-1', '--http-port', '80'), 80, '/healthz')).toMatchObject({ status: 412 });
  });

  test('two requests on one connection', () => {
    const text = 'GET /hostname HTTP/1.1\r\n\r\nGET /shell?cmd=echo%201 HTTP/1.1\r\nConnection: close\r\n\r\n';
    const answers = exchange(server(), 8080, text);
    expect(answers.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
    expect(answers.endsWith('{"output":"1\\n"}')).toBe(true);
  });
});

describe('other servers', () => {
  const server = (argv: string[], env: Record<string, string> = {}) => {
    const { machine } = start(['/agnhost', ...argv], { hostname: 'web-0', env: { PATH: '/bin', ...env } });
    runTo(machine, BOOT + 1_000);
    return machine;
  };

  test('serve-hostname waits a minute after SIGTERM', () => {
    const machine = server(['serve-hostname', '--port=9376']);
    expect(get(machine, 9376, '/')).toMatchObject({ status: 200, body: 'web-0' });
    machine.signal('c1', 'TERM', machine.now);
    const at = machine.now;
    runTo(machine, at + 100_000);
    expect(machine.container('c1').exit).toMatchObject({ code: 0, at: at + 60_000 });
  });

  test('serve-hostname over raw TCP', () => {
    expect(exchange(server(['serve-hostname', '--tcp', '--http=false']), 9376, '')).toBe('web-0');
  });

  test.each([
    ['/data/a', 200, 'hello\n'],
    [
      '/data/',
      200,
      '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="a">a</a>\n<a href="shared/">shared/</a>\n</pre>\n',
    ],
    ['/no', 404, '404 page not found\n'],
    ['/data', 301, ''],
  ])('test-webserver %s', (path, status, body) => {
    expect(get(server(['test-webserver']), 80, path)).toMatchObject({ status, body });
  });

  test('liveness fails after ten seconds', () => {
    const machine = server(['liveness']);
    expect(get(machine, 8080, '/healthz')).toMatchObject({ status: 200, body: 'ok' });
    runTo(machine, BOOT + 12_000);
    expect(get(machine, 8080, '/healthz')).toMatchObject({ status: 500, body: 'error: 12' });
  });

  test('porter serves variables', () => {
    const machine = server(['porter', '--json-response'], { SERVE_PORT_80: 'eighty', SERVE_TLS_PORT_443: 'secret' });
    expect(get(machine, 80, '/')).toMatchObject({ status: 200, body: '{"Method":"GET","Body":"eighty"}' });
    expect(get(machine, 443, '/').body).toBe('Client sent an HTTP request to an HTTPS server.\n');
  });

  test('a guestbook keeps what it is told', () => {
    const machine = server(['guestbook', '--http-port', '6379']);
    expect(get(machine, 6379, '/set?key=messages&value=a,b').body).toBe('{"message":"Updated"}');
    expect(get(machine, 6379, '/get?key=messages').body).toBe('{"data":"a,b"}');
    expect(get(machine, 6379, '/get?key=none').body).toBe('{"data":""}');
    expect(get(machine, 6379, '/register?host=127.0.0.1').body).toBe('{"data":{"messages":"a,b"}}');
  });

  test('a replica that finds no primary ends', () => {
    const machine = server(['guestbook', '--replicaof', '127.0.0.1', '--backend-port', '9']);
    runTo(machine, BOOT + 60_000);
    expect(machine.container('c1').exit).toMatchObject({ code: 1 });
    expect(logOf(machine, 'stderr')).toMatch(/Timed out while registering to primary\.\n$/);
  });

  test('pause', () => {
    const machine = server(['pause']);
    expect(logOf(machine, 'stdout')).toBe('Paused\n');
    machine.signal('c1', 'TERM', machine.now);
    runTo(machine, machine.now);
    expect(machine.container('c1').exit).toMatchObject({ code: 2 });
  });

  test('port-forward-tester sends chunks to who says the word', () => {
    const env = {
      BIND_ADDRESS: '0.0.0.0',
      BIND_PORT: '80',
      EXPECTED_CLIENT_DATA: 'abc',
      CHUNKS: '3',
      CHUNK_SIZE: '4',
      CHUNK_INTERVAL: '100',
    };
    const machine = server(['port-forward-tester'], env);
    expect(exchange(machine, 80, 'abc')).toBe('x'.repeat(12));
    expect(logOf(machine, 'stdout')).toBe(
      'Accepted client connection\nReceived expected client data\nShutting down connection\nDone\n',
    );
    expect(machine.container('c1').exit).toMatchObject({ code: 0 });
  });
});
