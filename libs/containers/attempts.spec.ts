import { describe, expect, test } from '@jest/globals';
import { FileTree } from '../engine/kernel/files/tree.js';
import { Machine } from '../engine/kernel/machine.js';
import { BOOT, containerOf } from '../engine/kernel/testing.js';
import { debianLayer, debianPackages, directory, file, joinLayers } from './layers/index.js';
import { programs } from './programs/index.js';

/** Virtual ms that an attempt may go on. */
const TIME = 60_000;
/** Real ms that it may cost, on a busy machine. */
const PATIENCE = 10_000;

const image = joinLayers(debianLayer(), debianPackages('jq', 'procps', 'gawk', 'iproute2'), { '/work': directory() });
const volume = { '/': directory(), '/outside': file('secret\n'), '/inside': directory(), '/inside/own': file('own\n') };

/** Runs a script beside a container's first process, and gives what it says and does; `running` when it goes on. */
function attempt(script: string): string {
  const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs });
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' };
  const limits = { memoryLimit: 64 << 20, processLimit: 100, cpuLimit: 1_000 };
  const tree = new FileTree('volume', volume);
  const mount = {
    path: '/vol',
    tree,
    subPath: '/inside',
    readOnly: false,
    source: '/dev/sda1',
    type: 'ext4',
    options: [],
  };
  const root = new FileTree('root', image);
  const fields = { argv: ['sleep', '1000000'], root, env, cwd: '/work', mounts: [mount], ...limits };
  machine.start(containerOf({}, fields), BOOT);
  const session = machine.exec('c1', { argv: ['bash', '-c', script], terminal: false, stdin: true }, BOOT + 1);
  machine.closeInput(session, BOOT + 1);
  const begin = performance.now();
  while (!machine.run(BOOT + TIME) && !machine.output(session).ended) {
    if (performance.now() - begin > PATIENCE) throw new Error('it takes too long');
  }
  expect(performance.now() - begin).toBeLessThan(PATIENCE);
  expect(machine.faults).toEqual([]);
  const { stdout, stderr, exit } = machine.output(session);
  const end = machine.container('c1').running ? '' : ' dead';
  return `${stdout}${stderr}${exit === undefined ? 'running' : `exit ${exit.code}`}${end}`;
}

/** A script, and what it says in its words: the cgroup's, the kernel's or the tool's. */
type Attempt = readonly [script: string, says: string];

const refuse = (attempts: readonly Attempt[]): void => {
  test.each(attempts)('%s', (script, says) => expect(attempt(script)).toContain(says));
};

describe('processes without end', () => {
  refuse([
    [':(){ :|:& };:; sleep 1; echo done', 'fork: Resource temporarily unavailable'],
    ['f(){ f | f & }; f; sleep 1; echo done', 'fork: Resource temporarily unavailable'],
    ['while :; do sleep 100 & done 2>&1 | head -1', 'fork: Resource temporarily unavailable'],
    ['for i in $(seq 1000); do sleep 1000 & done', 'Resource temporarily unavailable'],
    ['f() { f; }; f', 'maximum nesting depth exceeded'],
    ['f() { local x=$1; f $((x+1)); }; f 0', 'maximum nesting depth exceeded'],
    ['for i in $(seq 300); do (exit 1) & wait; done; echo reaped', 'reaped'],
    ['for i in $(seq 50); do sleep 1000 > /dev/null 2>&1 & done; disown -a; echo ok', 'ok'],
    ['printf "sh s4\\n" > s4; sh s4', 'Cannot fork'],
    ['printf "#!/bin/sh\\nexec ./s2\\n" > s2; chmod +x s2; timeout 1 ./s2; echo $?', '124'],
  ]);
});

