import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { groupName, userName } from '../../accounts.js';
import { formatDate, formatListTime } from '../../coreutils/time/date-format.js';
import { modeLetters, unescapeBytes } from '../../format.js';
import { quoteName } from '../../framework/options.js';
import { strerror } from '../../framework/tool.js';
import { baseName, FindStep, type Visit } from './state.js';

/** What find does with a file: prints it in many ways, or deletes it. */
export abstract class FindActions extends FindStep {
  protected remove(visit: Visit, stat: FileStat): boolean {
    if (visit.path === '.' || visit.path === './') return true;
    try {
      if (stat.type === 'directory') this.sys.removeDirectory(visit.path);
      else this.sys.unlink(visit.path);
      return true;
    } catch (error) {
      this.tool.warn(`cannot delete ${quoteName(visit.path)}: ${strerror(error)}`);
      this.state.failure = 1;
      return false;
    }
  }

  protected describe(name: string, text: Bytes, visit: Visit, stat: FileStat): Bytes {
    if (name === '-print') return `${visit.path}\n`;
    if (name === '-print0') return `${visit.path}\0`;
    const names = this.accounts();
    if (name === '-ls') {
      const time = formatListTime(stat.modified, this.sys.now, 'locale', 'gnu');
      const columns = [
        String(stat.inode).padStart(9),
        String(stat.blocks / 2).padStart(6),
        modeLetters(stat.type, stat.mode),
      ];
      const owner = [
        String(stat.links).padStart(3),
        userName(names, stat.user).padEnd(8),
        groupName(names, stat.group).padEnd(8),
      ];
      return `${[...columns, ...owner, String(stat.size).padStart(8), time, visit.path].join(' ')}\n`;
    }
    return this.format(text, visit, stat);
  }

  protected format(format: Bytes, visit: Visit, stat: FileStat): Bytes {
    const names = this.accounts();
    const parent = visit.path.includes('/') ? visit.path.replace(/\/[^/]*$/, '') : '.';
    const letter = { file: 'f', directory: 'd', link: 'l', fifo: 'p', socket: 's', char: 'c', block: 'b' }[stat.type];
    const values: Readonly<Record<string, () => Bytes>> = {
      p: () => visit.path,
      f: () => baseName(visit.path),
      h: () => parent,
      P: () => (visit.path === visit.root ? '' : visit.path.slice(visit.root.length).replace(/^\//, '')),
      H: () => visit.root,
      s: () => String(stat.size),
      b: () => String(stat.blocks),
      k: () => String(Math.ceil(stat.blocks / 2)),
      m: () => stat.mode.toString(8),
      M: () => modeLetters(stat.type, stat.mode),
      u: () => userName(names, stat.user),
      U: () => String(stat.user),
      g: () => groupName(names, stat.group),
      G: () => String(stat.group),
      y: () => letter,
      d: () => String(visit.depth),
      i: () => String(stat.inode),
      n: () => String(stat.links),
      l: () => (stat.type === 'link' ? this.sys.readLink(visit.path) : ''),
      t: () => formatDate('%a %b %e %H:%M:%S.%N0 %Y', stat.modified),
    };
    const filled = unescapeBytes(format, true).bytes.replace(
      /%([-0]?)(\d*)(T[@a-zA-Z+]|[a-zA-Z%])/g,
      (whole, flag: string, width: string, code: string) => {
        if (code === '%') return '%';
        if (code === 'T@') return `${(stat.modified / 1_000).toFixed(3)}0000000`;
        if (code.startsWith('T') && code.length === 2)
          return code === 'T+' ? formatDate('%F+%T.%N0', stat.modified) : formatDate(`%${code[1]}`, stat.modified);
        const value = values[code]?.();
        if (value === undefined) return whole;
        return flag === '-' ? value.padEnd(Number(width || 0)) : value.padStart(Number(width || 0));
      },
    );
    return filled;
  }
}
