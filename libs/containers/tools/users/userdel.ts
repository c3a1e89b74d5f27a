import { readNames } from '../accounts.js';
import { removeTree } from '../coreutils/files/remove.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, ToolFailure, UsageFailure } from '../framework/tool.js';
import { Databases, EXIT, exists, GROUP, PASSWD, requireRoot, SHADOW, TEAM, USER } from './databases.js';

/** Models shadow's userdel. */
export const userdel = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['f,force', 'r,remove', 'Z,selinux-user']);
    const [name, ...more] = options.operands;
    if (name === undefined || more.length > 0) throw new UsageFailure('');
    const { sys } = tool;
    const data = new Databases(sys);
    const user = data.find(PASSWD, name);
    if (!user) throw new ToolFailure(`user '${name}' does not exist`, EXIT.notFound);
    requireRoot(tool, PASSWD);
    const process = sys.processes().find((one) => one.user === Number(user[USER.id]));
    if (process && !options.has('f'))
      throw new ToolFailure(`user ${name} is currently used by process ${process.pid}`, EXIT.busy);
    data.remove(PASSWD, name);
    data.remove(SHADOW, name);
    for (const row of data.rows(GROUP))
      row[TEAM.members] = (row[TEAM.members] ?? '')
        .split(',')
        .filter((one) => one !== name)
        .join(',');
    const own = data.find(GROUP, name);
    const isShared = data.rows(PASSWD).some((row) => row[USER.group] === own?.[TEAM.id]);
    if (own?.[TEAM.members] === '' && !isShared) data.remove(GROUP, name);
    data.save();
    if (!options.has('r')) return 0;
    tool.warn(`${name} mail spool (/var/mail/${name}) not found`);
    const home = user[USER.home] ?? '';
    if (!exists(sys, home)) tool.warn(`${name} home directory (${home}) not found`);
    else if (readNames(sys).users.some((one) => one.home === home)) tool.warn(`not removing directory ${home}`);
    else removeTree(sys, home);
    return 0;
  },
  { usage: '[options] LOGIN', usageCode: EXIT.usage },
);
