import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { SECOND, type Millis } from '../../../engine/machinery/time/time.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readNames, readSmallFile, userName } from '../accounts.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../framework/tool.js';

const ROOT = '/proc/sys';
const CONFIGURATION = '/etc/sysctl.conf';
/** Where files of the same name are looked for, the earlier ones first. */
const FOLDERS = ['/etc/sysctl.d', '/run/sysctl.d', '/usr/local/lib/sysctl.d', '/usr/lib/sysctl.d'];

export const sysctl = defineTool(
  (tool) => {
    const table = [
      'a,all,A,X',
      'n,values',
      'N,names',
      'w,write',
      'e,ignore',
      'q,quiet',
      'p,load::',
      'system',
      'b',
      'r:',
    ];
    const options = parseOptions(tool, table);
    const { sys } = tool;
    const print = (name: Bytes, value: Bytes): void => {
      if (options.has('q')) return;
      tool.out(options.has('n') ? `${value}\n` : options.has('N') ? `${name}\n` : `${name} = ${value}\n`);
    };
    if (options.has('a')) {
      for (const path of listParameters(sys, ROOT)) print(nameOf(path), readSmallFile(sys, path).trimEnd());
      return 0;
    }
    if (options.has('system')) return loadAll(tool, print);
    if (options.has('p')) {
      const files = [options.value('p') ?? '', ...options.operands].filter((path) => path !== '');
      const codes = (files.length === 0 ? [CONFIGURATION] : files).map((path) => load(tool, path, print));
      return codes.find((code) => code !== 0) ?? 0;
    }
    if (options.operands.length === 0) throw new UsageFailure('');
    let code = 0;
    for (const operand of options.operands) {
      const [name = '', value] = operand.split(/=(.*)/s);
      code = (value === undefined ? show(tool, name, print) : set(tool, name, value, print)) || code;
    }
    return options.has('e') ? 0 : code;
  },
  { usage: '[options] [variable[=value] ...]', version: 'sysctl from procps-ng 4.0.2' },
);

const pathOf = (name: Bytes): Bytes => `${ROOT}/${name.includes('/') ? name : name.replaceAll('.', '/')}`;
const nameOf = (path: Bytes): Bytes => path.slice(ROOT.length + 1).replaceAll('/', '.');

function listParameters(sys: Syscalls, path: Bytes): Bytes[] {
  return sys.readDirectory(path).flatMap((name) => {
    const child = `${path}/${name}`;
    return sys.stat(child).type === 'directory' ? listParameters(sys, child) : [child];
  });
}

function show(tool: ToolContext, name: Bytes, print: (name: Bytes, value: Bytes) => void): number {
  const path = pathOf(name);
  if (!tool.sys.access(path, '')) return refuseMissing(tool, path);
  const paths = tool.sys.stat(path).type === 'directory' ? listParameters(tool.sys, path) : [path];
  for (const one of paths) print(nameOf(one), readSmallFile(tool.sys, one).trimEnd());
  return 0;
}

function refuseMissing(tool: ToolContext, path: Bytes): number {
  if (tool.flavour === 'gnu') tool.warn(`cannot stat ${path}: No such file or directory`);
  else tool.warn(`error: '${nameOf(path)}' is an unknown key`);
  return tool.flavour === 'gnu' ? 255 : 1;
}

function set(tool: ToolContext, name: Bytes, value: Bytes, print: (name: Bytes, value: Bytes) => void): number {
  const path = pathOf(name.trim());
  if (!tool.sys.access(path, '')) return refuseMissing(tool, path);
  try {
    const descriptor = tool.sys.open(path, { write: true });
    tool.sys.write(descriptor, `${value.trim()}\n`);
    tool.sys.close(descriptor);
  } catch (error) {
    const message = strerror(error);
    if (tool.flavour === 'busybox') tool.warn(`error setting key '${name}': ${message}`);
    else if (message === 'Permission denied') tool.warn(`permission denied on key "${name}"`);
    else tool.warn(`setting key "${name}": ${message}`);
    return tool.flavour === 'gnu' ? 255 : 1;
  }
  print(name.trim(), value.trim());
  return 0;
}

