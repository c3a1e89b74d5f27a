import { textOf, type Bytes } from '../../../engine/kernel/bytes.js';

export interface Flags {
  /** Of the first word that is no flag, or has no value. */
  readonly error?: string;
  get(name: string, otherwise: string): string;
}

/** Words of one command line. */
const MAX_WORDS = 100;
/** Flags that need no value. */
const SWITCHES: readonly string[] = [
  'skip-multus-binary-copy',
  'namespace-isolation',
  'multus-log-to-stderr',
  'override-network-name',
  'cleanup-config-on-exit',
  'skip-config-watch',
  'rename-conf-file',
  'skip-tls-verify',
  'force-cni-version',
];
const SHORT: Readonly<Record<string, string>> = { t: 'type', d: 'dest-dir' };

/** `--name=value`, `--name value`, `-n value`, as spf13/pflag and Go's flag read them. */
export function readFlags(words: readonly Bytes[]): Flags {
  const values = new Map<string, string>();
  let error: string | undefined;
  const rest = words.slice(0, MAX_WORDS).map(textOf);
  while (rest.length > 0 && error === undefined) {
    const word = rest.shift() ?? '';
    const bare = word.startsWith('--') ? word.slice(2) : word.slice(1);
    if (!word.startsWith('-') || bare === '') continue;
    const equals = bare.indexOf('=');
    const short = equals < 0 ? bare : bare.slice(0, equals);
    const name = SHORT[short] ?? short;
    if (equals >= 0) values.set(name, bare.slice(equals + 1));
    else if (SWITCHES.includes(name)) values.set(name, 'true');
    else if (rest.length > 0) values.set(name, rest.shift() ?? '');
    else error = `flag needs an argument: ${word}`;
  }
  return {
    ...(error === undefined ? {} : { error }),
    get: (name, otherwise) => values.get(name) ?? otherwise,
  };
}
