import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { unescapeUrl } from '../../../http.js';

/** What mongosh was told on its command line. */
export type Options = {
  host: Bytes;
  port: number;
  database: string;
  user: string | null;
  password: string;
  authDatabase: string;
  isQuiet: boolean;
  /** Expressions of --eval; their last result is printed. */
  scripts: string[];
  files: Bytes[];
  problem: string;
};

const VALUES: readonly string[] = [
  '--eval',
  '--host',
  '--port',
  '-u',
  '--username',
  '-p',
  '--password',
  '--authenticationDatabase',
  '-f',
  '--file',
];
const FLAGS: readonly string[] = ['--quiet', '--norc', '--shell', '--nodb', '--verbose'];

export function readOptions(argv: readonly Bytes[]): Options {
  const options: Options = {
    ...{ host: '127.0.0.1', port: 27_017, database: 'test', user: null, password: '', authDatabase: '' },
    ...{ isQuiet: false, scripts: [], files: [], problem: '' },
  };
  let hasTarget = false;
  for (let at = 1; at < argv.length; at++) {
    const [name = '', joined] = argv[at]!.startsWith('--') ? argv[at]!.split(/=(.*)/s) : [argv[at]];
    if (VALUES.includes(name)) take(options, name, joined ?? argv[++at] ?? '');
    else if (name === '--quiet') options.isQuiet = true;
    else if (name.startsWith('-') && !FLAGS.includes(name))
      options.problem = `Error parsing command line: unrecognized option: ${name}`;
    else if (name.endsWith('.js')) options.files.push(name);
    else if (!name.startsWith('-') && !hasTarget) {
      hasTarget = true;
      readTarget(options, name);
    }
  }
  options.authDatabase ||= 'admin';
  return options;
}

function take(options: Options, name: string, value: string): void {
  if (name === '--eval') options.scripts.push(value);
  else if (name === '--host') readHost(options, value);
  else if (name === '--port') options.port = Number(value) || 0;
  else if (name === '-u' || name === '--username') options.user = value;
  else if (name === '-p' || name === '--password') options.password = value;
  else if (name === '--authenticationDatabase') options.authDatabase = value;
  else options.files.push(value);
}

function readHost(options: Options, text: string): void {
  const [host = '', port] = text.split(',', 1)[0]!.split(':');
  options.host = host;
  if (port !== undefined) options.port = Number(port) || 0;
}

/** `mongodb://user:password@host:port/database?authSource=admin`, `host:port/database`, or a database. */
function readTarget(options: Options, text: string): void {
  const isUri = text.startsWith('mongodb://');
  if (text.startsWith('mongodb+srv://')) options.problem = 'MongoParseError: mongodb+srv is not simulated';
  if (!isUri && !text.includes('/') && !text.includes(':')) {
    options.database = text;
    return;
  }
  const rest = isUri ? text.slice('mongodb://'.length) : text;
  const at = rest.lastIndexOf('@');
  const [place = '', query = ''] = rest.slice(at + 1).split('?');
  const [hosts = '', database = ''] = place.split('/');
  readHost(options, hosts);
  if (at >= 0) {
    const [user = '', password = ''] = rest.slice(0, at).split(/:(.*)/s);
    [options.user, options.password] = [unescapeUrl(user), unescapeUrl(password)];
  }
  if (database !== '') options.database = unescapeUrl(database);
  const source = query.split('&').find((part) => part.startsWith('authSource='));
  // Without a word about it, a user of a URI is one of its database.
  options.authDatabase ||= source?.slice('authSource='.length) ?? database;
}
