import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { type Options, parseOptions } from '../framework/options.js';
import { defineTool, type ToolContext, ToolFailure, UsageFailure } from '../framework/tool.js';
import {
  Databases,
  EXIT,
  exists,
  GROUP,
  isGoodName,
  nextId,
  PASSWD,
  requireRoot,
  SHADOW,
  TEAM,
  today,
  USER,
} from './databases.js';

const OPTIONS = [
  ...['m,create-home', 'M,no-create-home', 'd,home-dir,home:', 's,shell:', 'u,uid:', 'o,non-unique', 'g,gid:'],
  ...['G,groups:', 'c,comment:', 'p,password:', 'e,expiredate:', 'f,inactive:', 'r,system', 'U,user-group'],
  ...['N,no-user-group', 'k,skel:', 'b,base-dir:', 'D,defaults', 'K,key:', 'badname', 'l,no-log-init'],
];
const USAGE = '[options] LOGIN';
const SKEL = '/etc/skel';
const HOME_MODE = 0o700;
/** useradd without -s: Debian's default. */
const SHELL = '/bin/sh';

/** Models shadow's useradd. Left out: -D with new defaults, subordinate ids, mail spools. */
export const useradd = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    if (options.has('D')) return printDefaults(tool);
    const [name, ...more] = options.operands;
    if (name === undefined || more.length > 0) throw new UsageFailure('');
    if (!isGoodName(name)) throw new ToolFailure(`invalid user name '${name}': use --badname to ignore`, EXIT.badName);
    const data = new Databases(tool.sys);
    if (data.find(PASSWD, name)) throw new ToolFailure(`user '${name}' already exists`, EXIT.nameInUse);
    requireRoot(tool, PASSWD);
    const isSystem = options.has('r');
    const id = idFor(data, options, isSystem);
    const group = groupFor(data, options, name, id, isSystem);
    joinGroups(data, groupsNamed(data, options.value('G') ?? ''), name);
    const home = options.value('d') ?? `${options.value('b') ?? '/home'}/${name}`;
    data
      .rows(PASSWD)
      .push([name, 'x', String(id), String(group), options.value('c') ?? '', home, options.value('s') ?? SHELL]);
    const life = isSystem ? ['', '', ''] : ['0', '99999', '7'];
    const expires = expiryOf(options.value('e'));
    const changed = String(today(tool.sys));
    data.rows(SHADOW).push([name, options.value('p') ?? '!', changed, ...life, options.value('f') ?? '', expires, '']);
    data.save();
    if (options.has('m') && !options.has('M')) makeHome(tool, home, id, group, options.value('k') ?? SKEL);
    return 0;
  },
  { usage: USAGE, usageCode: EXIT.usage },
);

function printDefaults({ out }: ToolContext): number {
  out(`GROUP=100\nHOME=/home\nINACTIVE=-1\nEXPIRE=\nSHELL=${SHELL}\nSKEL=${SKEL}\nUSRSKEL=/usr/etc/skel\n`);
  out('CREATE_MAIL_SPOOL=no\nLOG_INIT=yes\n');
  return 0;
}

function idFor(data: Databases, options: Options, isSystem: boolean): number {
  const used = data.rows(PASSWD).map((row) => Number(row[USER.id]));
  const given = options.value('u');
  // A user's own group has its number: both must be free.
  const all = [...used, ...data.rows(GROUP).map((row) => Number(row[TEAM.id]))];
  if (given === undefined) return nextId(options.has('g', 'N') ? used : all, isSystem);
  if (!/^\d+$/.test(given)) throw new ToolFailure(`invalid user ID '${given}'`, EXIT.argument);
  if (used.includes(Number(given)) && !options.has('o'))
    throw new ToolFailure(`UID ${given} is not unique`, EXIT.idInUse);
  return Number(given);
}

function groupFor(data: Databases, options: Options, name: Bytes, id: number, isSystem: boolean): number {
  const given = options.value('g');
  if (given !== undefined) {
    const found = data.rows(GROUP).find((row) => row[TEAM.name] === given || row[TEAM.id] === given);
    if (!found) throw new ToolFailure(`group '${given}' does not exist`, EXIT.notFound);
    return Number(found[TEAM.id]);
  }
  if (options.has('N')) return 100;
  if (data.find(GROUP, name))
    throw new ToolFailure(`group ${name} exists - if you want to add this user to that group, use -g.`, EXIT.nameInUse);
  const used = data.rows(GROUP).map((row) => Number(row[TEAM.id]));
  const group = used.includes(id) ? nextId(used, isSystem) : id;
  data.rows(GROUP).push([name, 'x', String(group), '']);
  return group;
}

/** Groups by names or numbers, in one list. Throws for one that is not there. */
export function groupsNamed(data: Databases, list: Bytes): string[][] {
  return list
    .split(',')
    .filter(Boolean)
    .map((word) => {
      const found = data.rows(GROUP).find((row) => row[TEAM.name] === word || row[TEAM.id] === word);
      if (!found) throw new ToolFailure(`group '${word}' does not exist`, EXIT.notFound);
      return found;
    });
}

export function joinGroups(_data: Databases, groups: readonly string[][], name: Bytes): void {
  for (const row of groups) {
    const members = (row[TEAM.members] ?? '').split(',').filter(Boolean);
    if (!members.includes(name)) row[TEAM.members] = [...members, name].join(',');
  }
}

/** '2027-01-31' as a day's number; '' and -1 mean never. Throws ToolFailure. */
export function expiryOf(text: Bytes | undefined): string {
  if (text === undefined || text === '' || text === '-1') return '';
  if (/^\d+$/.test(text)) return text;
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at)) throw new ToolFailure(`invalid date '${text}'`, EXIT.argument);
  return String(at / 86_400_000);
}

export function makeHome(tool: ToolContext, home: Bytes, user: number, group: number, skel: Bytes): void {
  const { sys } = tool;
  if (exists(sys, home)) {
    tool.warn(`warning: the home directory ${home} already exists.`);
    tool.warn('Not copying any file from skel directory into it.');
    return;
  }
  const parent = home.slice(0, home.lastIndexOf('/'));
  if (parent !== '' && !exists(sys, parent)) sys.makeDirectory(parent, 0o755);
  sys.makeDirectory(home, HOME_MODE);
  copySkeleton(sys, skel, home, user, group);
  sys.chown(home, user, group);
}

function copySkeleton(sys: Syscalls, skel: Bytes, home: Bytes, user: number, group: number): void {
  if (!exists(sys, skel)) return;
  for (const name of sys.readDirectory(skel)) {
    const [from, to] = [`${skel}/${name}`, `${home}/${name}`];
    try {
      if (sys.lstat(from).type !== 'file') continue;
      const source = sys.open(from, { read: true });
      const target = sys.open(to, { write: true, create: true }, 0o644);
      for (let bytes = sys.read(source); bytes; bytes = sys.read(source)) sys.write(target, bytes);
      sys.close(source);
      sys.close(target);
      sys.chown(to, user, group);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
}
