import { describe, expect, test } from '@jest/globals';
import type { Machine } from '../../../engine/kernel/machine.js';
import { image } from '../../catalog/httpd/image.js';
import { programs } from '../../programs/index.js';
import { BOOT, execute, get, logOf, runTo, startImage } from '../testing.js';

const written = (machine: Machine): string => logOf(machine, 'stdout') + logOf(machine, 'stderr');
const ROOT = '/usr/local/apache2';
const IMAGE = image.variant!('2.4');
const ENV = { ...IMAGE.config.env };

function serve(change: string[] = [], args = ['httpd-foreground']): Machine {
  const script = [...change, `exec ${args.join(' ')}`].join('\n');
  const machine = startImage(IMAGE, programs, { argv: ['sh', '-c', script], env: ENV });
  runTo(machine, BOOT + 2_000);
  return machine;
}

test('it serves its document root and says so', () => {
  const machine = serve();
  expect(get(machine, 80, '/')).toMatchObject({ status: 200, body: '<html><body><h1>It works!</h1></body></html>\n' });
  expect(get(machine, 80, '/nope')).toMatchObject({ status: 404, body: expect.stringContaining('<h1>Not Found</h1>') });
  const log = written(machine);
  expect(log).toContain("AH00094: Command line: 'httpd -D FOREGROUND'");
  expect(log).toMatch(/ - - \[22\/Nov\/2026:[\d:]{8} \+0000\] "GET \/ HTTP\/1.1" 200 45\n/);
  expect(log).toMatch(/"GET \/nope HTTP\/1.1" 404 196\n/);
});

test('a file that is written is served, a folder is listed, and a hidden one is not', () => {
  const machine = serve([`cd ${ROOT}/htdocs`, 'rm index.html', 'echo hi > a.txt', 'mkdir sub', 'echo no > .htaccess']);
  expect(get(machine, 80, '/a.txt')).toMatchObject({ status: 200, body: 'hi\n' });
  expect(get(machine, 80, '/').body).toContain(
    '<ul><li><a href="a.txt"> a.txt</a></li>\n<li><a href="sub/"> sub/</a></li>\n</ul>',
  );
  expect(get(machine, 80, '/sub').status).toBe(301);
  expect(get(machine, 80, '/.htaccess').status).toBe(403);
  expect(written(machine)).toContain(`AH01630: client denied by server configuration: ${ROOT}/htdocs/.htaccess`);
});

const APPEND = (text: string): string[] => [`cat >> ${ROOT}/conf/httpd.conf <<'E'`, text, 'E'];

describe('what a configuration says', () => {
  test.each<[string, string[], number, string, number, string]>([
    ['another port', [`sed -i 's/^Listen 80$/Listen 8080/' ${ROOT}/conf/httpd.conf`], 8080, '/', 200, 'It works!'],
    ['a redirect', APPEND('Redirect permanent /old http://x/new'), 80, '/old/a', 301, 'href="http://x/new/a"'],
    [
      'an alias',
      [...APPEND('Alias /etc /etc\n<Directory /etc>\nRequire all granted\n</Directory>')],
      80,
      '/etc/hostname',
      404,
      '',
    ],
    ['a page for errors', APPEND('ErrorDocument 404 "gone fishing"'), 80, '/nope', 404, 'gone fishing'],
    [
      'a virtual host',
      APPEND(
        '<VirtualHost *:80>\nServerName test\nDocumentRoot /tmp\n</VirtualHost>\n<Directory /tmp>\nRequire all granted\n</Directory>',
      ),
      80,
      '/',
      403,
      'Forbidden',
    ],
    ['no access', APPEND('<Location /secret>\nRequire all denied\n</Location>'), 80, '/secret', 403, 'Forbidden'],
  ])('%s', (_name, change, port, path, status, body) => {
    const answer = get(serve(change), port, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(body);
  });

  test.each([
    [
      'Nonsense on',
      "Invalid command 'Nonsense', perhaps misspelled or defined by a module not included in the server configuration",
    ],
    ['RewriteEngine on', "Invalid command 'RewriteEngine'"],
    ['<Directory /x>', '<Directory> was not closed.'],
    ['LoadModule php_module modules/libphp.so', 'cannot open shared object file: No such file or directory'],
    ['LoadModule rewrite_module modules/mod_rewrite.so', 'it is not simulated'],
  ])('%s is refused', (line, words) => {
    const machine = serve(APPEND(line));
    expect(written(machine)).toContain(words);
    expect(machine.container('c1').exit).toMatchObject({ code: 1 });
  });
});

test('apachectl: test, graceful restart, and the end', () => {
  const machine = serve();
  expect(execute(machine, ['httpd', '-t'])).toMatchObject({ code: 0, stderr: expect.stringMatching(/Syntax OK\n$/) });
  execute(machine, ['sh', '-c', `echo 'Listen 81' >> ${ROOT}/conf/httpd.conf; apachectl -k graceful`]);
  expect(get(machine, 81, '/').status).toBe(200);
  expect(written(machine)).toContain('AH00493: SIGUSR1 received.  Doing graceful restart');
  expect(execute(machine, ['httpd', '-k', 'stop']).code).toBe(0);
  expect(machine.container('c1').exit).toMatchObject({ code: 0 });
  expect(written(machine)).toContain('AH00491: caught SIGTERM, shutting down');
});

test('it has children, whom it starts again when they end', () => {
  const machine = serve();
  const children = (): string[] =>
    execute(machine, [
      'sh',
      '-c',
      'for one in /proc/[1-9]*; do echo ${one#/proc/} $(tr "\\0" " " < $one/cmdline); done',
    ])
      .stdout.split('\n')
      .filter((line) => line.endsWith('httpd -DFOREGROUND'));
  const before = children();
  expect(before).toHaveLength(4);
  execute(machine, ['sh', '-c', `kill -9 ${before[1]!.split(' ')[0]!}`]);
  expect(children()).toHaveLength(4);
  expect(children()).not.toEqual(before);
  expect(get(machine, 80, '/').status).toBe(200);
});
