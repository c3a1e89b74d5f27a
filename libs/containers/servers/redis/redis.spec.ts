import { describe, expect, test } from '@jest/globals';
import type { Machine } from '../../../engine/kernel/machine.js';
import { BOOT, exchange, execute, file, logOf, runTo, serverFiles, startServer } from '../testing.js';

const FILES = serverFiles(
  {
    '/usr/local/bin/redis-server': 'redis:redis-server',
    '/usr/local/bin/redis-cli': 'redis:redis-cli',
    '/usr/local/bin/docker-entrypoint.sh': 'redis:entrypoint',
  },
  {
    '/redis-master/redis.conf': file('maxmemory 2mb\nmaxmemory-policy allkeys-lru\n'),
    '/secret.conf': file('requirepass "s3 cret"\n'),
    '/more.conf': file('dir /tmp\nrename-command FLUSHALL ""\nrename-command GET fetch\ninclude /secret.conf\n'),
    '/wrong.conf': file('include /bad.conf\n'),
    '/bad.conf': file('port 6379\nno-such yes\n'),
    '/data': { type: 'directory', mode: 0o755, user: 0, group: 0, modified: BOOT },
  },
);
const PATH = { PATH: '/usr/local/bin:/bin' };
function serve(...argv: string[]): Machine {
  const { machine } = startServer(FILES, argv.length > 0 ? argv : ['docker-entrypoint.sh', 'redis-server'], {
    ...{ env: PATH, cwd: '/data' },
  });
  runTo(machine, BOOT + 1_000);
  return machine;
}
const cli = (machine: Machine, ...args: string[]) => execute(machine, ['redis-cli', ...args]);

const NO_STREAM =
  'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.';
const IN_GROUP = 'in XREADGROUP with GROUP option';
const GROUP = ['XADD s 1-1 n 1', 'XADD s 2-1 n 2', 'XGROUP CREATE s g 0'];
const ENTRY = '1) 1) "s"\n   2) 1) 1) "1-1"\n         2) 1) "n"\n            2) "1"\n';
const TOP = 'the target stream top item';

