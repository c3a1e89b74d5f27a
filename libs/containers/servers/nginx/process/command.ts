import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Mode, Own } from './own.js';

const DEFAULT_FILE = '/etc/nginx/nginx.conf';

/** Of `nginx -s`. */
export const SIGNALS = { stop: 'TERM', quit: 'QUIT', reload: 'HUP', reopen: 'USR1' } as const;

/** Models src/core/nginx.c ngx_get_options. */
export function readCommand(argv: readonly Bytes[]): Pick<Own, 'argv' | 'file' | 'mode' | 'signal' | 'problem'> {
  const found = { argv: [...argv], file: DEFAULT_FILE, mode: 'serve' as Mode, signal: '', problem: '' };
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i]!;
    const value = (): Bytes => (word.length > 2 ? word.slice(2) : (argv[++i] ?? ''));
    if (word === '-v' || word === '-V') found.mode = 'version';
    else if (word === '-t' || word === '-T') found.mode = 'test';
    else if (word === '-q') continue;
    else if (word.startsWith('-c')) found.file = value();
    else if (word.startsWith('-g') || word.startsWith('-p') || word.startsWith('-e')) value();
    else if (word.startsWith('-s')) {
      found.mode = 'signal';
      found.signal = value();
      if (!Object.hasOwn(SIGNALS, found.signal)) found.problem = `invalid option: "-s ${found.signal}"`;
    } else found.problem = `invalid option: "${word.replace(/^-/, '')}"`;
  }
  return found;
}
