import { expect, test } from '@jest/globals';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../engine/kernel/machine.js';
import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { image } from '../../catalog/rabbitmq/image.js';
import { readPrograms } from '../../layers/index.js';
import { programs } from '../../programs/index.js';
import { BOOT, exchange, execute, get, runTo, startImage } from '../testing.js';

const TOOLS = readPrograms('/usr/bin amqp amqp-declare-queue amqp-publish amqp-consume amqp-get amqp-delete-queue');
const OTHER = "for queue 'jobs' in vhost '/': received 'false' but current is 'true'\nexit 1";
const LOGIN = 'Login was refused using authentication mechanism PLAIN. For details see the broker logfile.\nexit 1';
const NO_ACCESS = "access to vhost '/' refused for user 'ann'\nexit 1";
const filesOf = (tag = ''): ImageFiles => ({ ...(image.variant!(tag).files ?? {}), ...TOOLS });

function serve(root = new FileTree('root', filesOf()), env: Record<string, string> = {}): Machine {
  const machine = startImage(image, programs, { root, env: { ...image.config.env, ...env }, hostname: 'rabbit-0' });
  runTo(machine, BOOT + 8_000);
  return machine;
}

const run = (machine: Machine, script: string) => {
  const { stdout, stderr, code } = execute(machine, ['sh', '-c', script]);
  return code === 0 ? stdout + stderr : `${stdout}${stderr}exit ${code}`;
};

test('queues are declared, filled and emptied over AMQP, and shown by rabbitmqctl', () => {
  const machine = serve();
  const table: readonly (readonly [script: string, printed: string])[] = [
    ['rabbitmqctl list_queues', 'Timeout: 60.0 seconds ...\nListing queues for vhost / ...\n'],
    ['amqp-declare-queue --url=amqp://guest:guest@localhost:5672 -q jobs -d', 'jobs\n'],
    ['for f in one two three; do amqp-publish -r jobs -p -b $f || exit; done', ''],
    ['rabbitmqctl -q list_queues name messages durable', 'name\tmessages\tdurable\njobs\t3\ttrue\n'],
    ['amqp-consume -q jobs -c 1 cat && echo', 'one\n'],
    ['amqp-get -q jobs && echo', 'two\n'],
    ['amqp-consume -q jobs -c 1 false', ''],
    ['rabbitmqctl -q list_queues messages', 'messages\n1\n'],
    ['rabbitmqctl purge_queue jobs', "Purging queue 'jobs' in vhost '/' ...\n"],
    ['amqp-get -q jobs', 'exit 2'],
    [
      'amqp-get -q nothing',
      "get: server channel error 404, message: NOT_FOUND - no queue 'nothing' in vhost '/'\nexit 1",
    ],
    [
      'amqp-declare-queue -q jobs',
      `declare-queue: server channel error 406, message: PRECONDITION_FAILED - inequivalent arg 'durable' ${OTHER}`,
    ],
    ['amqp-delete-queue -q jobs', '0\n'],
  ];
  for (const [script, printed] of table) expect([script, run(machine, script)]).toEqual([script, printed]);
});

test('users are added and refused', () => {
  const machine = serve(undefined, { RABBITMQ_DEFAULT_USER: 'boss', RABBITMQ_DEFAULT_PASS: 'secret' });
  const refusal = `logging in to AMQP server: server connection error 403, message: ACCESS_REFUSED - ${LOGIN}`;
  const table: readonly (readonly [script: string, printed: string])[] = [
    ['amqp-declare-queue -q x', refusal],
    [
      'rabbitmqctl -q add_user ann pw && rabbitmqctl -q set_user_tags ann monitoring && rabbitmqctl -q list_users',
      'user\ttags\nboss\t[administrator]\nann\t[monitoring]\n',
    ],
    ['rabbitmqctl add_user ann pw', 'Adding user "ann" ...\nError:\nUser "ann" already exists\nexit 70'],
    [
      'amqp-declare-queue --url=amqp://ann:pw@localhost -q x',
      `logging in to AMQP server: server connection error 530, message: NOT_ALLOWED - ${NO_ACCESS}`,
    ],
    [
      "rabbitmqctl -q set_permissions -p / ann '.*' '.*' '.*' && amqp-declare-queue --url=amqp://ann:pw@localhost -q x",
      'x\n',
    ],
    ['rabbitmqctl frobnicate 2>/dev/null', 'exit 64'],
  ];
  for (const [script, printed] of table) expect([script, run(machine, script)]).toEqual([script, printed]);
});

test('durable queues and their persistent messages outlive a restart, others do not', () => {
  const root = new FileTree('root', filesOf());
  const first = serve(root);
  run(
    first,
    'amqp-declare-queue -q kept -d; amqp-declare-queue -q x; for o in "-p -b a" "-b b"; do amqp-publish -r kept $o; done',
  );
  runTo(first, first.now + 1_000);
  expect(run(serve(root), 'rabbitmqctl -q list_queues; amqp-get -q kept')).toBe('name\tmessages\nkept\t1\na');
});

test('the management image answers over HTTP, the plain one does not listen there', () => {
  const machine = serve(new FileTree('root', filesOf('4-management')));
  const login = `Authorization: Basic ${btoa('guest:guest')}\r\n`;
  const send = (method: string, path: string, body: string) =>
    exchange(
      machine,
      15_672,
      `${method} ${path} HTTP/1.0\r\nHost: x\r\n${login}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  expect(get(machine, 15_672, '/api/overview').status).toBe(401);
  expect(send('PUT', '/api/queues/%2F/web', '{"durable":true}')).toContain('201');
  expect(
    send('POST', '/api/exchanges/%2F/amq.default/publish', '{"routing_key":"web","payload":"hi","properties":{}}'),
  ).toContain('{"routed":true}');
  expect(JSON.parse(get(machine, 15_672, '/api/queues', login).body)).toMatchObject([
    { name: 'web', messages: 1, durable: true },
  ]);
  expect(send('POST', '/api/queues/%2F/web/get', '{"count":5,"ackmode":"ack_requeue_false"}')).toContain(
    '"payload":"hi"',
  );
  expect(get(machine, 15_672, '/api/bogus', login).status).toBe(404);
  expect(execute(machine, ['rabbitmq-diagnostics', '-q', 'check_port_connectivity']).code).toBe(0);
  expect(() => exchange(serve(), 15_672, 'GET / HTTP/1.0\r\n\r\n')).toThrow('Connection refused');
});

test('without a node its tools fail', () => {
  const machine = startImage(image, programs, { argv: ['sleep', '1000'], hostname: 'rabbit-0' });
  expect(run(machine, 'rabbitmqctl -q status')).toMatch(
    /^Error: unable to perform an operation on node 'rabbit@rabbit-0'\.[^]*exit 69$/,
  );
});