/** Commands of one connection, and what the last one answers. */
test.each([
  [['SET a 1', 'GET a'], '"1"\n'],
  [['SET a 1 NX', 'SET a 2 NX'], '(nil)\n'],
  [['SET a 2 XX'], '(nil)\n'],
  [['SET a 1 EX 0'], "(error) ERR invalid expire time in 'set' command\n"],
  [['SET a 1 EX 100', 'TTL a'], '(integer) 100\n'],
  [['SET a 1 PX 100 NX', 'PTTL a'], '(integer) 100\n'],
  [['SET a 1', 'EXPIRE a 10', 'PERSIST a', 'TTL a'], '(integer) -1\n'],
  [['TTL none'], '(integer) -2\n'],
  [['MULTI', 'INCR n', 'INCRBY n 2', 'EXEC'], '1) (integer) 1\n2) (integer) 3\n'],
  [['MULTI', 'INCR n', 'DISCARD', 'GET n'], '(nil)\n'],
  [['MULTI', 'GET', 'EXEC'], '(error) EXECABORT Transaction discarded because of previous errors.\n'],
  [['SET n x', 'MULTI', 'INCR n', 'SET m 1', 'EXEC', 'GET m'], '"1"\n'],
  [['WATCH n', 'SET n 1', 'MULTI', 'GET n', 'EXEC'], '(nil)\n'],
  [['WATCH n', 'UNWATCH', 'SET n 1', 'MULTI', 'GET n', 'EXEC'], '1) "1"\n'],
  [['EXEC'], '(error) ERR EXEC without MULTI\n'],
  [['MULTI', 'MULTI'], '(error) ERR MULTI calls can not be nested\n'],
  [['XADD s 1-1 a 1', 'XADD s 2-* b 2', 'XLEN s'], '(integer) 2\n'],
  [['XADD s 1-1 a 1', 'XADD s 5 b 2', 'XRANGE s (1-1 +'], '1) 1) "5-0"\n   2) 1) "b"\n      2) "2"\n'],
  [['XADD s 1-1 a 1', 'XADD s 5 b 2', 'XREVRANGE s + - COUNT 1'], '1) 1) "5-0"\n   2) 1) "b"\n      2) "2"\n'],
  [['XADD s 2-0 a 1', 'XADD s 1-0 a 1'], `(error) ERR The ID specified in XADD is equal or smaller than ${TOP}\n`],
  [['XADD s 1-1 a 1', 'XREAD COUNT 2 STREAMS s 1-1'], '(nil)\n'],
  [['XADD s 1-1 a 1', 'XREAD STREAMS s 0'], '1) 1) "s"\n   2) 1) 1) "1-1"\n         2) 1) "a"\n            2) "1"\n'],
  [['XREAD BLOCK 100 STREAMS s $'], '(nil)\n'],
  [['XGROUP CREATE s g $'], `(error) ${NO_STREAM}\n`],
  [['XGROUP CREATE s g $ MKSTREAM', 'XGROUP CREATE s g 0'], '(error) BUSYGROUP Consumer Group name already exists\n'],
  [[...GROUP, 'XREADGROUP GROUP g a COUNT 1 STREAMS s >'], ENTRY],
  [[...GROUP, 'XREADGROUP GROUP g a COUNT 1 STREAMS s >', 'XREADGROUP GROUP g a STREAMS s 0'], ENTRY],
  [[...GROUP, 'XREADGROUP GROUP g a STREAMS s >', 'XREADGROUP GROUP g b STREAMS s >'], '(nil)\n'],
  [[...GROUP, 'XREADGROUP GROUP g a STREAMS s >', 'XACK s g 1-1 9-9'], '(integer) 1\n'],
  [
    [...GROUP, 'XREADGROUP GROUP g a STREAMS s >', 'XPENDING s g'],
    '1) (integer) 2\n2) "1-1"\n3) "2-1"\n4) 1) 1) "a"\n      2) "2"\n',
  ],
  [[...GROUP, 'XREADGROUP GROUP g a STREAMS s >', 'XCLAIM s g b 0 1-1 JUSTID'], '1) "1-1"\n'],
  [[...GROUP, 'XGROUP DESTROY s g', 'XACK s g 1-1'], '(integer) 0\n'],
  [['XREADGROUP GROUP g a STREAMS s >'], `(error) NOGROUP No such key 's' or consumer group 'g' ${IN_GROUP}\n`],
  [['HELLO 4'], '(error) NOPROTO unsupported protocol version\n'],
  [['ROLE'], '1) "master"\n2) (integer) 0\n3) (empty array)\n'],
  [['SET a 1', 'WAIT 0 100'], '(integer) 0\n'],
  [['WAIT 1 100'], '(integer) 0\n'],
  [['REPLICAOF no one', 'SET a 1'], 'OK\n'],
  [['REPLICAOF localhost 1', 'SET a 1'], "(error) READONLY You can't write against a read only replica.\n"],
  [['XADD s 1 a 1', 'XADD s MAXLEN 1 2 a 1', 'XDEL s 2', 'TYPE s'], 'stream\n'],
  [['SET s 1', 'XADD s * a 1'], '(error) WRONGTYPE Operation against a key holding the wrong kind of value\n'],
  [['INCR n', 'INCRBY n 41'], '(integer) 42\n'],
  [['SET n 9223372036854775807', 'INCR n'], '(error) ERR increment or decrement would overflow\n'],
  [['SET n x', 'INCR n'], '(error) ERR value is not an integer or out of range\n'],
  [['APPEND s ab', 'APPEND s cd'], '(integer) 4\n'],
  [['MSET a 1 b 2', 'MGET a none b'], '1) "1"\n2) (nil)\n3) "2"\n'],
  [['GETSET a 1', 'GETSET a 2'], '"1"\n'],
  [['SET __proto__ 1', 'KEYS *'], '1) "__proto__"\n'],
  [['MSET one 1 two 2', 'KEYS t[a-z]?'], '1) "two"\n'],
  [['MSET one 1 two 2', 'SCAN 0 MATCH o*'], '1) "0"\n2) 1) "one"\n'],
  [['RENAME a b'], '(error) ERR no such key\n'],
  [['LPUSH l a b c', 'LRANGE l 0 -1'], '1) "c"\n2) "b"\n3) "a"\n'],
  [['RPUSH l a', 'LPOP l', 'EXISTS l'], '(integer) 0\n'],
  [['RPUSH l a', 'GET l'], '(error) WRONGTYPE Operation against a key holding the wrong kind of value\n'],
  [['BRPOP l 1'], '(nil)\n'],
  [['HSET h f 1 g 2', 'HGETALL h'], '1) "f"\n2) "1"\n3) "g"\n4) "2"\n'],
  [['HSET h f'], "(error) ERR wrong number of arguments for 'hset' command\n"],
  [['SADD s a b a', 'SCARD s'], '(integer) 2\n'],
  [['ZADD z 2 b 1 a', 'ZRANGE z 0 -1 WITHSCORES'], '1) "a"\n2) "1"\n3) "b"\n4) "2"\n'],
  [['ZADD z 1 a', 'ZINCRBY z 1.5 a'], '"2.5"\n'],
  [['ZADD z x a'], '(error) ERR value is not a valid float\n'],
  [['SET a 1', 'SELECT 1', 'GET a'], '(nil)\n'],
  [['SELECT 16'], '(error) ERR DB index is out of range\n'],
  [['SET a 1', 'FLUSHALL', 'DBSIZE'], '(integer) 0\n'],
  [['SET a "x\\n\\xff"', 'GET a'], '"x\\n\\xff"\n'],
  [['KEYS *'], '(empty array)\n'],
  [['PING'], 'PONG\n'],
  [['foo bar baz'], "(error) ERR unknown command 'foo', with args beginning with: 'bar' 'baz' \n"],
  [['GET'], "(error) ERR wrong number of arguments for 'get' command\n"],
  [['AUTH x'], /^\(error\) ERR AUTH <password> called without any password/],
  [['CONFIG SET maxmemory 1mb', 'CONFIG GET maxmemory'], '1) "maxmemory"\n2) "1048576"\n'],
])('%j', (commands, expected) => {
  const machine = serve();
  const session = machine.exec('c1', { argv: ['redis-cli', '--no-raw'], stdin: true, terminal: false }, machine.now);
  machine.input(session, `${commands.join('\n')}\n`, machine.now);
  machine.closeInput(session, machine.now);
  runTo(machine, machine.now + 5_000);
  const { stdout, exit } = machine.output(session);
  expect(exit?.code).toBe(0);
  if (typeof expected === 'string') expect(stdout.endsWith(expected)).toBe(true);
  else expect(stdout).toMatch(expected);
});