describe('work without end', () => {
  refuse([
    ['timeout 2 yes > /dev/null; echo $?', '124'],
    ['yes | head -c 5000000 | wc -c', '5000000'],
    ['timeout 2 cat /dev/zero > /dev/null; echo $?', '124'],
    ['head -c 1000000000 /dev/zero | wc -c', 'running'],
    ["timeout 2 sh -c 'while :; do :; done'; echo $?", '124'],
    ["timeout 2 sh -c 'until false; do true; done'; echo $?", '124'],
    ["timeout 1 awk 'BEGIN { while (1) i++ }'; echo $?", '124'],
    ["timeout 2 sh -c 'mkfifo p; cat p'; echo $?", '124'],
    ['mkfifo p; timeout 2 cat < p > p; echo $?', '124'],
    ['timeout 2 sed ":a;ba" <<< x; echo $?', 'sed: the script does not end for this line'],
    ['yes | cat | cat | cat | cat | cat | cat | cat | head -1', 'y\nexit 0'],
    ['timeout 3 tee /dev/null < /dev/zero > /dev/null; echo $?', '124'],
    ['timeout 1 watch true > /dev/null; echo $?', '124'],
  ]);
});

describe('memory without end', () => {
  refuse([
    ['timeout 2 sort /dev/zero', 'sort: memory exhausted'],
    ['yes | timeout 20 sort | head -1', 'sort: memory exhausted'],
    ['yes | timeout 20 tac | head -1', 'tac: memory exhausted'],
    ['timeout 9 tail -f /dev/zero', 'exit 137'],
    ['awk \'BEGIN { x = "a"; while (1) x = x x }\'', 'awk: out of memory'],
    ["awk 'function f(n) { return f(n + 1) } BEGIN { f(0) }'", 'awk: function call nesting too deep'],
    ["jq -n '[range(1000000000)] | length'", 'jq: error: the program takes more steps than are simulated'],
    ["jq -n 'def f: f|f; f'", 'jq: error: the program nests deeper than is simulated'],
    ["yes '[' | head -100000 | jq .", 'jq: parse error: Exceeds depth limit for parsing'],
    ['dd if=/dev/zero of=/dev/null bs=1T count=1', 'dd: memory exhausted by input buffer of size 1099511627776 bytes'],
    ['grep x /dev/zero', 'exhausted'],
  ]);
});

describe('text that explodes', () => {
  const letters = "x=$(head -c 20000 /dev/zero | tr '\\0' a)";
  refuse([
    ['echo {1..1000000000} | head -c 20', 'failed to allocate memory for 1000000000 elements'],
    ['for i in {1..100000000}; do :; done; echo end', 'failed to allocate memory for 100000000 elements'],
    ['[[ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab =~ ^(a+)+$ ]]; echo $?', '1\nexit 0'],
    ["echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | grep -E '^(a+)+$'", 'exit 1'],
    ["echo aaaaaaaaaaaaaaaaaaaaaaaaaaab | sed -E 's/^(a|aa)+$/x/'", 'aaab\nexit 0'],
    [`${letters}; case $x in *a*a*a*a*a*a*a*a*b) echo y;; *) echo n;; esac`, 'n\n'],
    [`${letters}; echo \${x##*a*a*a*b} | wc -c`, '20001\n'],
    [`${letters}; echo \${x//a*a*a*b/y} | wc -c`, '20001\n'],
    [`${letters}; echo \${x%%a*a*b} | wc -c`, '20001\n'],
    ["shopt -s extglob; x=$(printf 'a%.0s' $(seq 500)); [[ $x == +(+(a))b ]]; echo $?", '1\n'],
    ['x=x; echo $((x))', 'expression recursion level exceeded'],
    ['a=b; b=a; echo $((a))', 'expression recursion level exceeded'],
    ['echo $((1/0))', 'division by 0'],
    ['echo $((9223372036854775807+1))', '-9223372036854775808\nexit 0'],
    ['echo $((-9223372036854775808 / -1))', '-9223372036854775808\nexit 0'],
    ['eval "$(for i in $(seq 1500); do printf \'if true; then \'; done)"', 'nesting depth exceeded'],
    ['eval "echo $(for i in $(seq 1000); do printf \'$(\'; done)"', 'unexpected EOF'],
    ['mkdir $(head -c 300 /dev/zero | tr "\\0" a)', 'File name too long'],
    ["touch $(printf 'a/%.0s' $(seq 3000))x", 'File name too long'],
    ['cd /work; mkdir -p a; for i in $(seq 50); do mkdir a/d$i; done; echo */*/*/*/*/*', '*/*/*/*/*/*\n'],
  ]);
});

