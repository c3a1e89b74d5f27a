import type { Bytes } from '../../../engine/kernel/bytes.js';

/** The last value of `--name=value`, `--name value` or the same with one dash. */
export function readFlag(argv: readonly Bytes[], name: string, byDefault = ''): Bytes {
  let found = byDefault;
  for (const [i, word] of argv.entries()) {
    const bare = word.replace(/^--?/, '');
    if (bare === word) continue;
    if (bare === name) found = argv[i + 1] ?? '';
    else if (bare.startsWith(`${name}=`)) found = bare.slice(name.length + 1);
  }
  return found;
}

const CLIENT_PORT = 2_379;

/** The address and port of a URL; '' for all addresses. */
export function addressOf(url: string): { readonly address: string; readonly port: number } {
  const [, bracketed, plain = '', port] = /^(?:\w+:\/\/)?(?:\[([^\]]*)\]|([^:/]*))(?::(\d+))?/.exec(url) ?? [];
  const host = bracketed ?? plain;
  const address = host === 'localhost' ? '127.0.0.1' : host === '0.0.0.0' || host === '::' ? '' : host;
  return { address, port: Number(port ?? CLIENT_PORT) };
}
