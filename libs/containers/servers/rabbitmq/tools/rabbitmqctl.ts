import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineClient, type Calling } from '../../client.js';
import type { Question, Told } from '../broker/control.js';
import { COLUMNS, COMMANDS, explainUnreachable } from './commands.js';
import { format, type Asked } from './print.js';

type Own = Asked & { tool: string; args: Bytes[]; host: Bytes };
type Client = Calling<Own>;

const CONTROL_PORT = 25_672;
const [USAGE, UNAVAILABLE] = [64, 69];
const nodeOf = ({ sys }: Pick<Client, 'sys'>): string => `rabbit@${sys.hostname.split('.', 1)[0]}`;

function turn(client: Client): void {
  const { own } = client;
  if (!client.received.endsWith('\n')) return;
  const { rows = [], error, code } = JSON.parse(client.received) as Told;
  if (error !== undefined) {
    client.err(`Error:\n${error}\n`);
    return client.exit(code ?? 70);
  }
  client.out(format(own, nodeOf(client), rows));
  client.exit(0);
}

/** `rabbitmqctl` and `rabbitmq-diagnostics`. */
export const rabbitmqctl = defineClient<Own>({
  start(argv, sys, print) {
    const tool = argv[0]!.slice(argv[0]!.lastIndexOf('/') + 1);
    const own: Own = { tool, command: '', args: [], host: '/', columns: [], isQuiet: false, hasHeaders: true };
    for (let at = 1; at < argv.length; at++) {
      const word = argv[at]!;
      if (word === '-q' || word === '--quiet') own.isQuiet = true;
      else if (word === '-s' || word === '--silent') [own.isQuiet, own.hasHeaders] = [true, false];
      else if (word === '--no-table-headers') own.hasHeaders = false;
      else if (word === '-p' || word === '--vhost') own.host = argv[++at] ?? '/';
      else if (word === '-n' || word === '--node' || word === '-t' || word === '--timeout') at++;
      else if (word.startsWith('-')) {
        print.err(`Error (argument validation): Invalid options for this command:\n${word} is not simulated\n`);
        return USAGE;
      } else if (own.command === '') own.command = word;
      else own.args.push(word);
    }
    const known = Object.hasOwn(COMMANDS, own.command) ? COMMANDS[own.command] : undefined;
    if (known === undefined || own.args.length < known[0]) {
      const problem = known
        ? `Error (argument validation): not enough arguments.`
        : `Command '${own.command}' not found, or not simulated.`;
      print.err(`${problem}\nUsage\n\n${tool} [--node <node>] [--quiet] <command> [<command options>]\n`);
      return USAGE;
    }
    if (own.command.startsWith('list_')) own.columns = own.args;
    if (!own.isQuiet) {
      if (own.command === 'list_queues') print.out('Timeout: 60.0 seconds ...\n');
      print.out(`${known[1](own.args, own.host).replace('NODE', `rabbit@${sys.hostname.split('.', 1)[0]}`)}\n`);
    }
    return { own, host: '127.0.0.1', port: CONTROL_PORT };
  },
  begin(client) {
    const { command, args, host } = client.own;
    const ask =
      COLUMNS[command] || ['add', 'del', 'set', 'cle', 'cha', 'aut', 'pur'].includes(command.slice(0, 3))
        ? command
        : 'status';
    client.send(`${JSON.stringify({ ask, args, host } satisfies Question)}\n`);
  },
  turn,
  refused(client) {
    client.err(explainUnreachable(nodeOf(client)));
    client.exit(UNAVAILABLE);
  },
});
