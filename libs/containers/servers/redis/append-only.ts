import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Connection, Running } from '../serve.js';
import { newClient } from './client.js';
import { log } from './log.js';
import type { Own } from './own.js';
import { applyStream } from './replication/apply.js';
import { CommandFailure } from './resp.js';
import { formatSnapshot, parseSnapshot } from './snapshot.js';
import { writeWholeFile } from '../../tools/whole-file.js';

type Server = Running<Own>;

/** From so many bytes of commands on the file begins anew with all data. */
const REWRITE_BYTES = 1 << 20;
const MAX_FILE = 32 << 20;
const FILE = 'appendonly.aof';

const folderOf = ({ configuration }: Own): Bytes => `${configuration['dir']}/appendonlydir`;
const basePath = (own: Own): Bytes => `${folderOf(own)}/${FILE}.1.base.rdb`;
const logPath = (own: Own): Bytes => `${folderOf(own)}/${FILE}.1.incr.aof`;
const isOn = ({ configuration }: Own): boolean => configuration['appendonly'] === 'yes';

/** Reads the append-only file, which then counts instead of the snapshot. False: it cannot be read. */
export function loadAppended(server: Server): boolean {
  const { own, sys } = server;
  if (!isOn(own)) return true;
  try {
    if (!sys.access(logPath(own), '')) {
      begin(server);
      log(server, '*', `Creating AOF base file ${FILE}.1.base.rdb on server start`);
      log(server, '*', `Creating AOF incr file ${FILE}.1.incr.aof on server start`);
      return true;
    }
    const databases = parseSnapshot(readFile(sys, basePath(own)));
    if (databases === 'bad') return refuse(server, `${FILE}.1.base.rdb`);
    own.databases = own.databases.map((_, i) => databases[i] ?? {});
    const text = readFile(sys, logPath(own));
    replay(server, text);
    own.appended = text.length;
    own.unwritten = '';
    log(server, '*', `DB loaded from append only file: 0.000 seconds`);
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) return refuse(server, `${FILE}.1.incr.aof`);
    if (!(error instanceof SystemError)) throw error;
    log(server, '#', `Can't open or create append-only dir appendonlydir: ${error.message}`);
    return false;
  }
}

function refuse(server: Server, name: Bytes): false {
  log(
    server,
    '#',
    `Bad file format reading the append only file ${name}: make a backup of your AOF file, then use ./redis-check-aof --fix <filename.manifest>`,
  );
  return false;
}

/** Runs what the file says, as a client that may do everything. */
function replay(server: Server, received: Bytes): void {
  const own = newClient();
  own.isAuthenticated = true;
  own.master = { stage: 'online', left: 0, text: '', lastAt: server.sys.now };
  const connection: Connection = {
    ...{ descriptor: -1, port: 0, protocol: 'tcp', address: '', remotePort: 0, received, unsent: '', isEnded: false },
    ...{ closes: false, file: null, task: null, wait: {}, own },
  };
  applyStream(server, connection);
}

/** Writes what has changed since: everything at once when that is shorter. Failures are logged. */
export function writeAppended(server: Server): void {
  const { own, sys } = server;
  if (!isOn(own)) return;
  try {
    if (own.rewrites || own.appended + own.unwritten.length > REWRITE_BYTES || !sys.access(logPath(own), '')) {
      begin(server);
    } else if (own.unwritten !== '') {
      writeWholeFile(sys, logPath(own), own.unwritten, { appends: true });
      own.appended += own.unwritten.length;
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(server, '#', `Error writing to the AOF file: ${error.message}`);
  }
  Object.assign(own, { unwritten: '', rewrites: false });
}

/** A new base with all data, and no commands behind it. */
function begin({ own, sys }: Server): void {
  if (!sys.access(folderOf(own), '')) sys.makeDirectory(folderOf(own), 0o755);
  writeWholeFile(sys, basePath(own), formatSnapshot(own));
  writeWholeFile(sys, logPath(own), '');
  const manifest = `file ${FILE}.1.base.rdb seq 1 type b\nfile ${FILE}.1.incr.aof seq 1 type i\n`;
  writeWholeFile(sys, `${folderOf(own)}/${FILE}.manifest`, manifest);
  own.appended = 0;
}

function readFile(sys: Syscalls, path: Bytes): Bytes {
  const descriptor = sys.open(path, { read: true });
  let text = '';
  for (let part = sys.read(descriptor); part && text.length < MAX_FILE; part = sys.read(descriptor)) text += part;
  sys.close(descriptor);
  return text;
}
