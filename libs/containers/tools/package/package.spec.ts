import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { programs as coreutils } from '../coreutils/index.js';
import { programs as jqPrograms } from '../jq/index.js';
import { formatDeb } from '../../../engine/node/network/web/deb.js';
import { programs } from './index.js';

const TOOLS = Object.fromEntries(Object.entries(programs).map(([name, program]) => [name.replace(/.*:/, ''), program]));
const jq = jqPrograms['jq:jq']!;
const DEBIAN = {
  '/etc/os-release': 'ID=debian\nVERSION_CODENAME=trixie\n',
  '/var/lib/dpkg/info/curl.list': '/.\n',
  '/var/lib/apt/lists/lock': '',
  '/usr/bin/other': '',
};
const ALPINE = {
  '/etc/apk/repositories': 'https://dl-cdn.alpinelinux.org/alpine/v3.23/main\n',
  '/etc/apk/world': 'busybox\n',
  '/usr/bin/other': '',
};

test('apt-get update reads the archives, and only then are there packages to install', () => {
  const { stdout, stderr, code } = runLine(TOOLS, 'apt-get install -y jq; apt-get update', DEBIAN);
  expect(stdout).toMatch(/\nGet:1 http:\/\/deb\.debian\.org\/debian trixie InRelease \[\d+ kB\]\n/);
  expect(stderr).toBe('E: Unable to locate package jq\n');
  expect(code).toBe(0);
});

test.each([
  ['apt-get update -qq && apt-get install -qq -y jq && /usr/bin/jq --version && dpkg -s jq', DEBIAN, 'jq-1.'],
  ['apk add --no-cache jq && /usr/bin/jq --version && apk info jq', ALPINE, '(1/1) Installing jq\n'],
])('what is installed runs: %s', (line, files, expected) => {
  const { stdout, stderr, code } = runLine({ ...TOOLS, 'jq:jq': jq }, line, files);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toContain(expected);
  expect(stdout).toContain('jq-1.');
});

test.each([
  ['apt-get install -y vim', DEBIAN, 'E: Unable to locate package vim\n', 100],
  ['apt-get foo', DEBIAN, 'E: Invalid operation foo\n', 100],
  ['apt-get install -y curl', DEBIAN, '', 0],
  ['dpkg -l vim', DEBIAN, 'dpkg-query: no packages found matching vim\n', 1],
  [
    'apk add curly',
    ALPINE,
    'ERROR: unable to select packages:\n  curly (no such package):\n    required by: world[curly]\n',
    1,
  ],
  ['apk foo', ALPINE, "ERROR: 'foo' is not an apk command. See 'apk --help'.\n", 1],
])('%s', (line, files, stderr, code) => {
  const outcome = runLine(TOOLS, line, files);
  expect({ stderr: outcome.stderr, code: outcome.code }).toEqual({ stderr, code });
});

test('other users than root are refused', () => {
  const { stderr, code } = runLine(TOOLS, 'apt-get install -y vim', DEBIAN, { user: 1_000 });
  expect({ stderr, code }).toEqual({
    stderr:
      'E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\n' +
      'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?\n',
    code: 100,
  });
});

const ARMORED =
  '-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: GnuPG v2\n\naGVs\nbG8=\n=AAAA\n-----END PGP PUBLIC KEY BLOCK-----\n';
const KEYS = { ...DEBIAN, '/tmp/key.asc': ARMORED, '/tmp/there.gpg': 'x', '/tmp/none': 'x\n' };