test.each([
  [['SET', 'a', 'x y'], { stdout: 'OK\n', stderr: '', code: 0 }],
  [['GET', 'none'], { stdout: '\n', stderr: '', code: 0 }],
  [['foo'], { stdout: "ERR unknown command 'foo', with args beginning with: \n\n", stderr: '', code: 0 }],
  [['-e', 'foo'], { code: 1 }],
  [['-p', '7000', 'PING'], { stderr: 'Could not connect to Redis at 127.0.0.1:7000: Connection refused\n', code: 1 }],
  [['-h', 'r', 'PING'], { stderr: 'Could not connect to Redis at r:6379: Name or service not known\n', code: 1 }],
  [['--nope'], { stderr: "Unrecognized option or bad number of args for: '--nope'\n", code: 1 }],
])('redis-cli %j', (args, expected) => {
  expect(cli(serve(), ...args)).toMatchObject(expected);
});

test('the server says that it is ready', () => {
  const lines = logOf(serve(), 'stdout').trimEnd().split('\n');
  expect(lines).toHaveLength(8);
  expect(lines.at(-1)).toBe('1:M 22 Nov 2026 00:00:00.000 * Ready to accept connections tcp');
});

test('a mounted file is its configuration', () => {
  const machine = serve('redis-server', '/redis-master/redis.conf');
  expect(cli(machine, 'CONFIG', 'GET', 'maxmemory*').stdout).toBe(
    'maxmemory\n2097152\nmaxmemory-policy\nallkeys-lru\nmaxmemory-samples\n5\n',
  );
});

