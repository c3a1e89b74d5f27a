import { expect, test } from '@jest/globals';
import { commonName } from '../../../engine/machinery/crypto/x509/name.js';
import { formatHello } from '../../../engine/node/cni/tls.js';
import { nginxFiles } from '../../catalog/nginx/files.js';
import { selfSignedHello } from '../ingress/certificates.js';
import { BOOT, exchange, file, logOf, runTo, startServer } from '../testing.js';

const start = { seed: 'one', at: BOOT };
const [certificate] = selfSignedHello(start, commonName('my-nginx'), 'my-nginx').chain;
const key = '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n';
const TLS = 'ssl_certificate ssl/tls.crt; ssl_certificate_key /etc/nginx/ssl/tls.key;';

/** A server with this configuration, and these files beside it. */
function serve(text: string, more: Readonly<Record<string, string | undefined>> = {}) {
  const contents = { '/etc/nginx/ssl/tls.crt': certificate, '/etc/nginx/ssl/tls.key': key, ...more };
  const files = Object.entries(contents).flatMap(([path, content]) => (content ? [[path, file(content)]] : []));
  const { machine } = startServer(
    { ...nginxFiles(''), '/etc/nginx/conf.d/default.conf': file(text), ...Object.fromEntries(files) },
    ['nginx', '-g', 'daemon off;'],
    { env: { PATH: '/usr/sbin:/usr/bin', NGINX_VERSION: '1.27.3' } },
  );
  runTo(machine, BOOT + 1_000);
  return machine;
}

test('a port of TLS shows its certificate, and knows the scheme', () => {
  const machine = serve(`server { listen 443 ssl; ${TLS} location / { return 200 $scheme; } }`);
  const hello = formatHello({ serverName: 'my-nginx' });
  const answer = exchange(machine, 443, `${hello}GET / HTTP/1.1\r\nHost: my-nginx\r\nConnection: close\r\n\r\n`);
  const [shown = '', ...rest] = answer.split('\n');
  expect(JSON.parse(shown.slice(1))).toMatchObject({ names: expect.arrayContaining(['my-nginx']) as unknown });
  expect(rest.join('\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nhttps$/);
});

test('plain HTTP at a port of TLS is refused in words', () => {
  const machine = serve(`server { listen 443 ssl; ${TLS} }`);
  const answer = exchange(machine, 443, 'GET / HTTP/1.1\r\nHost: my-nginx\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain('<center>The plain HTTP request was sent to HTTPS port</center>');
});

test.each<[string, string, Record<string, string | undefined>, string]>([
  [
    'no certificate',
    'server { listen 443 ssl; }',
    {},
    'no "ssl_certificate" is defined for the "listen ... ssl" directive in /etc/nginx/conf.d/default.conf:1',
  ],
  [
    'no key',
    'server { listen 443 ssl; ssl_certificate ssl/tls.crt; }',
    {},
    'no "ssl_certificate_key" is defined for certificate "ssl/tls.crt"',
  ],
  [
    'a missing file',
    `server { listen 443 ssl; ${TLS} }`,
    { '/etc/nginx/ssl/tls.crt': undefined },
    'cannot load certificate "/etc/nginx/ssl/tls.crt": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory:calling fopen(/etc/nginx/ssl/tls.crt, r) error:10000080:BIO routines::no such file)',
  ],
  [
    'a file that is none',
    `server { listen 443 ssl; ${TLS} }`,
    { '/etc/nginx/ssl/tls.key': 'text' },
    'cannot load certificate key "/etc/nginx/ssl/tls.key": PEM_read_bio_PrivateKey() failed (SSL: error:0480006C:PEM routines::no start line:Expecting: ANY PRIVATE KEY)',
  ],
])('it does not start with %s', (_name, text, more, problem) => {
  const machine = serve(text, more);
  expect(machine.container('c1').exit).toMatchObject({ code: 1 });
  expect(logOf(machine, 'stderr')).toContain(`nginx: [emerg] ${problem}`);
});