test.each<[string, { stdout?: string; stderr?: string; code?: number }]>([
  ['gpg --dearmor < /tmp/key.asc', { stdout: 'hello' }],
  ['gpg --dearmor -o /tmp/new.gpg < /tmp/key.asc && cat /tmp/new.gpg', { stdout: 'hello' }],
  ['gpg --dearmor /tmp/key.asc && cat /tmp/key.asc.gpg', { stdout: 'hello' }],
  ['gpg --yes --dearmor -o /tmp/there.gpg /tmp/key.asc && cat /tmp/there.gpg', { stdout: 'hello' }],
  [
    'gpg --dearmor -o /tmp/there.gpg /tmp/key.asc',
    { stderr: "gpg: cannot open '/dev/tty': No such device or address\n", code: 2 },
  ],
  ['gpg --dearmor /tmp/none', { stderr: 'gpg: no valid OpenPGP data found.\n', code: 2 }],
  ['gpg --list-keys', { stderr: expect.stringContaining('--dearmor') as unknown as string, code: 2 }],
  [
    'gpg --dearmor /tmp/gone',
    {
      stderr:
        "gpg: can't open '/tmp/gone': No such file or directory\ngpg: dearmoring failed: No such file or directory\n",
      code: 2,
    },
  ],
])('%s', (line, { stdout = '', stderr = '', code = 0 }) =>
  expect(runLine(TOOLS, line, KEYS)).toMatchObject({ stdout, stderr, code }),
);

const rm = coreutils['coreutils:rm']!;
const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
const AUTHORITY = {
  ...DEBIAN,
  '/usr/local/share/ca-certificates/mine.crt': `${PEM}\n`,
  '/usr/local/share/ca-certificates/other.txt': `${PEM}\n`,
  '/etc/ssl/certs/readme': '',
};
const REHASH = 'rehash: warning: skipping ca-certificates.crt,it does not contain exactly one certificate or CRL\n';
const said = (added: number, removed: number): string =>
  `Updating certificates in /etc/ssl/certs...\n${added} added, ${removed} removed; done.\nRunning hooks in /etc/ca-certificates/update.d...\ndone.\n`;

test.each<[string, string, string]>([
  [
    'update-ca-certificates && cat /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/mine.pem',
    `${said(1, 0)}${PEM}\n${PEM}\n`,
    REHASH,
  ],
  ['update-ca-certificates >/dev/null 2>&1; update-ca-certificates', said(0, 0), ''],
  [
    'update-ca-certificates >/dev/null 2>&1; rm /usr/local/share/ca-certificates/mine.crt; update-ca-certificates',
    said(0, 1),
    REHASH,
  ],
])('%s', (line, stdout, stderr) =>
  expect(runLine({ ...TOOLS, rm }, line, AUTHORITY)).toMatchObject({ stdout, stderr, code: 0 }),
);

const TOOL = { path: './opt/tool/bin/hello', mode: 0o755, content: 'echo hello\n' };
const DEBS = {
  ...DEBIAN,
  '/tmp/tool.deb': formatDeb({ name: 'tool', version: '1.2-3', description: 'A tool', files: [TOOL] }),
  '/tmp/none.deb': 'none\n',
};

test.each<[string, string, string, number]>([
  [
    'dpkg -i /tmp/tool.deb && cat /opt/tool/bin/hello && dpkg -l tool | tail -1',
    'Selecting previously unselected package tool.\n(Reading database ... 7592 files and directories currently installed.)\nPreparing to unpack /tmp/tool.deb ...\nUnpacking tool (1.2-3) ...\nSetting up tool (1.2-3) ...\necho hello\nii  tool                 1.2-3        amd64        \n',
    '',
    0,
  ],
  [
    'dpkg -i /tmp/none.deb',
    '',
    "dpkg-deb: error: '/tmp/none.deb' is not a Debian format archive\ndpkg: error processing archive /tmp/none.deb (--install):\n dpkg-deb --control subprocess returned error exit status 2\nErrors were encountered while processing:\n /tmp/none.deb\n",
    1,
  ],
  ['dpkg -i /tmp/gone.deb', '', "dpkg: error: cannot access archive '/tmp/gone.deb': No such file or directory\n", 2],
  ['dpkg -i', '', 'dpkg: error: --install needs at least one package archive file argument\n', 2],
])('%s', (line, stdout, stderr, code) =>
  expect(runLine({ ...TOOLS, tail: coreutils['coreutils:tail']! }, line, DEBS)).toMatchObject({ stdout, stderr, code }),
);
