import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { defineTool, type ToolContext } from '../../../../tools/framework/tool.js';
import { makeDatabase, writeControl, writeData, writeShared } from '../server/files.js';
import { makeVerifier } from '../../scram.js';
import { versionOf } from '../server-version.js';
import { userName } from './options.js';

const DIRECTORIES = ['base', 'global', 'pg_commit_ts', 'pg_dynshmem', 'pg_logical', 'pg_multixact', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat', 'pg_stat_tmp', 'pg_subtrans', 'pg_tblspc', 'pg_twophase', 'pg_wal', 'pg_xact']; // prettier-ignore
const DATABASES = [['template1', 1], ['template0', 4], ['postgres', 5]] as const; // prettier-ignore

const BOOTSTRAP = 5_000_000;

const CONFIGURATION = `# -----------------------------
# PostgreSQL configuration file
# -----------------------------

#listen_addresses = 'localhost'
listen_addresses = '*'
#port = 5432
max_connections = 100
shared_buffers = 128MB
dynamic_shared_memory_type = posix
max_wal_size = 1GB
min_wal_size = 80MB
log_timezone = 'Etc/UTC'
datestyle = 'iso, mdy'
timezone = 'Etc/UTC'
lc_messages = 'en_US.utf8'
lc_monetary = 'en_US.utf8'
lc_numeric = 'en_US.utf8'
lc_time = 'en_US.utf8'
default_text_search_config = 'pg_catalog.english'
`;
const ACCESS = `# TYPE  DATABASE        USER            ADDRESS                 METHOD

# "local" is for Unix domain socket connections only
local   all             all                                     trust
# IPv4 local connections:
host    all             all             127.0.0.1/32            trust
# IPv6 local connections:
host    all             all             ::1/128                 trust
`;

type Options = { data: string; user: string; passwordFile: string };

function readOptions({ args, sys }: ToolContext): Options | string {
  const options = { data: sys.env['PGDATA'] ?? '', user: '', passwordFile: '' };
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined;
    const name = word.split('=', 1)[0]!;
    const next = (): string => value ?? args[++at] ?? '';
    if (name === '-D' || name === '--pgdata') options.data = next();
    else if (name === '-U' || name === '--username') options.user = next();
    else if (name === '--pwfile') options.passwordFile = next();
    else if (
      [
        '-E',
        '--encoding',
        '--locale',
        '-A',
        '--auth',
        '--auth-host',
        '--auth-local',
        '--wal-segsize',
        '-X',
        '--waldir',
      ].includes(name)
    )
      next();
    else if (['-k', '--data-checksums', '--no-data-checksums', '-N', '--no-sync'].includes(name)) continue;
    else if (word.startsWith('-')) return `unrecognized option '${word}'`;
    else options.data = word;
  }
  return options;
}

/** What keeps a directory from being taken. */
function refusal(data: string, sys: Syscalls): string | undefined {
  const names = sys.access(data, '') ? sys.readDirectory(data) : [];
  if (names.length === 0) return undefined;
  const head = `initdb: error: directory "${data}" exists but is not empty\n`;
  if (names.includes('lost+found'))
    return `${head}initdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.\ninitdb: hint: Using a mount point directly as the data directory is not recommended.\nCreate a subdirectory under the mount point.\n`;
  if (names.every((name) => name.startsWith('.')))
    return `${head}initdb: detail: It contains a dot-prefixed/invisible file, perhaps due to it being a mount point.\ninitdb: hint: Using a mount point directly as the data directory is not recommended.\nCreate a subdirectory under the mount point.\n`;
  return `${head}initdb: hint: If you want to create a new database system, either remove or empty the directory "${data}" or run initdb with an argument other than "${data}".\n`;
}

export const initdb = defineTool((tool) => {
  const { sys } = tool;
  const options = readOptions(tool);
  if (typeof options === 'string') {
    tool.err(`initdb: ${options}\ninitdb: hint: Try "initdb --help" for more information.\n`);
    return 1;
  }
  const { data, passwordFile } = options;
  if (data === '') {
    tool.err(
      'initdb: error: no data directory specified\ninitdb: hint: You must identify the directory where the data for this database system will reside. Do this with either the invocation option -D or the environment variable PGDATA.\n',
    );
    return 1;
  }
  if (sys.user === 0) {
    tool.err(
      'initdb: error: cannot be run as root\ninitdb: hint: Please log in (using, e.g., "su") as the (unprivileged) user that will own the server process.\n',
    );
    return 1;
  }
  const own = userName(sys);
  tool.out(head(own));
  const refused = refusal(data, sys);
  if (refused !== undefined) {
    tool.err(refused);
    return 1;
  }
  const isThere = sys.access(data, '');
  tool.out(`${isThere ? 'fixing permissions on existing' : 'creating'} directory ${data} ... `);
  try {
    if (isThere) sys.chmod(data, 0o700);
    else sys.makeDirectory(data, 0o700);
    tool.out('ok\ncreating subdirectories ... ');
    fill(
      sys,
      data,
      options.user || own,
      passwordFile === '' ? '' : readSmallFile(sys, passwordFile).split('\n', 1)[0]!,
    );
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.out('');
    tool.err(
      `initdb: error: could not ${isThere ? 'change permissions of' : 'create'} directory "${data}": ${error.message}\n`,
    );
    return 1;
  }
  tool.out(tail(data));
  tool.err(
    'initdb: warning: enabling "trust" authentication for local connections\ninitdb: hint: You can change this by editing pg_hba.conf or using the option -A, or --auth-local and --auth-host, the next time you run initdb.\n',
  );
  return 0;
});

function fill(sys: Syscalls, data: string, user: string, password: string): void {
  const [major = ''] = versionOf(sys).split('.');
  for (const name of DIRECTORIES) sys.makeDirectory(`${data}/${name}`, 0o700);
  writeData(sys, `${data}/PG_VERSION`, `${major}\n`);
  writeData(sys, `${data}/postgresql.conf`, CONFIGURATION);
  writeData(
    sys,
    `${data}/postgresql.auto.conf`,
    '# Do not edit this file manually!\n# It will be overwritten by the ALTER SYSTEM command.\n',
  );
  writeData(sys, `${data}/pg_hba.conf`, ACCESS);
  writeData(sys, `${data}/pg_ident.conf`, '');
  for (const [, oid] of DATABASES) makeDatabase(sys, data, oid);
  const rights = { canLogin: true, isSuperuser: true, createsDatabases: true, createsRoles: true };
  const verifier = password === '' ? {} : { password: makeVerifier(password, () => sys.random()) };
  // Bootstrapping takes half a second of a CPU.
  sys.charge(BOOTSTRAP);
  writeShared(sys, data, {
    roles: [{ name: user, ...rights, ...verifier }],
    databases: DATABASES.map(([name, oid]) => ({ name, oid, owner: user })),
  });
  writeControl(sys, data, 'shut down');
}

const head = (user: string): string => `The files belonging to this database system will be owned by user "${user}".
This user must also own the server process.

The database cluster will be initialized with locale "en_US.utf8".
The default database encoding has accordingly been set to "UTF8".
The default text search configuration will be set to "english".

Data page checksums are enabled.

`;
const tail = (data: string): string => `ok
selecting dynamic shared memory implementation ... posix
selecting default "max_connections" ... 100
selecting default "shared_buffers" ... 128MB
selecting default time zone ... Etc/UTC
creating configuration files ... ok
running bootstrap script ... ok
performing post-bootstrap initialization ... ok
syncing data to disk ... ok


Success. You can now start the database server using:

    pg_ctl -D ${data} -l logfile start

`;
