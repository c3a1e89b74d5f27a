import type { Bytes } from '../../engine/kernel/bytes.js';
import { exit, type Plain, type Program } from '../../engine/kernel/process/program.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import { busyboxBanner } from '../tools/framework/tool.js';

type State = { applet: string; inner: Plain; listed: Bytes; code: number };

const COPYRIGHT = [
  'BusyBox is copyrighted by many authors between 1998-2024.',
  'Licensed under GPLv2. See source distribution for detailed',
  'copyright notices.',
].join('\n');

/**
 * The program busybox: it is what its name says (a link `ls` to /bin/busybox), or what its first word says
 * (`busybox ls`). `applets` has them by name.
 */
export function makeMultiCall(applets: ReadonlyMap<string, Program>): Program<State> {
  return {
    start(argv, sys) {
      const [name, words] = readCall(argv);
      const program = applets.get(name);
      if (program !== undefined) return { applet: name, inner: program.start(words, sys), listed: '', code: 0 };
      return describe(words[0], [...applets.keys()], sys);
    },
    clock(argv) {
      const [name, words] = readCall(argv);
      return applets.get(name)?.clock?.(words);
    },
    textsOf(state) {
      const texts = applets.get(state.applet)?.textsOf?.(state.inner);
      return texts && { ...texts, paths: texts.paths.map((path) => ['inner', ...path]) };
    },
    isTally: ([inner, ...path]) => inner === 'inner' && applets.get('sh')?.isTally?.(path) === true,
    step(state, sys) {
      const program = applets.get(state.applet);
      if (program !== undefined) return program.step(state.inner, forkingAs(state.applet, sys));
      if (state.listed !== '') sys.write(state.code === 0 ? 1 : 2, state.listed);
      return exit(state.code);
    },
  };
}

/** A copy of an applet is the same applet: what it forks is wrapped as it is itself. */
const forkingAs = (applet: string, sys: Syscalls): Syscalls =>
  Object.create(sys, {
    fork: { value: (inner: Plain) => sys.fork({ applet, inner, listed: '', code: 0 }) },
  }) as Syscalls;

/** The applet and its own argv. */
function readCall(argv: readonly Bytes[]): [name: string, words: readonly Bytes[]] {
  const words = nameOf(argv[0] ?? '') === 'busybox' ? argv.slice(1) : argv;
  return [nameOf(words[0] ?? ''), words];
}

const nameOf = (path: Bytes): Bytes => path.slice(path.lastIndexOf('/') + 1).replace(/^-/, '');

function describe(word: Bytes | undefined, names: readonly string[], sys: Syscalls): State {
  const sorted = [...names].sort();
  if (word === '--list') return { applet: '', inner: null, listed: `${sorted.join('\n')}\n`, code: 0 };
  if (word !== undefined && word !== '--help') {
    return { applet: '', inner: null, listed: `${word}: applet not found\n`, code: 127 };
  }
  const usage =
    'Usage: busybox [function [arguments]...]\n   or: busybox --list[-full]\n   or: function [arguments]...\n';
  const listed = `${busyboxBanner(sys)}${COPYRIGHT}\n\n${usage}\nCurrently defined functions:\n\t${sorted.join(', ')}\n`;
  return { applet: '', inner: null, listed, code: 0 };
}
