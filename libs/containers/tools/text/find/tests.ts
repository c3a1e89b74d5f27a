import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { applyMode } from '../../coreutils/files/modes.js';
import { matchesGlob } from '../../patterns/glob.js';
import { compileRegex } from '../../patterns/posix-regex.js';
import { strerror } from '../../framework/tool.js';
import { FindActions } from './actions.js';
import { type Expression, TYPE_OF } from './expression.js';
import { baseName, type Visit } from './state.js';

/** What find asks of a file. */
export abstract class FindTests extends FindActions {
  protected test(test: Extract<Expression, { type: 'test' }>, visit: Visit, stat: FileStat): boolean {
    const { sys, state, tool } = this;
    const { name, text, number, sign } = test;
    const compare = (value: number) =>
      sign === '+' ? value > number : sign === '-' ? value < number : value === number;
    const age = (at: number, unit: number) => Math.floor((sys.now - at) / unit);
    switch (name) {
      case '-true':
        return true;
      case '-false':
        return false;
      case '-name':
        return matchesGlob(text, baseName(visit.path));
      case '-iname':
        return matchesGlob(text, baseName(visit.path), true);
      case '-path':
      case '-wholename':
        return matchesGlob(text, visit.path);
      case '-ipath':
        return matchesGlob(text, visit.path, true);
      case '-regex':
      case '-iregex':
        return compileRegex(`^\\(${text}\\)$`, 'basic', { ignoreCase: name === '-iregex' }).test(visit.path);
      case '-lname':
        return stat.type === 'link' && matchesGlob(text, sys.readLink(visit.path));
      case '-type':
        return text.split(',').some((letter) => TYPE_OF[letter] === stat.type);
      case '-xtype':
        return text.split(',').some((letter) => TYPE_OF[letter] === followedType(sys, visit.path, stat));
      case '-size': {
        const unit = { c: 1, w: 2, b: 512, k: 1_024, M: 1_048_576, G: 1_073_741_824 }[text]!;
        return compare(Math.ceil(stat.size / unit));
      }
      case '-empty':
        return stat.type === 'directory'
          ? sys.readDirectory(visit.path).length === 0
          : stat.type === 'file' && stat.size === 0;
      case '-perm':
        return hasMode(text, stat);
      case '-user':
      case '-uid':
        return compare(stat.user);
      case '-group':
      case '-gid':
        return compare(stat.group);
      case '-nouser':
        return !this.accounts().users.some(({ id }) => id === stat.user);
      case '-nogroup':
        return !this.accounts().groups.some(({ id }) => id === stat.group);
      case '-links':
        return compare(stat.links);
      case '-inum':
        return compare(stat.inode);
      case '-samefile':
        return sys.stat(text).inode === stat.inode;
      case '-fstype':
        return sys.statFileSystem(visit.path).type === text;
      case '-newer':
        return stat.modified > number;
      case '-mtime':
        return compare(age(stat.modified, 86_400_000));
      case '-atime':
        return compare(age(stat.accessed, 86_400_000));
      case '-ctime':
        return compare(age(stat.changed, 86_400_000));
      case '-mmin':
        return compare(age(stat.modified, 60_000) + (sign === '' ? 1 : 0));
      case '-amin':
        return compare(age(stat.accessed, 60_000) + (sign === '' ? 1 : 0));
      case '-cmin':
        return compare(age(stat.changed, 60_000) + (sign === '' ? 1 : 0));
      case '-readable':
      case '-writable':
      case '-executable':
        return sys.access(visit.path, { a: 'r', r: 'w', x: 'x' }[name[2]!] ?? name[1]!);
      case '-prune':
        this.isPruned = true;
        return true;
      case '-quit':
        state.isQuitting = true;
        return true;
      case '-delete':
        return this.once(() => this.remove(visit, stat));
      default:
        return this.once(() => {
          tool.out(this.describe(name, text, visit, stat));
          return true;
        });
    }
  }
}

function followedType(sys: Syscalls, path: Bytes, stat: FileStat): string {
  if (stat.type !== 'link') return stat.type;
  try {
    return sys.stat(path).type;
  } catch (error) {
    strerror(error);
    return 'link';
  }
}

/** `mode` exactly, `-mode` all of its bits, `/mode` any of them. */
function hasMode(text: Bytes, stat: FileStat): boolean {
  const sign = /^[-/]/.exec(text)?.[0] ?? '';
  const mode = applyMode(text.slice(sign.length), 0, stat.type === 'directory', 0) ?? 0;
  if (sign === '-') return (stat.mode & mode) === mode;
  if (sign === '/') return mode === 0 || (stat.mode & mode) !== 0;
  return stat.mode === mode;
}
