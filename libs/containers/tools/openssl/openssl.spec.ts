import { execFileSync } from 'node:child_process';
import { X509Certificate, createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { programs as coreutils } from '../coreutils/index.js';
import { runLine } from '../testing/run-line.js';
import { openssl } from './openssl.js';

const tools = { openssl, chmod: coreutils['coreutils:chmod']!, stat: coreutils['coreutils:stat']! };
const run = (line: string, files: Readonly<Record<string, string>> = {}) => runLine(tools, line, files);

const SELF = 'openssl ecparam -name prime256v1 -genkey -noout -out k; openssl req -x509 -new -key k -days 30 -out c';
const SIGNED = `${SELF} -subj /CN=ca; openssl genpkey -algorithm EC -out j; openssl req -new -key j -subj "/CN=jane/O=dev" -out r`;

test('a key and a certificate that OpenSSL itself understands', () => {
  const line = 'openssl req -x509 -newkey rsa:1024 -nodes -keyout /tmp/k -out /tmp/c -subj "/CN=web/O=ops" -days 30';
  const { stdout, stderr, code } = run(
    `${line} -addext "subjectAltName=DNS:web.example.com,IP:10.0.0.1"; stat -c %a /tmp/k; cat /tmp/k /tmp/c`,
  );
  const [mode, ...pem] = stdout.split('\n');
  const certificate = new X509Certificate(pem.join('\n').slice(pem.join('\n').indexOf('-----BEGIN CERT')));
  const key = createPrivateKey(pem.join('\n'));
  expect([code, mode]).toEqual([0, '600']);
  expect(stderr).toMatch(/^[.+\n]+\n-----\n$/);
  expect(certificate.subject).toBe('CN=web\nO=ops');
  expect(certificate.subjectAltName).toBe('DNS:web.example.com, IP Address:10.0.0.1');
  expect([certificate.verify(createPublicKey(key)), certificate.checkPrivateKey(key)]).toEqual([true, true]);
});

test('a request, its certificate, and whom it is trusted by', () => {
  const { stdout, stderr, code } = run(
    `cd /tmp; ${SIGNED}; openssl req -in r -noout -subject -verify; ` +
      'openssl x509 -req -in r -CA c -CAkey k -CAcreateserial -days 5 -out j.pem; ' +
      'openssl x509 -in j.pem -noout -subject -issuer -dates; openssl verify -CAfile c j.pem; openssl verify j.pem',
  );
  expect(stdout).toBe(
    'subject=CN = jane, O = dev\nsubject=CN = jane, O = dev\nissuer=CN = ca\n' +
      'notBefore=Nov 22 00:00:00 2026 GMT\nnotAfter=Nov 27 00:00:00 2026 GMT\nj.pem: OK\n',
  );
  expect(stderr).toBe(
    'Certificate request self-signature verify OK\nCertificate request self-signature ok\nsubject=CN = jane, O = dev\n' +
      'CN = jane, O = dev\nerror 20 at 0 depth lookup: unable to get local issuer certificate\n' +
      'error j.pem: verification failed\n',
  );
  expect(code).toBe(2);
});

test('-text', () => {
  const { stdout } = run(
    `cd /tmp; ${SELF} -subj /CN=web -addext subjectAltName=DNS:web; openssl x509 -in c -noout -text`,
  );
  const hidden = stdout.replace(/[\da-fA-F]{2}(?::[\da-fA-F]{2}){3,}:?/g, 'XX');
  expect(hidden.replace(/( *XX\n)+/g, '<bytes>\n')).toBe(
    [
      'Certificate:\n    Data:\n        Version: 3 (0x2)\n        Serial Number:\n<bytes>\n',
      '        Signature Algorithm: ecdsa-with-SHA256\n        Issuer: CN = web\n        Validity\n',
      '            Not Before: Nov 22 00:00:00 2026 GMT\n            Not After : Dec 22 00:00:00 2026 GMT\n',
      '        Subject: CN = web\n        Subject Public Key Info:\n            Public Key Algorithm: id-ecPublicKey\n',
      '                Public-Key: (256 bit)\n                pub:\n<bytes>\n',
      '                ASN1 OID: prime256v1\n                NIST CURVE: P-256\n        X509v3 extensions:\n',
      '            X509v3 Subject Key Identifier: \n<bytes>\n            X509v3 Authority Key Identifier: \n<bytes>\n',
      '            X509v3 Basic Constraints: critical\n                CA:TRUE\n',
      '            X509v3 Subject Alternative Name: \n                DNS:web\n',
      '    Signature Algorithm: ecdsa-with-SHA256\n    Signature Value:\n<bytes>\n',
    ].join(''),
  );
});

test.each([
  ['openssl version', 'OpenSSL 3.0.17 1 Jul 2025 (Library: OpenSSL 3.0.17 1 Jul 2025)\n', '', 0],
  [
    'echo hi | openssl dgst -sha256',
    'SHA2-256(stdin)= 98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4\n',
    '',
    0,
  ],
  ['echo hi | openssl md5', 'MD5(stdin)= 764efa883dda1e11db47671c4a3bbd9e\n', '', 0],
  ['echo hi | openssl base64', 'aGkK\n', '', 0],
  ['echo aGkK | openssl enc -base64 -d', 'hi\n', '', 0],
  ['openssl rand -hex 4 | wc -c', '9\n', '', 0],
  ['openssl foo', '', 'Invalid command \'foo\'; type "help" for a list.\n', 1],
  ['openssl x509 -foo', '', 'x509: Unknown option: -foo\nx509: Use -help for summary.\n', 1],
  ['openssl x509 -noout </etc/passwd', '', 'Could not read certificate from <stdin>\nUnable to load certificate\n', 1],
  [
    'openssl x509 -in nope',
    '',
    'Could not open file or uri for loading certificate from nope: No such file or directory\nUnable to load certificate\n',
    1,
  ],
  [
    'openssl s_client -connect 127.0.0.1:1',
    '',
    'BIO_connect:system library: Connection refused\nconnect:errno=111\n',
    1,
  ],
  ['openssl genrsa 99999', '', 'genrsa: keys of more than 4096 bit are not made here\n', 1],
])('%s', (line, stdout, stderr, code) => expect(run(line)).toEqual({ stdout, stderr, code }));

test.each([
  ['86400', 'Certificate will not expire\n', 0],
  ['99999999', 'Certificate will expire\n', 1],
])('-checkend %s', (seconds, stdout, code) => {
  const found = run(`cd /tmp; ${SELF} -subj /CN=web; openssl x509 -in c -noout -checkend ${seconds}`);
  expect([found.stdout, found.code]).toEqual([stdout, code]);
});

const CONFIG = `
[ req ]
default_bits = 2048
prompt = no
default_md = sha256
req_extensions = req_ext
distinguished_name = dn

[ dn ]
C = US
O = org # a remark
0.organizationalUnitName = unit
CN = 10.0.0.1

[ req_ext ]
subjectAltName = @alt_names

[ alt_names ]
DNS.1 = kubernetes
DNS.2 = kubernetes.default
IP.1 = 10.0.0.1

[ v3_ext ]
authorityKeyIdentifier=keyid,issuer:always
basicConstraints=CA:FALSE
keyUsage=keyEncipherment,dataEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=@alt_names
`;

test('a request and a certificate by a configuration', () => {
  const { stdout, code } = run(
    `cd /tmp; ${SELF} -subj /CN=ca; openssl genpkey -algorithm EC -out j; openssl req -new -key j -out r -config /tmp/csr.conf; ` +
      'openssl req -in r -noout -subject; openssl req -in r -noout -text; ' +
      'openssl x509 -req -in r -CA c -CAkey k -CAcreateserial -days 5 -extensions v3_ext -extfile /tmp/csr.conf -sha256 -out j.pem; ' +
      'openssl x509 -in j.pem -noout -subject -ext keyUsage,extendedKeyUsage,basicConstraints,subjectAltName; openssl verify -CAfile c j.pem; cat j.pem',
    { '/tmp/csr.conf': CONFIG },
  );
  expect(stdout).toContain('subject=C = US, O = org, OU = unit, CN = 10.0.0.1\n');
  expect(stdout).toContain('DNS:kubernetes, DNS:kubernetes.default, IP Address:10.0.0.1\n');
  expect(stdout).toContain('X509v3 Key Usage: \n    Key Encipherment, Data Encipherment\n');
  expect(stdout).toContain('    TLS Web Server Authentication, TLS Web Client Authentication\n');
  expect(stdout).toContain('    CA:FALSE\n');
  expect(stdout).toContain('j.pem: OK\n');
  const certificate = new X509Certificate(stdout.slice(stdout.lastIndexOf('-----BEGIN CERT')));
  expect([code, certificate.keyUsage]).toEqual([0, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']]);
});

test.each([
  ['x509 -req -in r -signkey j -days 9', 'issuer=CN = jane, O = dev\n'],
  ['x509 -req -in r -key j', 'issuer=CN = jane, O = dev\n'],
])('a request that its own key signs: %s', (line, expected) => {
  const { stdout } = run(
    `cd /tmp; ${SIGNED} ; openssl ${line} -out s; openssl x509 -in s -noout -issuer`.replace(
      '-out c',
      '-subj /CN=ca -out c',
    ),
  );
  expect(stdout).toBe(expected);
});

test('the pin of an authority, as kubeadm’s documentation has it', () => {
  const { stdout } = run(
    `cd /tmp; ${SELF} -subj /CN=ca; openssl x509 -pubkey -in c | openssl rsa -pubin -outform der 2>/dev/null | openssl dgst -sha256 -hex; ` +
      'openssl pkey -in k -pubout -outform DER | openssl dgst -sha256 -hex',
  );
  const [first, second] = stdout.trim().split('\n');
  expect(first).toMatch(/^SHA2-256\(stdin\)= [0-9a-f]{64}$/);
  expect(first).toBe(second);
});

test.each([
  ['openssl req -new -key j -config nope', 'Can\'t open "nope" for reading, No such file or directory\n'],
  [
    'openssl req -new -key j -config bad',
    'error:07000065:configuration file routines:def_load_bio:missing equal sign:line 2\n',
  ],
  [
    'openssl req -new -key j -config bare',
    'Error making certificate request\nreq: the name is not asked for here: use -subj\n',
  ],
  [
    'openssl req -new -key j -subj /CN=x -config bad2',
    'Error checking extension section e\nerror in extension:name=keyUsage, value=flying\n',
  ],
  ['openssl req -new -key j -subj /CN=x -config bad2 -reqexts none', 'Error checking extension section none\n'],
])('%s', (line, expected) => {
  const { stderr, code } = run(`cd /tmp; openssl genpkey -algorithm EC -out j; ${line}`, {
    '/tmp/bad': '[req]\nprompt\n',
    '/tmp/bare': '[req]\n',
    '/tmp/bad2': '[req]\nreq_extensions = e\n[e]\nkeyUsage = flying\n',
  });
  expect([stderr, code]).toEqual([expected, 1]);
});

test('Ed25519: a key, a request, a certificate and its user', () => {
  const { stdout, code } = run(
    'cd /tmp; openssl genpkey -algorithm ed25519 -out k; openssl req -x509 -new -key k -days 3 -subj /CN=ca -out c; ' +
      'openssl req -new -newkey ed25519 -nodes -keyout j -subj /CN=jane 2>/dev/null | openssl x509 -req -CA c -CAkey k -out d 2>/dev/null; ' +
      'openssl verify -CAfile c d; openssl pkey -in k -noout -check; openssl x509 -in d -noout -text; cat k c j d',
  );
  const [ok, check, ...rest] = stdout.split('\n');
  expect([code, ok, check]).toEqual([0, 'd: OK', 'Key is valid']);
  expect(rest.filter((line) => line.includes('ED25519')).map((line) => line.trim())).toEqual([
    ...['Signature Algorithm: ED25519', 'Public Key Algorithm: ED25519', 'ED25519 Public-Key:'],
    'Signature Algorithm: ED25519',
  ]);
  const [k, c, j, d] = rest
    .slice(4)
    .join('\n')
    .match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g)!;
  const [authority, certificate] = [new X509Certificate(c!), new X509Certificate(d!)];
  expect(authority.checkPrivateKey(createPrivateKey(k!))).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(j!))).toBe(true);
  expect([certificate.verify(authority.publicKey), authority.verify(authority.publicKey)]).toEqual([true, true]);
});

test.each(['openssl genpkey -algorithm RSA', 'openssl genpkey -algorithm EC', 'openssl genpkey -algorithm ed25519'])(
  '%s: -text as OpenSSL prints it',
  (make) => {
    const { stdout } = run(
      `cd /tmp; ${make} -out k 2>/dev/null; openssl pkey -in k -text; openssl pkey -in k -noout -text_pub`,
    );
    const real = (args: readonly string[]): string =>
      execFileSync('openssl', ['pkey', ...args], {
        input: /-----BEGIN[\s\S]*END PRIVATE KEY-----\n/.exec(stdout)![0],
      }).toString();
    expect(stdout).toBe(real(['-text']) + real(['-noout', '-text_pub']));
  },
);