test.each([
  [['/no.conf'], /Fatal error, can't open config file '\/no.conf': No such file or directory/],
  [['/bad.conf'], /at line 2\n>>> 'no-such yes'\nBad directive or wrong number of arguments/],
  [['--port', 'x'], /argument couldn't be parsed into an integer/],
])('redis-server %j ends with 1', (args, stderr) => {
  const machine = serve('redis-server', ...args);
  expect(machine.container('c1').exit).toMatchObject({ code: 1 });
  expect(logOf(machine, 'stderr')).toMatch(stderr);
});

test('a password', () => {
  const machine = serve('redis-server', '/secret.conf');
  expect(cli(machine, 'PING').stdout).toBe('NOAUTH Authentication required.\n\n');
  expect(cli(machine, '-a', 's3 cret', '--no-auth-warning', 'PING')).toMatchObject({ stdout: 'PONG\n', stderr: '' });
});

test('a key ends', () => {
  const machine = serve();
  cli(machine, 'SETEX', 'a', '5', 'x');
  runTo(machine, machine.now + 6_000);
  expect(cli(machine, 'EXISTS', 'a').stdout).toBe('0\n');
});

test('BLPOP waits for a push of another client', () => {
  const machine = serve();
  const waiting = machine.exec(
    'c1',
    { argv: ['redis-cli', 'BLPOP', 'l', '0'], stdin: false, terminal: false },
    machine.now,
  );
  runTo(machine, machine.now + 1_000);
  expect(machine.output(waiting).stdout).toBe('');
  expect(cli(machine, 'RPUSH', 'l', 'x').stdout).toBe('1\n');
  expect(machine.output(waiting)).toMatchObject({ stdout: 'l\nx\n', exit: { code: 0 } });
});

test('a message comes to subscribers', () => {
  const machine = serve();
  const waiting = machine.exec(
    'c1',
    { argv: ['redis-cli', 'SUBSCRIBE', 'news'], stdin: false, terminal: false },
    machine.now,
  );
  runTo(machine, machine.now + 1_000);
  expect(cli(machine, 'PUBLISH', 'news', 'hi').stdout).toBe('1\n');
  expect(machine.output(waiting).stdout).toBe('subscribe\nnews\n1\nmessage\nnews\nhi\n');
});

test('data is saved at SIGTERM and loaded again', () => {
  const { machine, root } = startServer(FILES, ['redis-server'], { env: PATH, cwd: '/data' });
  runTo(machine, BOOT + 1_000);
  cli(machine, 'SET', 'a', 'kept');
  machine.signal('c1', 'TERM', machine.now);
  runTo(machine, machine.now + 1_000);
  expect(machine.container('c1').exit).toMatchObject({ code: 0 });
  const again = startServer(FILES, ['redis-server'], { env: PATH, cwd: '/data', root }).machine;
  runTo(again, BOOT + 1_000);
  expect(cli(again, 'GET', 'a').stdout).toBe('kept\n');
});

test('writes fail when memory is full, until something is removed', () => {
  const machine = serve('redis-server', '--maxmemory', '1mb');
  const value = 'x'.repeat(50_000);
  const replies = Array.from({ length: 25 }, (_, i) =>
    exchange(machine, 6379, `SET k${i} ${value}\r\n`, machine.now, 10),
  );
  expect(replies[0]).toBe('+OK\r\n');
  expect(replies.at(-1)).toBe("-OOM command not allowed when used memory > 'maxmemory'.\r\n");
  expect(exchange(machine, 6379, 'DEL k0 k1 k2\r\nSET a 1\r\n')).toBe(':3\r\n+OK\r\n');
});

test.each([
  ['*1\r\n$4\r\nPING\r\n', '+PONG\r\n'],
  ['PING\r\nECHO "a b"\r\n', '+PONG\r\n$3\r\na b\r\n'],
  ['*1\r\nPING\r\n', "-ERR Protocol error: expected '$', got 'P'\r\n"],
  ['*x\r\n', '-ERR Protocol error: invalid multibulk length\r\n'],
  ['PING\r\n'.repeat(500), '+PONG\r\n'.repeat(500)],
])('bytes %j', (bytes, expected) => {
  expect(exchange(serve(), 6379, bytes)).toBe(expected);
});

test('clients of RESP3 get maps and one null', () => {
  const said = exchange(serve(), 6379, 'HELLO 3\r\nGET none\r\nHSET h a 1\r\nHGETALL h\r\n');
  expect(said).toMatch(/^%7\r\n\$6\r\nserver\r\n\$5\r\nredis\r\n/);
  expect(said).toMatch(/_\r\n:1\r\n%1\r\n\$1\r\na\r\n\$1\r\n1\r\n$/);
});

describe('replicas', () => {
  const replicate = (): Machine => {
    const machine = serve('sh', '-c', 'redis-server --port 6379 & redis-server --port 6380 --replicaof localhost 6379');
    runTo(machine, BOOT + 10_000);
    return machine;
  };

  test('have what their master has had and gets, and refuse writes', () => {
    const machine = replicate();
    cli(machine, 'SET', 'a', '1');
    expect(cli(machine, '-p', '6380', 'GET', 'a').stdout).toBe('1\n');
    expect(cli(machine, '-p', '6380', 'SET', 'a', '2').stdout).toContain('READONLY');
    expect(cli(machine, 'WAIT', '1', '0').stdout).toBe('1\n');
    const master = cli(machine, 'INFO', 'replication').stdout;
    expect(master).toMatch(
      /role:master\r\nconnected_slaves:1\r\nslave0:ip=127.0.0.1,port=6380,state=online,offset=\d+/,
    );
    const replica = cli(machine, '-p', '6380', 'INFO', 'replication').stdout;
    expect(replica).toMatch(/role:slave\r\nmaster_host:localhost\r\nmaster_port:6379\r\nmaster_link_status:up/);
    const offset = (text: string) => /master_repl_offset:(\d+)/.exec(text)?.[1];
    expect(offset(replica)).toBe(offset(master));
    expect(logOf(machine, 'stdout')).toContain('MASTER <-> REPLICA sync: Finished with success');
  });

  test('draw and count as their master has', () => {
    const machine = replicate();
    for (const command of ['SADD s a b c d e', 'SPOP s 2', 'XADD x * a 1', 'SET t 1 EX 100'])
      cli(machine, ...command.split(' '));
    for (const command of ['SMEMBERS s', 'XRANGE x - +', 'PEXPIRETIME t'])
      expect(cli(machine, '-p', '6380', ...command.split(' '))).toEqual(cli(machine, ...command.split(' ')));
  });

  test('wait for a master that is not there, and become one when they are told to', () => {
    const machine = serve('redis-server', '--replicaof', 'localhost', '7000');
    expect(logOf(machine, 'stdout')).toContain('Error condition on socket for SYNC: Connection refused');
    expect(cli(machine, 'INFO', 'replication').stdout).toContain('master_link_status:down');
    expect(cli(machine, 'REPLICAOF', 'NO', 'ONE').stdout).toBe('OK\n');
    expect(cli(machine, 'SET', 'a', '1').stdout).toBe('OK\n');
    expect(machine.nextWake()).toBeGreaterThan(machine.now + 3_000_000);
  });

  test("need their master's password", () => {
    const start = (secret: string) => {
      const master = 'redis-server --requirepass s & ';
      const machine = serve('sh', '-c', `${master}redis-server --port 6380 --replicaof localhost 6379 ${secret}`);
      runTo(machine, BOOT + 10_000);
      return cli(machine, '-p', '6380', 'INFO', 'replication').stdout;
    };
    expect(start('--masterauth s')).toContain('master_link_status:up');
    expect(start('')).toContain('master_link_status:down');
  });
});

test('an append-only file has what no snapshot has', () => {
  const script = 'redis-server --appendonly yes --save "" & sleep 5; kill -9 $!; redis-server --appendonly yes';
  const machine = serve('sh', '-c', script);
  cli(machine, 'INCRBY', 'n', '41');
  cli(machine, 'INCR', 'n');
  runTo(machine, BOOT + 60_000);
  expect(cli(machine, 'GET', 'n').stdout).toBe('42\n');
  expect(execute(machine, ['ls', '/data/appendonlydir']).stdout).toBe(
    'appendonly.aof.1.base.rdb\nappendonly.aof.1.incr.aof\nappendonly.aof.manifest\n',
  );
  expect(logOf(machine, 'stdout')).toContain('DB loaded from append only file');
});

test('files include others, and commands have other names or none', () => {
  const machine = serve('redis-server', '--port', '6379', '--include', '/more.conf');
  const ask = (...words: string[]) => cli(machine, '-a', 's3 cret', '--no-auth-warning', ...words).stdout;
  expect(ask('CONFIG', 'GET', 'dir')).toBe('dir\n/tmp\n');
  expect(ask('FLUSHALL')).toContain("ERR unknown command 'FLUSHALL'");
  expect(ask('GET', 'a')).toContain("ERR unknown command 'GET'");
  expect(ask('fetch', 'a')).toBe('\n');
});

test.each([
  ['/nowhere.conf', "Fatal error, can't open config file '/nowhere.conf': No such file or directory\n"],
  ['/wrong.conf', "at line 2\n>>> 'no-such yes'\nBad directive or wrong number of arguments\n"],
])('a server that includes %s does not start', (path, words) => {
  const machine = serve('redis-server', '--include', path);
  expect(logOf(machine, 'stderr')).toContain(words);
  expect(machine.container('c1').exit?.code).toBe(1);
});

test('what was kept is read between the words of a start', () => {
  const log = logOf(serve('redis-server', '--appendonly', 'yes', '--dir', '/data'), 'stdout');
  expect(log).toMatch(/Server initialized\n[^]*Ready to accept connections tcp\n$/);
});
