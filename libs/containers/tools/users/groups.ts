import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure, UsageFailure } from '../framework/tool.js';
import { Databases, EXIT, GROUP, isGoodName, nextId, PASSWD, requireRoot, TEAM, USER } from './databases.js';
import { groupsNamed, joinGroups } from './useradd.js';

const ids = (data: Databases): number[] => data.rows(GROUP).map((row) => Number(row[TEAM.id]));

/** Models shadow's groupadd. */
export const groupadd = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'f,force',
      'g,gid:',
      'K,key:',
      'o,non-unique',
      'p,password:',
      'r,system',
      'U,users:',
    ]);
    const [name, ...more] = options.operands;
    if (name === undefined || more.length > 0) throw new UsageFailure('');
    if (!isGoodName(name)) throw new ToolFailure(`'${name}' is not a valid group name`, EXIT.argument);
    const data = new Databases(tool.sys);
    if (data.find(GROUP, name)) {
      if (options.has('f')) return 0;
      throw new ToolFailure(`group '${name}' already exists`, EXIT.nameInUse);
    }
    requireRoot(tool, GROUP);
    let id = options.value('g');
    if (id !== undefined && ids(data).includes(Number(id)) && !options.has('o')) {
      if (!options.has('f')) throw new ToolFailure(`GID '${id}' already exists`, EXIT.idInUse);
      id = undefined;
    }
    data.rows(GROUP).push([name, 'x', id ?? String(nextId(ids(data), options.has('r'))), options.value('U') ?? '']);
    data.save();
    return 0;
  },
  { usage: '[options] GROUP', usageCode: EXIT.usage },
);

/** Models shadow's groupdel. */
export const groupdel = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['f,force']);
    const [name, ...more] = options.operands;
    if (name === undefined || more.length > 0) throw new UsageFailure('');
    const data = new Databases(tool.sys);
    const group = data.find(GROUP, name);
    if (!group) throw new ToolFailure(`group '${name}' does not exist`, EXIT.notFound);
    requireRoot(tool, GROUP);
    const user = data.rows(PASSWD).find((row) => row[USER.group] === group[TEAM.id]);
    if (user && !options.has('f'))
      throw new ToolFailure(`cannot remove the primary group of user '${user[USER.name]}'`, EXIT.busy);
    data.remove(GROUP, name);
    data.save();
    return 0;
  },
  { usage: '[options] GROUP', usageCode: EXIT.usage },
);

/** Models shadow's groupmod. */
export const groupmod = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'a,append',
      'g,gid:',
      'n,new-name:',
      'o,non-unique',
      'p,password:',
      'U,users:',
    ]);
    const [name, ...more] = options.operands;
    if (name === undefined || more.length > 0) throw new UsageFailure('');
    const data = new Databases(tool.sys);
    const group = data.find(GROUP, name);
    if (!group) throw new ToolFailure(`group '${name}' does not exist`, EXIT.notFound);
    requireRoot(tool, GROUP);
    const [id, to] = [options.value('g'), options.value('n')];
    if (id !== undefined && ids(data).includes(Number(id)) && group[TEAM.id] !== id && !options.has('o'))
      throw new ToolFailure(`GID '${id}' already exists`, EXIT.idInUse);
    if (to !== undefined && to !== name && data.find(GROUP, to))
      throw new ToolFailure(`group '${to}' already exists`, EXIT.nameInUse);
    if (id !== undefined) {
      for (const row of data.rows(PASSWD)) if (row[USER.group] === group[TEAM.id]) row[USER.group] = id;
      group[TEAM.id] = id;
    }
    if (to !== undefined) group[TEAM.name] = to;
    data.save();
    return 0;
  },
  { usage: '[options] GROUP', usageCode: EXIT.usage },
);

/** Models shadow's gpasswd, for members only. */
export const gpasswd = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['a,add:', 'd,delete:', 'M,members:', 'A,administrators:', 'r', 'R', 'Q:']);
    const [name] = options.operands;
    if (name === undefined) throw new UsageFailure('');
    const data = new Databases(tool.sys);
    const [group] = data.find(GROUP, name) ? groupsNamed(data, name) : [];
    if (!group) throw new ToolFailure(`group '${name}' does not exist in ${GROUP}`, 1);
    if (tool.sys.user !== 0) throw new ToolFailure('Permission denied.', 1);
    const [add, remove, members] = [options.value('a'), options.value('d'), options.value('M')];
    for (const user of [add, remove])
      if (user !== undefined && !data.find(PASSWD, user)) throw new ToolFailure(`user '${user}' does not exist`, 1);
    if (add !== undefined) {
      tool.out(`Adding user ${add} to group ${name}\n`);
      joinGroups(data, [group], add);
    } else if (remove !== undefined) {
      const known = (group[TEAM.members] ?? '').split(',');
      if (!known.includes(remove))
        throw new ToolFailure(`user '${remove}' is not a member of '${name}'`, EXIT.argument);
      tool.out(`Removing user ${remove} from group ${name}\n`);
      group[TEAM.members] = known.filter((one) => one !== remove).join(',');
    } else if (members !== undefined) group[TEAM.members] = members;
    else throw new ToolFailure('passwords of groups are not simulated here', 1);
    data.save();
    return 0;
  },
  { usage: '[option] GROUP', usageCode: EXIT.usage },
);
