import { expect, test } from '@jest/globals';
import type { Program } from '../../../engine/kernel/process/program.js';
import { programs as coreutils } from '../coreutils/index.js';
import { programs as processes } from '../process/index.js';
import { runLine } from '../testing/run-line.js';
import { programs } from './index.js';

const pick = (from: Readonly<Record<string, Program>>, prefix: string): Record<string, Program> =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, program]) =>
      name.startsWith(`${prefix}:`) ? [[name.slice(prefix.length + 1), program]] : [],
    ),
  );
const TOOLS = {
  ...pick(programs, 'passwd'),
  ...Object.fromEntries(['id', 'ls', 'stat', 'touch'].map((name) => [name, coreutils[`coreutils:${name}`]!])),
  su: processes['util-linux:su'] ?? processes['login:su']!,
};
const FILES = {
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n',
  '/etc/group': 'root:x:0:\nsudo:x:27:\nann:x:1000:\nusers:x:100:\n',
  '/etc/shadow': 'root:*:20465:0:99999:7:::\nann:!:20465:0:99999:7:::\n',
};
const run = (line: string, user = 0): ReturnType<typeof runLine> =>
  runLine(TOOLS, line, FILES, { user, group: user, groups: [user] });

test.each([
  ['useradd bob; id bob', 'uid=1001(bob) gid=1001(bob) groups=1001(bob)\n'],
  [
    'useradd -m -s /bin/sh -G sudo,users bob; cat /etc/passwd | (read a; read b; cat); ls -ld /home/bob | (read m n u g r; echo $m $u $g); id -Gn bob',
    'bob:x:1001:1001::/home/bob:/bin/sh\ndrwx------ bob bob\nbob sudo users\n',
  ],
  ['useradd -r -u 5000 -d /opt/x -M svc; id -u svc', '5000\n'],
  ['useradd -r svc; id -u svc', '999\n'],
  ['groupadd dev; useradd -g dev bob; id bob', 'uid=1001(bob) gid=1001(dev) groups=1001(dev)\n'],
  ['useradd bob; su bob -s /bin/sh -c "id -un"', 'bob\n'],
  ['useradd -G sudo bob; su bob -c "id -Gn"; su - bob -c "id -un"', 'bob sudo\nbob\n'],
  [
    'usermod -aG sudo ann; id -Gn ann; usermod -G users ann; id -Gn ann; usermod -l eve ann; id -un 1000',
    'ann sudo\nann users\neve\n',
  ],
  [
    'usermod -L ann; passwd -S ann; echo "ann:secret" | chpasswd; passwd -S ann',
    /^ann L \d{4}-\d\d-\d\d 0 99999 7 -1\nann P \d{4}-\d\d-\d\d 0 99999 7 -1\n$/,
  ],
  [
    'printf "a\\na\\n" | passwd ann 2>&1; passwd -l ann; passwd -S ann | head -c 5',
    'New password: Retype new password: passwd: password updated successfully\npasswd: password changed.\nann L',
  ],
  [
    'printf "a\\nb\\n" | passwd ann 2>&1',
    'New password: Retype new password: Sorry, passwords do not match.\npasswd: Authentication token manipulation error\npasswd: password unchanged\n',
  ],
  [
    'touch /tmp-x; useradd bob; userdel bob; cat /etc/group | (read a; read b; read c; read d; cat); id bob 2>&1',
    "id: 'bob': no such user\n",
  ],
  [
    'groupadd -g 2000 dev; groupmod -n ops dev; gpasswd -a ann ops; id -Gn ann; groupdel ops; id -Gn ann',
    'Adding user ann to group ops\nann ops\nann\n',
  ],
  [
    'chage -M 90 -W 5 -E 2027-01-31 ann; chage -l ann',
    /^Last password change\t+: Jan 12, 2026\nPassword expires\t+: Apr 12, 2026\nPassword inactive\t+: never\nAccount expires\t+: Jan 31, 2027\n/,
  ],
])('%s', (line, stdout) => {
  const found = Buffer.from(run(line).stdout, 'latin1').toString();
  if (typeof stdout === 'string') expect(found).toBe(stdout);
  else expect(found).toMatch(stdout);
});

test.each([
  ['useradd ann', "useradd: user 'ann' already exists\n", 9],
  ['useradd -u 1000 bob', 'useradd: UID 1000 is not unique\n', 4],
  ['useradd -G nope bob', "useradd: group 'nope' does not exist\n", 6],
  ['useradd sudo', 'useradd: group sudo exists - if you want to add this user to that group, use -g.\n', 9],
  ['userdel nope', "userdel: user 'nope' does not exist\n", 6],
  ['groupadd sudo', "groupadd: group 'sudo' already exists\n", 9],
  ['groupdel ann', "groupdel: cannot remove the primary group of user 'ann'\n", 8],
  ['usermod nope', "usermod: user 'nope' does not exist\n", 6],
  ['passwd nope', "passwd: user 'nope' does not exist\n", 1],
  [
    'passwd -u ann',
    'passwd: unlocking the password would result in a passwordless account.\nYou should set a password with usermod -p to unlock the password of this account.\n',
    3,
  ],
  [
    'echo nope:x | chpasswd',
    "chpasswd: line 1: user 'nope' does not exist\nchpasswd: error detected, changes ignored\n",
    1,
  ],
])('%s fails', (line, stderr, code) => expect(run(line)).toMatchObject({ stderr, code }));

test('these tools are root’s', () => {
  const stderr = 'useradd: Permission denied.\nuseradd: cannot lock /etc/passwd; try again later.\n';
  expect(run('useradd bob', 1000)).toMatchObject({ stderr, code: 1 });
});
