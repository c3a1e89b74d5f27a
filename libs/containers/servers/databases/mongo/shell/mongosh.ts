import { bytesOf, textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { defineClient, type Calling } from '../../../client.js';
import { makeNonce, proveClient } from '../../scram.js';
import type { Document, Value } from '../data/value.js';
import { LATEST } from '../server/lines.js';
import { formatCommand, takeCommand } from '../wire/message.js';
import { fetchAll } from './cursor.js';
import { evaluate } from './evaluate.js';
import { printValue } from './inspect.js';
import { readOptions, type Options } from './options.js';
import { parseScript, SyntaxFailure, type Node } from './parse.js';
import { ScriptFailure, type Shell, type Thing } from './thing.js';

type Own = {
  options: Options;
  phase: 'hello' | 'sasl' | 'proof' | 'ready';
  bare: string;
  database: string;
  variables: Plain;
  /** Statements that wait for their turn; the first is under way, with what its commands were answered so far. */
  nodes: Plain[];
  answers: Plain[];
  /** Prints the result of each statement, not of the last of a script alone. */
  isReading: boolean;
  isAsking: boolean;
};
type Client = Calling<Own>;

const VERSION = '2.5.9';
const MAX_ANSWERS = 2_000;

/** Interrupts a statement until a command is answered. */
class AnswerNeeded extends Error {
  constructor(
    readonly database: string,
    readonly command: Document,
  ) {
    super('answer needed');
  }
}

const send = (client: Client, database: string, command: Document): void =>
  client.send(formatCommand(1, { ...command, $db: database }));
const binary = (bytes: Bytes): Value => ({ $binary: { bytes, subType: 0 } });

function turn(client: Client): void {
  const { own } = client;
  const taken = takeCommand(client.received);
  if (taken === 'bad') return fail(client, 'MongoNetworkError: connection closed');
  if (taken !== undefined) {
    client.received = client.received.slice(taken.length);
    takeAnswer(client, taken.document);
  }
  if (client.isEnded) return fail(client, 'MongoNetworkError: connection closed');
  if (own.phase === 'ready' && !own.isAsking) proceed(client);
}

function fail(client: Client, message: string): void {
  client.err(`${bytesOf(message)}\n`);
  client.exit(1);
}

const describe = ({ code, codeName, errmsg }: Document): string =>
  `MongoServerError${code === undefined ? '' : `[${String(codeName)}]`}: ${String(errmsg)}`;

function takeAnswer(client: Client, answer: Document): void {
  const { own } = client;
  const { options } = own;
  if (own.phase === 'ready') {
    own.isAsking = false;
    own.answers.push(answer as Plain);
    return;
  }
  if (answer['ok'] !== 1) return fail(client, describe(answer));
  const payload = (answer['payload'] as { $binary?: { bytes: string } } | undefined)?.$binary?.bytes ?? '';
  if (own.phase === 'hello' && options.user !== null) {
    const name = bytesOf(options.user.replaceAll('=', '=3D').replaceAll(',', '=2C'));
    own.bare = `n=${name},r=${makeNonce(() => client.sys.random())}`;
    own.phase = 'sasl';
    send(client, options.authDatabase, { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: binary(`n,,${own.bare}`) });
  } else if (own.phase === 'sasl') {
    own.phase = 'proof';
    const proof = proveClient(bytesOf(options.password), own.bare, payload);
    send(client, options.authDatabase, { saslContinue: 1, conversationId: 1, payload: binary(proof) });
  } else begin(client);
}

/** The connection stands, and the user is known. */
function begin(client: Client): void {
  const { own } = client;
  const { scripts, files, isQuiet, host, port, database } = own.options;
  own.phase = 'ready';
  const texts = [...scripts, ...files.map((file) => textOf(readSmallFile(client.sys, file)))];
  own.isReading = texts.length === 0;
  const missing = files.find((file) => !client.sys.access(file, 'r'));
  if (missing !== undefined) return fail(client, `Error: ENOENT: no such file or directory, open '${missing}'`);
  if (!own.isReading) return queue(client, texts.join('\n'));
  if (!isQuiet) {
    const target = `mongodb://${host}:${port}/${database === 'test' ? '' : database}?directConnection=true`;
    const server = client.sys.env['MONGO_VERSION'] ?? LATEST;
    client.out(`Connecting to:\t\t${target}\nUsing MongoDB:\t\t${server}\nUsing Mongosh:\t\t${VERSION}\n\n`);
  }
  prompt(client);
}

function prompt(client: Client): void {
  if (client.own.isReading) client.out(`${bytesOf(client.own.database)}> `);
}

/** Reads statements; false: they are not understood. */
function queue(client: Client, text: string): void {
  try {
    client.own.nodes.push(...(parseScript(text) as unknown as Plain[]));
  } catch (error) {
    explain(client, error);
  }
}

function explain(client: Client, error: unknown): void {
  if (!(error instanceof SyntaxFailure) && !(error instanceof ScriptFailure)) throw error;
  const message = error instanceof SyntaxFailure ? `SyntaxError: ${error.message}` : error.message;
  client.err(`${bytesOf(message)}\n`);
  client.own.nodes = [];
  if (!client.own.isReading) client.exit(1);
}

function proceed(client: Client): void {
  const { own } = client;
  for (;;) {
    if (own.nodes.length > 0) {
      if (!runNode(client, own.nodes[0] as unknown as Node)) return;
      if (own.nodes.length === 0) prompt(client);
      continue;
    }
    if (!own.isReading) return client.exit(0);
    const line = client.line();
    if (line === undefined) return;
    if (line === null) return client.exit(0);
    queue(client, textOf(line));
    if (own.nodes.length === 0) prompt(client);
  }
}

/** Runs a statement from its beginning, with the answers that are there. False: it waits for another one. */
function runNode(client: Client, node: Node): boolean {
  const { own } = client;
  let [asked, printed, code] = [0, '', null as number | null];
  const shell: Shell = {
    ...{ sys: client.sys, variables: { ...(own.variables as Record<string, Value>) }, database: own.database },
    ask(database, command) {
      if (own.answers.length > MAX_ANSWERS) throw new ScriptFailure('Error: too many commands');
      const answer = own.answers[asked++] as Document | undefined;
      if (answer === undefined) throw new AnswerNeeded(database, command);
      if (answer['ok'] !== 1) throw new ScriptFailure(describe(answer));
      return answer;
    },
    print: (text) => (printed += text),
    exit: (given) => (code = given),
  };
  try {
    const result = evaluate(shell, node);
    const shown = own.isReading || own.nodes.length === 1 ? show(shell, result) : '';
    client.out(bytesOf(printed + shown));
    Object.assign(own, { variables: shell.variables, database: shell.database, answers: [] });
    own.nodes.shift();
  } catch (error) {
    if (error instanceof AnswerNeeded) {
      own.isAsking = true;
      send(client, error.database, error.command);
      return false;
    }
    own.answers = [];
    client.out(bytesOf(printed));
    explain(client, error);
  }
  if (code !== null) client.exit(code);
  return code === null;
}

/** What is printed of a statement's result. */
function show(shell: Shell, result: Thing): string {
  if (result.kind === 'nothing') return '';
  if (result.kind === 'value') return `${printValue(result.value)}\n`;
  if (result.kind === 'database') return `${result.name}\n`;
  if (result.kind === 'collection') return `${result.database}.${result.name}\n`;
  if (result.kind !== 'cursor') return `[${result.kind}]\n`;
  const documents = fetchAll(shell, result);
  const more = documents.length > 20 ? 'Type "it" for more\n' : '';
  return documents.length === 0 ? '\n' : `${printValue(documents.slice(0, 20))}\n${more}`;
}

/** `mongosh`. Left out: functions, loops and operators of JavaScript, which it refuses as what it does not know. */
export const mongosh = defineClient<Own>({
  start(argv, _sys, print) {
    if (argv[1] === '--version') {
      print.out(`${VERSION}\n`);
      return 0;
    }
    const options = readOptions(argv);
    if (options.problem !== '') {
      print.err(`${options.problem}\n`);
      return 1;
    }
    const { host, port, database } = options;
    return {
      own: {
        ...{ options, phase: 'hello', bare: '', database, variables: {}, nodes: [], answers: [] },
        ...{ isReading: false, isAsking: false },
      },
      ...{ host, port },
    };
  },
  begin: (client) => send(client, 'admin', { hello: 1 }),
  turn,
  refused(client, why, host, port) {
    const address = host === 'localhost' ? '127.0.0.1' : host;
    if (why === 'UNKNOWN_HOST') fail(client, `MongoNetworkError: getaddrinfo ENOTFOUND ${host}`);
    else fail(client, `MongoNetworkError: connect ${why === 'TIMEOUT' ? 'ETIMEDOUT' : why} ${address}:${port}`);
  },
});
