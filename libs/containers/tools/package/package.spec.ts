import { expect, test } from '@jest/globals';
import { runLine } from '../machine-testing.js';
import { programs } from './index.js';

const TOOLS = Object.fromEntries(Object.entries(programs).map(([name, program]) => [name.replace(/.*:/, ''), program]));
const DEBIAN = {
  '/etc/os-release': 'ID=debian\nVERSION_CODENAME=trixie\n',
  '/var/lib/dpkg/info/curl.list': '/.\n',
};
const ALPINE = {
  '/etc/apk/repositories': 'https://dl-cdn.alpinelinux.org/alpine/v3.23/main\n',
  '/etc/apk/world': 'busybox\n',
};

test('apt-get update resolves no archive, and warns as Debian does', () => {
  const { stdout, stderr, code } = runLine(TOOLS, 'apt-get update', DEBIAN);
  expect(stdout).toMatch(/^Ign:1 http:\/\/deb\.debian\.org\/debian trixie InRelease\n/);
  expect(stdout).toContain(
    "Err:4 http://deb.debian.org/debian trixie InRelease\n  Temporary failure resolving 'deb.debian.org'\n",
  );
  expect(stderr).toMatch(
    /^W: Failed to fetch http:\/\/deb\.debian\.org\/debian\/dists\/trixie\/InRelease {2}Temporary failure resolving 'deb\.debian\.org'\n/,
  );
  expect(code).toBe(0);
});

test.each([
  ['apt-get install -y vim', DEBIAN, 'E: Unable to locate package vim\n', 100],
  ['apt-get foo', DEBIAN, 'E: Invalid operation foo\n', 100],
  ['apt-get install -y curl', DEBIAN, '', 0],
  ['dpkg -l vim', DEBIAN, 'dpkg-query: no packages found matching vim\n', 1],
  [
    'apk add curl',
    ALPINE,
    'WARNING: updating and opening https://dl-cdn.alpinelinux.org/alpine/v3.23/main: temporary error (try again later)\n' +
      'ERROR: unable to select packages:\n  curl (no such package):\n    required by: world[curl]\n',
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
