import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Program } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { writeFile } from '../../../../tools/node/disk.js';
import { defineTool, type ToolContext } from '../../../../tools/framework/tool.js';
import { readSource } from '../server/source.js';
import { readWhole, whole } from '../server/wire.js';

const MAGIC = 'XBSTCK01';
const MAX_FILES = 2_000;
const POSITION = "MASTER_LOG_FILE='mysql-bin.000003', MASTER_LOG_POS=154";
/** What belongs to one server, not to its data. */
const OWN_FILES = /^(?:master\.info|xtrabackup_.*|change_master_to\..*|auto\.cnf)$/;

const optionOf = (tool: ToolContext, name: string): string | undefined =>
  tool.args.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Files below a folder, by their paths in it. */
function filesBelow(sys: Syscalls, root: Bytes, below = '', found: Bytes[] = []): Bytes[] {
  for (const name of sys.readDirectory(`${root}/${below}`)) {
    const path = below === '' ? name : `${below}/${name}`;
    const { type } = sys.stat(`${root}/${path}`);
    if (type === 'directory') filesBelow(sys, root, path, found);
    else if (type === 'file' && !OWN_FILES.test(name) && found.length < MAX_FILES) found.push(path);
  }
  return found;
}

const chunk = (path: Bytes, content: Bytes): Bytes =>
  `${MAGIC}${whole(path.length, 4)}${path}${whole(content.length, 4)}${content}`;

/** A copy of the server's data, as a stream. */
function backUp(tool: ToolContext): number {
  const { sys } = tool;
  const data = optionOf(tool, 'datadir') ?? '/var/lib/mysql';
  if (optionOf(tool, 'stream') !== 'xbstream') {
    tool.err('xtrabackup: error: only --stream=xbstream is simulated\n');
    return 1;
  }
  const isReplica = readSource(sys, data)?.isRunning === true;
  for (const path of filesBelow(sys, data)) tool.out(chunk(path, readSmallFile(sys, `${data}/${path}`)));
  tool.out(chunk('xtrabackup_binlog_info', 'mysql-bin.000003\t154\n'));
  if (tool.args.includes('--slave-info'))
    tool.out(chunk('xtrabackup_slave_info', isReplica ? `CHANGE MASTER TO ${POSITION};\n` : ''));
  tool.err('xtrabackup: Transaction log of lsn (2479374) to (2479383) was copied.\ncompleted OK!\n');
  return 0;
}

/** Percona XtraBackup as clones of a server need it. Left out: backups in a folder, increments, compression. */
const xtrabackup = defineTool((tool) => {
  if (tool.args.includes('--backup')) return backUp(tool);
  if (tool.args.includes('--prepare')) {
    tool.err(
      `xtrabackup: cd to ${optionOf(tool, 'target-dir') ?? '.'}\nInnoDB: Shutdown completed; log sequence number 2479656\ncompleted OK!\n`,
    );
    return 0;
  }
  tool.out('xtrabackup version 2.4.4 based on MySQL server 5.7.13 Linux (x86_64)\n');
  return tool.args.includes('--version') ? 0 : 1;
});

/** Unpacks what xtrabackup has streamed. */
const xbstream = defineTool((tool) => {
  if (!tool.args.includes('-x')) {
    tool.err('xbstream: only -x is simulated\n');
    return 1;
  }
  const at = tool.args.indexOf('-C');
  const root = at < 0 ? '.' : (tool.args[at + 1] ?? '.');
  const stream = tool.stdin();
  for (let from = 0; from < stream.length;) {
    if (!stream.startsWith(MAGIC, from)) {
      tool.err('xb_stream_read_chunk(): wrong chunk magic at offset 0x0.\n');
      return 1;
    }
    const nameAt = from + MAGIC.length + 4;
    const contentAt = nameAt + readWhole(stream, nameAt - 4, 4) + 4;
    const end = contentAt + readWhole(stream, contentAt - 4, 4);
    const path = stream.slice(nameAt, contentAt - 4);
    try {
      writeFile(tool.sys, `${root}/${path}`, stream.slice(contentAt, end));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      tool.err(`xbstream: ${root}/${path}: ${error.message}\n`);
      return 1;
    }
    from = end;
  }
  return 0;
});

export const backupPrograms: Readonly<Record<string, Program>> = {
  'xtrabackup:xtrabackup': xtrabackup,
  'xtrabackup:xbstream': xbstream,
};
