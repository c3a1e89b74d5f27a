import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';

/**
 * Why `--interface SOURCE` cannot be obeyed: an interface's name or an address, after `if!` and `host!` only the one or
 * the other. The kernel sends from the first address of the first interface, so nothing else can be bound to.
 */
export function findBindFault(sys: Syscalls, source: Bytes): string | undefined {
  if (source === '') return undefined;
  const isName = source.startsWith('if!');
  const isHost = source.startsWith('host!');
  const wanted = isName ? source.slice(3) : isHost ? source.slice(5) : source;
  const interfaces = sys.interfaces().map(({ name, addresses }) => ({ name, own: addresses.map(withoutLength) }));
  const named = isHost ? undefined : interfaces.find(({ name }) => name === wanted);
  const holder = named ?? (isName ? undefined : interfaces.find(({ own }) => own.includes(wanted)));
  if (holder === undefined) {
    if (!isName && ADDRESS.test(wanted)) return 'bind failed with errno 99: Cannot assign requested address';
    return `Couldn't bind to ${isName ? 'interface ' : ''}'${wanted}'`;
  }
  // A node's others lead to its pods.
  const first = interfaces.find(({ name }) => name === 'eth0') ?? interfaces.find(({ name }) => name !== 'lo');
  if (holder === first && (named !== undefined || first.own[0] === wanted)) return undefined;
  return `Couldn't bind to '${wanted}': only the first interface's address is simulated here`;
}

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const withoutLength = (address: string): string => address.split('/')[0]!;