describe('links and paths', () => {
  refuse([
    ['ln -s a b; ln -s b a; cat a', 'cat: a: Too many levels of symbolic links'],
    ['ln -s . loop; cat $(printf "loop/%.0s" $(seq 50))x', 'Too many levels of symbolic links'],
    ['ln -s .. up; find . -follow > /dev/null; echo end', 'end'],
    ['cat /vol/../outside', 'cat: /vol/../outside: No such file or directory'],
    ['cd /vol && cat ../outside', 'cat: ../outside: No such file or directory'],
    ['ln -s /outside /vol/e; cat /vol/e', 'cat: /vol/e: No such file or directory'],
    ['ln -s ../outside /vol/e; cat /vol/e', 'cat: /vol/e: No such file or directory'],
    ['cat /vol/../../../../outside', 'No such file or directory'],
    ['cat /proc/1/root/outside', 'No such file or directory'],
    ['cat /proc/1/cwd/../outside', 'No such file or directory'],
    ['tar cf /tmp/x.tar -P ../etc/passwd; tar xf /tmp/x.tar', "Member name contains '..'"],
    ['cat /proc/kcore', 'No such file or directory'],
    ['cat /dev/mem', 'No such file or directory'],
    ['cat /dev/sda', 'No such file or directory'],
    ['mknod /tmp/sda b 8 0 && cat /tmp/sda', 'cat: /tmp/sda: No such device or address'],
    ['cat /host/etc/passwd', 'No such file or directory'],
    ['ls /var/run/docker.sock', 'No such file or directory'],
  ]);
});

describe('the kernel', () => {
  refuse([
    ['echo 1 > /proc/sys/kernel/panic', '/proc/sys/kernel/panic: '],
    ['echo b > /proc/sysrq-trigger', '/proc/sysrq-trigger: '],
    ['echo max > /sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory.max: Read-only file system'],
    ['echo max > /sys/fs/cgroup/pids.max', 'Read-only file system'],
    ['echo x > /proc/1/cmdline; echo $?', '1\n'],
    ['rm -rf /proc/1', "rm: cannot remove '/proc/1/cmdline': Operation not permitted"],
    ['rm -rf /sys', 'Read-only file system'],
    ['mkdir /proc/x', "mkdir: cannot create directory '/proc/x': "],
    ['mount -t tmpfs tmpfs /mnt', 'permission denied'],
    ['mount -t proc proc /mnt', 'permission denied'],
    ['mount --bind /vol /mnt', 'permission denied'],
    ['umount /proc', 'umount: '],
    ['nsenter -t 1 -m -u -i -n -p sh -c id', 'nsenter: '],
    ['unshare -m true', 'exit 1'],
    ['sysctl -w kernel.hostname=x', 'sysctl: '],
    ['hostname evil', 'hostname: '],
    ["date -s '2030-01-01'", 'date: cannot set date: Operation not permitted'],
    ['ip link add dummy0 type dummy', 'Operation not permitted'],
    ['ip addr add 1.2.3.4/24 dev eth0', 'RTNETLINK answers: Operation not permitted'],
    ['reboot', 'exit 127'],
    ['kill -9 1; sleep 1; echo alive', 'alive'],
    ['kill -STOP 1; ps -o stat= -p 1', 'S'],
    ['kill -9 $$; echo never', 'exit 137'],
    ['renice -20 1', 'exit '],
  ]);
});

describe('space', () => {
  refuse([
    ['sort -S 1000G <(seq 10) | tail -1', '9\nexit 0'],
    ['shuf -i 1-1000000000000 -n 2 | wc -l', 'exit 0'],
    ['expr 9999999999999999999 + 1', 'exit '],
    ['sleep 99999999999999999999 & kill $!; echo $?', '0\nexit 0'],
    ['gzip -c /dev/zero | head -c 10 | wc -c', 'exit '],
    ['dd if=/dev/zero of=/work/big bs=1M count=1 seek=1000000000', 'dd: '],
    ['truncate -s 1P big', 'File too large'],
    ['ls $(seq 2000000) | tail -1', 'exit '],
    ['export BIG=$(head -c 3000000 /dev/zero | tr "\\0" a); ls', 'Argument list too long'],
    ['echo x > /dev/full', 'No space left on device'],
  ]);
});
