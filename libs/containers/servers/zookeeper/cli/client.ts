import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Program } from '../../../../engine/kernel/process/program.js';
import { defineClient, type Calling } from '../../client.js';
import { frame, int, long, OPERATION, Record, takeFrame, text } from '../wire.js';
import { HELP, readCommand, type Command } from './commands.js';
import { explainError, formatAnswer } from './print.js';

type Own = {
  server: Bytes;
  /** The command of the command line; none: it reads commands. */
  words: Bytes[];
  isOld: boolean;
  phase: 'connecting' | 'ready' | 'asking' | 'closing';
  command: Command | null;
  count: number;
  code: number;
};
type Client = Calling<Own>;

const SESSION_MS = 30_000;
const MAX_LINE_WORDS = 100;
function turn(client: Client): void {
  const { own } = client;
  for (let taken = takeFrame(client.received); taken !== undefined; taken = takeFrame(client.received)) {
    if (taken === 'bad') return client.exit(1);
    client.received = client.received.slice(taken.length);
    takeAnswer(client, taken.body);
  }
  if (client.isEnded && own.phase !== 'closing') return loseConnection(client);
  if (client.isEnded) return client.exit(own.code);
  if (own.phase === 'ready') nextCommand(client);
}

function takeAnswer(client: Client, body: Bytes): void {
  const { own } = client;
  if (own.phase === 'connecting') {
    own.phase = 'ready';
    client.out('\nWATCHER::\n\nWatchedEvent state:SyncConnected type:None path:null\n');
    return prompt(client);
  }
  const record = new Record(body);
  const error = (record.int(), record.long(), record.int());
  if (own.phase === 'closing') return client.exit(own.code);
  const { command } = own;
  if (command === null) return;
  own.phase = 'ready';
  if (error === 0) client.out(formatAnswer(command, body.slice(16)));
  else {
    client.err(explainError(error, command));
    if (!own.isOld) own.code = 1;
  }
  if (own.words.length > 0) return close(client);
  prompt(client);
}

function prompt(client: Client): void {
  const { own } = client;
  if (own.words.length === 0) client.out(`[zk: ${own.server}(CONNECTED) ${own.count++}] `);
}

function nextCommand(client: Client): void {
  const { own } = client;
  if (own.words.length > 0) return run(client, own.words);
  for (let line = client.line(); line !== undefined; line = client.line()) {
    if (line === null) return close(client);
    const words = line.split(' ').filter(Boolean).slice(0, MAX_LINE_WORDS);
    if (words.length > 0) run(client, words);
    else prompt(client);
    if (own.phase !== 'ready') return;
  }
}

function run(client: Client, words: readonly Bytes[]): void {
  const { own } = client;
  const [name] = words;
  const isOne = own.words.length > 0;
  if (name === 'quit' || name === 'close') return close(client);
  const command = name === 'help' ? HELP : readCommand(words, own.isOld);
  if (typeof command === 'string') {
    (name === 'help' ? client.out : client.err).call(client, command);
    if (name !== 'help' && !own.isOld) own.code = 1;
    return isOne ? close(client) : prompt(client);
  }
  own.command = command;
  own.phase = 'asking';
  client.send(frame(int(1) + int(command.type) + command.body));
}

function close(client: Client): void {
  client.own.phase = 'closing';
  client.send(frame(int(1) + int(OPERATION.close)));
}

function loseConnection(client: Client): void {
  const path = client.own.command?.path ?? client.own.words.find((word) => word.startsWith('/')) ?? '/';
  client.err(
    'Exception in thread "main" org.apache.zookeeper.KeeperException$ConnectionLossException: ' +
      `KeeperErrorCode = ConnectionLoss for ${path}\n`,
  );
  client.exit(1);
}

/**
 * `zkCli.sh [-server HOST:PORT] [COMMAND …]`, as of version 3.4 or later ones. Left out: watches, quotas, lists of
 * access, reconfiguration.
 */
export const makeCli = (isOld: boolean): Program =>
  defineClient<Own>({
    start(argv, _sys, print) {
      const at = argv[1] === '-server' ? 3 : 1;
      const server = (at === 3 ? argv[2] : undefined) ?? 'localhost:2181';
      const [host = 'localhost', port = '2181'] = server.split(',', 1)[0]!.split('/', 1)[0]!.split(':');
      const words = argv.slice(at);
      if (words[0]?.startsWith('-')) {
        print.err(`zkCli.sh: ${words[0]} is not simulated\n`);
        return 1;
      }
      print.out(`Connecting to ${server}\n`);
      if (words.length === 0) print.out('Welcome to ZooKeeper!\nJLine support is disabled\n');
      return {
        own: { server, words, isOld, phase: 'connecting', command: null, count: 0, code: 0 },
        ...{ host, port: Number(port) },
      };
    },
    begin(client) {
      client.send(frame(int(0) + long(0) + int(SESSION_MS) + long(0) + text('\0'.repeat(16)) + '\0'));
    },
    turn,
    refused: loseConnection,
  });
