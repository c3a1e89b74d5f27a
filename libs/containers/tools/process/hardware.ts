import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { MountEntry } from '../../../engine/kernel/files/file.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { digestOf } from '../../../engine/node/digest.js';
import { readSmallFile } from '../accounts.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure } from '../framework/tool.js';

/** What /proc/cpuinfo says of the first processor. */
function processorOf(sys: Syscalls): { readonly count: number; get(name: string): string } {
  const text = readSmallFile(sys, '/proc/cpuinfo');
  const values = new Map(
    text
      .split('\n\n', 1)[0]!
      .split('\n')
      .map((line) => line.split(':', 2).map((part) => part.trim()) as [string, string]),
  );
  return { count: text.match(/^processor/gm)?.length ?? 1, get: (name) => values.get(name) ?? '' };
}

const WIDTH = 38;

/** Models util-linux' lscpu. Left out: JSON, columns of -e and -p. */
export const lscpu = defineTool(
  (tool) => {
    parseOptions(tool, ['a,all', 'b,online', 'y,physical', 'x,hex']);
    const cpu = processorOf(tool.sys);
    const list = cpu.count === 1 ? '0' : cpu.count === 2 ? '0,1' : `0-${cpu.count - 1}`;
    const rows: readonly (readonly [string, string | number])[] = [
      ['Architecture:', 'x86_64'],
      ['  CPU op-mode(s):', '32-bit, 64-bit'],
      ['  Address sizes:', '46 bits physical, 48 bits virtual'],
      ['  Byte Order:', 'Little Endian'],
      ['CPU(s):', cpu.count],
      ['  On-line CPU(s) list:', list],
      ['Vendor ID:', cpu.get('vendor_id')],
      ['  Model name:', cpu.get('model name')],
      ['    CPU family:', cpu.get('cpu family')],
      ['    Model:', cpu.get('model')],
      ['    Thread(s) per core:', 1],
      ['    Core(s) per socket:', cpu.get('cpu cores')],
      ['    Socket(s):', 1],
      ['    Stepping:', cpu.get('stepping')],
      ['    BogoMIPS:', cpu.get('bogomips')],
      ['    Flags:', cpu.get('flags')],
      ['Virtualization features:', ''],
      ['  Hypervisor vendor:', 'KVM'],
      ['  Virtualization type:', 'full'],
      ['Caches (sum of all):', ''],
      ['  L3:', '48 MiB (1 instance)'],
      ['NUMA:', ''],
      ['  NUMA node(s):', 1],
      ['  NUMA node0 CPU(s):', list],
    ];
    for (const [name, value] of rows) tool.out(`${name.padEnd(WIDTH)}${value}\n`);
    return 0;
  },
  { usage: '[options]', version: 'lscpu from util-linux 2.41' },
);

/** The disk of a node, and its one partition. */
const DISK = { name: 'vda', number: '254:0', size: '100G' };
const PARTITION = { name: 'vda1', number: '254:1', device: '/dev/vda1' };

/** Where the partition is mounted, for who looks. */
function mountsOf(sys: Syscalls): Bytes[] {
  const found = sys.mounts().filter(({ source }: MountEntry) => source === PARTITION.device);
  const paths = [...new Set(found.map(({ path }) => path))].sort();
  return paths.length > 0 ? paths : ['/'];
}

const uuidOf = (sys: Syscalls, what: string): string =>
  digestOf(`${readSmallFile(sys, '/etc/machine-id') || sys.hostname}/${what}`)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Models util-linux' lsblk. Left out: columns of its user's choice, JSON. */
export const lsblk = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['a,all', 'f,fs', 'd,nodeps', 'n,noheadings', 'p,paths', 'b,bytes', 'i,ascii']);
    const { sys, out } = tool;
    for (const operand of options.operands)
      if (![`/dev/${DISK.name}`, PARTITION.device].includes(operand))
        throw new ToolFailure(`${operand}: not a block device`, 32);
    const path = options.has('p') ? '/dev/' : '';
    const branch = options.has('i') ? '`-' : '\u00e2\u0094\u0094\u00e2\u0094\u0080';
    const isPartitionOnly = options.operands.length > 0 && !options.operands.includes(`/dev/${DISK.name}`);
    const [first = '', ...others] = mountsOf(sys);
    const width = path.length + 6;
    const name = (text: string, isPartition: boolean): string => {
      const shown = isPartition && !isPartitionOnly ? branch + path + text : path + text;
      const columns = isPartition && !isPartitionOnly ? 2 + path.length + text.length : shown.length;
      return shown + ' '.repeat(Math.max(0, width - columns));
    };
    const size = options.has('b') ? String(100 * 1024 ** 3) : DISK.size;
    const pad = Math.max(4, size.length);
    if (options.has('f')) {
      const usage = sys.statFileSystem('/');
      const used = Math.round((usage.used / Math.max(1, usage.total)) * 100);
      const free = `${(usage.available / 1024 ** 3).toFixed(1)}G`;
      if (!options.has('n'))
        out(`${'NAME'.padEnd(width)} FSTYPE FSVER LABEL UUID${' '.repeat(33)}FSAVAIL FSUSE% MOUNTPOINTS\n`);
      if (!isPartitionOnly) out(`${name(DISK.name, false)} ${' '.repeat(67)}\n`);
      if (!options.has('d'))
        out(
          `${name(PARTITION.name, true)} ext4   1.0         ${uuidOf(sys, 'root')} ${free.padStart(7)} ${`${used}%`.padStart(6)} ${first}\n`,
        );
      return 0;
    }
    if (!options.has('n')) out(`${'NAME'.padEnd(width)} MAJ:MIN RM ${'SIZE'.padStart(pad)} RO TYPE MOUNTPOINTS\n`);
    if (!isPartitionOnly) out(`${name(DISK.name, false)} ${DISK.number}    0 ${size.padStart(pad)}  0 disk \n`);
    if (options.has('d') && !isPartitionOnly) return 0;
    out(`${name(PARTITION.name, true)} ${PARTITION.number}    0 ${size.padStart(pad)}  0 part ${first}\n`);
    for (const other of others) out(`${' '.repeat(width + 25 + pad)}${other}\n`);
    return 0;
  },
  { usage: '[options] [<device> ...]', version: 'lsblk from util-linux 2.41' },
);

/** Models util-linux' blkid. */
export const blkid = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      's,match-tag:',
      'o,output:',
      'p,probe',
      'k,list-filesystems',
      'c,cache-file:',
      'l',
    ]);
    const { sys } = tool;
    // Only root may read a disk.
    if (sys.user !== 0 || options.operands.some((one) => one !== PARTITION.device)) return 2;
    const tags = [
      ['UUID', uuidOf(sys, 'root')],
      ['BLOCK_SIZE', '4096'],
      ['TYPE', 'ext4'],
      ['PARTUUID', `${uuidOf(sys, 'part').slice(0, 8)}-01`],
    ].filter(([name = '']) => !options.has('s') || options.values('s').includes(name));
    if (options.value('o') === 'value') for (const [, value] of tags) tool.out(`${value}\n`);
    else if (options.value('o') === 'export')
      tool.out(`DEVNAME=${PARTITION.device}\n${tags.map(([name, value]) => `${name}=${value}\n`).join('')}`);
    else tool.out(`${PARTITION.device}: ${tags.map(([name, value]) => `${name}="${value}"`).join(' ')}\n`);
    return 0;
  },
  { usage: '[options] [device ...]', version: 'blkid from util-linux 2.41' },
);
