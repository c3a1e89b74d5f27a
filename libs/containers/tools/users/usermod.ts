import { SystemError } from '../../../engine/kernel/errno.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, strerror, ToolFailure, UsageFailure } from '../framework/tool.js';
import { Databases, EXIT, exists, GROUP, PASSWD, requireRoot, SECRET, SHADOW, TEAM, USER } from './databases.js';
import { expiryOf, groupsNamed, joinGroups } from './useradd.js';

const OPTIONS = [
  ...['a,append', 'c,comment:', 'd,home:', 'e,expiredate:', 'f,inactive:', 'g,gid:', 'G,groups:', 'l,login:', 'L,lock'],
  ...['m,move-home', 'o,non-unique', 'p,password:', 'r,remove', 's,shell:', 'u,uid:', 'U,unlock', 'b,badname'],
];

/** Models shadow's usermod. */
export const usermod = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const [name, ...more] = options.operands;
    if (name === undefined || more.length > 0) throw new UsageFailure('');
    const { sys } = tool;
    const data = new Databases(sys);
    const user = data.find(PASSWD, name);
    if (!user) throw new ToolFailure(`user '${name}' does not exist`, EXIT.notFound);
    requireRoot(tool, PASSWD);
    if (options.has('a') && !options.has('G'))
      throw new ToolFailure('-a flag is only allowed with the -G flag', EXIT.usage);
    if (options.all.length === 0) {
      tool.warn('no changes');
      return 0;
    }
    const before = user[USER.home] ?? '';
    const set = (field: number, key: string): void => {
      const value = options.value(key);
      if (value !== undefined) user[field] = value;
    };
    set(USER.comment, 'c');
    set(USER.home, 'd');
    set(USER.shell, 's');
    const [id, login] = [options.value('u'), options.value('l')];
    if (id !== undefined && data.rows(PASSWD).some((row) => row[USER.id] === id && row !== user) && !options.has('o'))
      throw new ToolFailure(`UID '${id}' already exists`, EXIT.idInUse);
    set(USER.id, 'u');
    if (options.has('g')) user[USER.group] = groupsNamed(data, options.value('g')!)[0]?.[TEAM.id] ?? '';
    if (options.has('G')) changeGroups(data, name, options.value('G')!, options.has('a'), options.has('r'));
    changeSecret(data, name, options);
    if (login !== undefined) rename(data, name, login);
    data.save();
    if (options.has('m') && options.has('d')) moveHome(before, user[USER.home] ?? '');
    return 0;

    function moveHome(from: string, to: string): void {
      if (from === to || !exists(sys, from)) return;
      if (exists(sys, to)) throw new ToolFailure(`directory ${to} exists`, 12);
      try {
        sys.rename(from, to);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        throw new ToolFailure(`cannot rename directory ${from} to ${to}: ${strerror(error)}`, 12);
      }
    }
  },
  { usage: '[options] LOGIN', usageCode: EXIT.usage },
);

function changeGroups(data: Databases, name: string, list: string, isAdded: boolean, isRemoved: boolean): void {
  const named = groupsNamed(data, list);
  if (isAdded) return joinGroups(data, named, name);
  for (const row of data.rows(GROUP)) {
    const leaves = isRemoved ? named.includes(row) : !named.includes(row);
    if (leaves)
      row[TEAM.members] = (row[TEAM.members] ?? '')
        .split(',')
        .filter((one) => one !== name)
        .join(',');
  }
  if (!isRemoved) joinGroups(data, named, name);
}

function changeSecret(data: Databases, name: string, options: ReturnType<typeof parseOptions>): void {
  if (!options.has('L', 'U', 'p', 'e', 'f')) return;
  const secret = data.find(SHADOW, name);
  if (!secret) return;
  const hash = secret[SECRET.hash] ?? '';
  if (options.has('p')) secret[SECRET.hash] = options.value('p')!;
  if (options.has('L') && !hash.startsWith('!')) secret[SECRET.hash] = `!${hash}`;
  if (options.has('U')) {
    if (hash === '!' || hash === '!!')
      throw new ToolFailure(
        "unlocking the user's password would result in a passwordless account.\n" +
          "You should set a password with usermod -p to unlock this user's password.",
        EXIT.argument,
      );
    secret[SECRET.hash] = hash.replace(/^!/, '');
  }
  if (options.has('e')) secret[SECRET.expires] = expiryOf(options.value('e'));
  if (options.has('f')) secret[SECRET.inactive] = options.value('f')!.replace('-1', '');
}

function rename(data: Databases, from: string, to: string): void {
  if (data.find(PASSWD, to)) throw new ToolFailure(`user '${to}' already exists`, EXIT.nameInUse);
  for (const path of [PASSWD, SHADOW] as const) {
    const row = data.find(path, from);
    if (row) row[0] = to;
  }
  for (const row of data.rows(GROUP))
    row[TEAM.members] = (row[TEAM.members] ?? '')
      .split(',')
      .map((one) => (one === from ? to : one))
      .join(',');
}
