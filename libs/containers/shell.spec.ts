import { describe, expect, test } from '@jest/globals';
import { parseReference, type CommandWorld, type Process, type Start } from '@terrarium/engine';
import { catalog } from './index.js';

const AT = Date.UTC(2026, 0, 1, 12, 0, 0);
let seed = 0;

function start(image: string, argv: readonly string[], env: Record<string, string> = {}): Process {
  const found = catalog.resolve(parseReference(image)!);
  if ('error' in found) throw new Error(found.error);
  const given: Start = {
    argv,
    env,
    container: { name: 'c', image },
    at: AT,
    pod: { name: 'pod', namespace: 'default', ip: '10.244.1.2', node: 'worker-1' },
    seed: `id-${++seed}`,
    ends: false,
    files: () => ({}),
    resolves: () => true,
    connects: () => true,
  };
  return found.image.start(given);
}
const sh = (script: string): Process => start('busybox', ['sh', '-c', script]);
const text = (process: Process, until: number): string[] => process.lines(until).map((l) => l.text);

describe('a command inside', () => {
  const run = (
    command: readonly string[],
    stdin = '',
    inside: Process = start('nginx:1.29', []),
    fetch: CommandWorld['fetch'] = () => undefined,
  ) => inside.run!(command, { stdin, sinceStart: 60_000, fetch });

  test.each<[string[], string, string, number]>([
    [['cat', '/etc/hostname'], '', 'pod\n', 0],
    [['sh', '-c', 'printf x; exit 4'], '', 'x', 4],
    [['sh'], 'a=1\necho $a\nexit 3\necho never\n', '1\n', 3],
    [['cat'], 'given', 'given', 0],
    [['ls', '/etc'], '', 'hostname\nhosts\nresolv.conf\n', 0],
    [['cat', '/nope'], '', "cat: can't open '/nope': No such file or directory\n", 1],
    [['date', '+%H:%M'], '', '12:01\n', 0],
  ])('%j given %j', (command, stdin, output, code) => expect(run(command, stdin)).toMatchObject({ output, code }));

  test('finds what its container has made before', () => {
    expect(run(['cat', '/f'], '', sh('sleep 30; echo made > /f; sleep 3600')).output).toBe('made\n');
  });

  test('asks servers, and prints what they answer as the tool does', () => {
    const fetch: CommandWorld['fetch'] = (host, { port, method, path, body }) =>
      path === '/nope'
        ? { status: 404 }
        : { status: 200, headers: { server: 'x' }, body: `${method} ${host}:${port}${path} ${body}` };
    const ask = (...command: string[]) => run(command, '', undefined, fetch);
    expect(ask('curl', '-s', 'http://web:8080/a?b=c')).toMatchObject({ output: 'GET web:8080/a?b=c ', code: 0 });
    expect(ask('curl', '-sX', 'PUT', '-X', 'PUT', '-d', 'sent', 'http://web/').output).toBe('PUT web:80/ sent');
    expect(ask('curl', '-si', 'http://web/').output).toBe(
      'HTTP/1.1 200 OK\r\nserver: x\r\ncontent-length: 12\r\n\r\nGET web:80/ ',
    );
    expect(ask('curl', '-f', 'http://web/nope')).toMatchObject({
      output: 'curl: (22) The requested URL returned error: 404\n',
      code: 22,
    });
    expect(ask('wget', '-qO-', 'http://web/x').output).toBe('GET web:80/x ');
    expect(ask('wget', '-q', 'http://web/nope')).toMatchObject({
      output: 'wget: server returned error: HTTP/1.1 404 Not Found\n',
      code: 1,
    });
  });

  test.each([
    'while true; do :; done',
    'x=aaaaaaaa; while true; do x=$x$x; echo $x; done',
    'yes() { :; }; while true; do echo $(seq 1 1000); done',
  ])('%s comes to an end, within limits', (script) => {
    const { output, code } = run(['sh', '-c', script]);
    expect(code).not.toBe(0);
    expect(output.length).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('scripts', () => {
  test.each<[string, number, number, string[]]>([
    ['echo hello', 0, 1, ['hello']],
    ['echo a; sleep 2; echo b; exit 3', 3, 2000, ['a', 'b']],
    ['for i in 1 2 3; do echo $i; sleep 1; done', 0, 3000, ['1', '2', '3']],
    ['i=0; while [ $i -lt 3 ]; do echo "n=$i"; i=$((i+1)); sleep 1; done', 0, 3000, ['n=0', 'n=1', 'n=2']],
    ['echo "Hello world!" && sleep 5 && exit 42', 42, 5000, ['Hello world!']],
    ['if [ -f /x ]; then echo yes; else echo no; fi', 0, 1, ['no']],
    ['echo one > /f; echo two >> /f; cat /f | grep two', 0, 1, ['two']],
    ['false || echo rescued; true && echo done', 0, 1, ['rescued', 'done']],
    ['X=$(echo inner); echo "${X:-none} ${Y:-none}"', 0, 1, ['inner none']],
    ['date -u +%Y-%m-%dT%H:%M:%S', 0, 1, ['2026-01-01T12:00:00']],
    ['set -e; false; echo never', 1, 1, []],
    ['seq 1 3 | wc -l', 0, 1, ['3']],
    ['if true; then', 2, 1, ['sh: syntax error: unexpected "end of file" (expecting "fi")']],
  ])('%s', (script, code, afterMs, lines) => {
    const process = sh(script);
    expect(process.exit).toEqual({ afterMs, code });
    expect(text(process, 1e9)).toEqual(lines);
  });

  test('an endless loop goes on, and logs as time passes', () => {
    const process = sh('while true; do echo hello; sleep 10; done');
    expect(process.exit).toBeUndefined();
    expect(process.lines(25_000)).toEqual([
      { at: 0, text: 'hello' },
      { at: 10_000, text: 'hello' },
      { at: 20_000, text: 'hello' },
    ]);
    expect(text(process, 5_000)).toEqual(['hello']);
  });

  test('a busy loop is bounded', () => {
    expect(sh('while true; do :; done').lines(1e12)).toEqual([]);
    expect(sh(`${'('.repeat(200)}echo${')'.repeat(200)}`).exit?.code).toBe(2);
  });
});

describe('images', () => {
  test.each<[string, boolean]>([
    ['nginx', true],
    ['nginx:1.25.3-alpine', true],
    ['nginx:1.161', false],
    ['nginx:broken', false],
    ['redis:7', true],
    ['redis:99x', false],
    ['example.com/team/app:v1', true],
    ['app.invalid/x', false],
    ['acme/tool:does-not-exist', false],
  ])('%s exists: %s', (image, exists) => {
    expect('image' in catalog.resolve(parseReference(image)!)).toBe(exists);
  });

  test.each(['Nginx', 'nginx:', 'a//b', 'nginx:x y', ''])('%j is no reference', (image) => {
    expect(parseReference(image)).toBeUndefined();
  });

  test('postgres asks for a password', () => {
    expect(start('postgres:16', ['docker-entrypoint.sh', 'postgres']).exit?.code).toBe(1);
    expect(start('postgres:16', ['docker-entrypoint.sh', 'postgres'], { POSTGRES_PASSWORD: 'x' }).exit).toBeUndefined();
  });

  test('the Job tutorial prints pi', () => {
    const process = start('perl:5.34', ['perl', '-Mbignum=bpi', '-wle', 'print bpi(50)']);
    expect(process.exit?.code).toBe(0);
    expect(text(process, 1e6)).toEqual(['3.1415926535897932384626433832795028841971693993751']);
  });
});