function load(tool: ToolContext, path: Bytes, print: (name: Bytes, value: Bytes) => void): number {
  let text: Bytes;
  try {
    text = tool.input(path);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.warn(`cannot open "${path}": ${error.message}`);
    return 1;
  }
  let code = 0;
  for (const line of text.split('\n')) {
    const [name = '', value] = line.replace(/^\s*[#;].*/, '').split(/=(.*)/s);
    if (value !== undefined) code = set(tool, name, value, print) || code;
  }
  return code;
}

/** `--system`: the files of all folders in the order of their names, then the configuration of old. */
function loadAll(tool: ToolContext, print: (name: Bytes, value: Bytes) => void): number {
  const { sys } = tool;
  const found = new Map<Bytes, Bytes>();
  for (const folder of FOLDERS) {
    if (!sys.access(folder, '')) continue;
    for (const name of sys.readDirectory(folder))
      if (name.endsWith('.conf') && !found.has(name)) found.set(name, `${folder}/${name}`);
  }
  const paths = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
  if (sys.access(CONFIGURATION, '')) paths.push(CONFIGURATION);
  let code = 0;
  for (const path of paths) {
    tool.out(`* Applying ${path} ...\n`);
    code = load(tool, path, print) || code;
  }
  return code;
}

const DMESG_OPTIONS = [
  ...['T,ctime', 'H,human', 'w,follow', 'W,follow-new', 'c,read-clear', 'C,clear', 'k,kernel', 'x,decode', 'n:', 's:'],
  ...['r,raw', 'l,level:', 'f,facility:', 'e,reltime', 't,notime', 'd,show-delta', 'L::', 'P,nopager', 'u,userspace'],
];

/** What the node's kernel has said of its containers: the file of its syslog has it. */
export const auditMessages = (sys: Syscalls): { readonly at: number; readonly text: Bytes }[] =>
  [...readSmallFile(sys, '/var/log/kern.log').matchAll(/ kernel: \[ *([\d.]+)\] (.*)/g)].map(([, at, text = '']) => ({
    at: Number(at),
    text,
  }));

/** The kernel's messages are root's of the node. It does not follow. */
export const dmesg = defineTool((tool) => {
  const options = parseOptions(tool, DMESG_OPTIONS);
  const { sys } = tool;
  let messages: ReturnType<Syscalls['kernelLog']>;
  try {
    messages = [...sys.kernelLog(), ...auditMessages(sys)];
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const what = tool.flavour === 'busybox' ? 'klogctl' : 'read kernel buffer failed';
    throw new ToolFailure(`${what}: ${error.message}`);
  }
  if (options.has('C') || options.has('u')) return 0;
  for (const { at, text } of messages) {
    const stamp = options.has('T')
      ? `[${formatCtime(sys.bootedAt + at * SECOND)}] `
      : options.has('t')
        ? ''
        : `[${at.toFixed(6).padStart(12)}] `;
    tool.out(`${options.has('x') ? 'kern  :info  : ' : options.has('r') ? '<6>' : ''}${stamp}${text}\n`);
  }
  return 0;
});

/** 'Thu Jan  1 11:58:02 2026', as ctime(3). */
function formatCtime(at: Millis): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(at).toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}

const LSOF_OPTIONS = ['i::', 'n', 'P', 'p:', 'u:', 'c:', 't', 'a', 'l', 'w'];

/** Files and sockets by process, from /proc and the kernel's sockets. */
export const lsof = defineTool((tool) => {
  const args = tool.args.map((word) => (word === '-i' ? '-i ' : word));
  const options = parseOptions({ ...tool, args }, LSOF_OPTIONS);
  const { sys, flavour } = tool;
  const names = readNames(sys);
  if (flavour === 'busybox') {
    for (const { pid, argv } of sys.processes())
      for (const { target } of openFiles(sys, pid)) tool.out(`${pid}\t${argv[0] ?? ''}\t${target}\n`);
    return 0;
  }
  const pids = options.values('p').flatMap((list) => list.split(',').map(Number));
  const rows: Bytes[][] = [];
  for (const one of sys.processes()) {
    if (pids.length > 0 && !pids.includes(one.pid)) continue;
    const head = [one.name.slice(0, 9), String(one.pid), userName(names, one.user)];
    if (options.has('i')) {
      for (const socket of sys.sockets().filter(({ pid, protocol }) => pid === one.pid && protocol !== 'unix')) {
        const filter = options.value('i')!.trim().replace(/^.*:/, '');
        if (filter !== '' && filter !== String(socket.localPort) && filter !== String(socket.remotePort)) continue;
        const local = `${socket.localAddress === '0.0.0.0' ? '*' : socket.localAddress}:${socket.localPort}`;
        const name = socket.state === 'ESTABLISHED' ? `${local}->${socket.remoteAddress}:${socket.remotePort}` : local;
        const state = socket.protocol === 'tcp' ? ` (${socket.state})` : '';
        rows.push([...head, '3u', 'IPv4', '0', '0t0', socket.protocol.toUpperCase(), name + state]);
      }
      continue;
    }
    for (const { descriptor, target, type } of openFiles(sys, one.pid)) {
      rows.push([...head, `${descriptor}u`, type, '0,0', '0t0', '0', target]);
    }
  }
  if (options.has('t')) tool.out([...new Set(rows.map((row) => row[1]))].map((pid) => `${pid}\n`).join(''));
  else if (rows.length > 0) tool.out(alignRows([LSOF_HEAD, ...rows]));
  return rows.length > 0 ? 0 : 1;
});

const LSOF_HEAD = ['COMMAND', 'PID', 'USER', 'FD', 'TYPE', 'DEVICE', 'SIZE/OFF', 'NODE', 'NAME'];

function alignRows(rows: readonly Bytes[][]): Bytes {
  const isLeft = [true, false, true, false, false, false, false, false, true];
  const widths = LSOF_HEAD.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (row: Bytes[]): Bytes =>
    row.map((cell, i) => (i === 8 ? cell : isLeft[i] ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' ');
  return rows.map((row) => `${line(row)}\n`).join('');
}

function openFiles(sys: Syscalls, pid: number): { descriptor: Bytes; target: Bytes; type: string }[] {
  try {
    return sys.readDirectory(`/proc/${pid}/fd`).map((descriptor) => {
      const target = sys.readLink(`/proc/${pid}/fd/${descriptor}`);
      const type = target.startsWith('pipe:') ? 'FIFO' : target.startsWith('/dev/') ? 'CHR' : 'REG';
      return { descriptor, target, type: target.startsWith('socket:') ? 'sock' : type };
    });
  } catch (error) {
    strerror(error);
    return [];
  }
}
