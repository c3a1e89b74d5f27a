import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';

/** '255.255.255.0' of 24. */
export const maskOf = (prefix: number): string =>
  [0, 8, 16, 24].map((at) => 256 - 2 ** (8 - Math.min(8, Math.max(0, prefix - at)))).join('.');

/** The kernel's table of routes as route and netstat print it. */
export function formatRoutes(sys: Syscalls, style: 'route' | 'netstat'): Bytes {
  const counts = style === 'route' ? 'Metric Ref    Use' : '  MSS Window  irtt';
  const head = `Kernel IP routing table\nDestination     Gateway         Genmask         Flags ${counts} Iface\n`;
  const row = ({ destination, gateway, device }: ReturnType<Syscalls['routes']>[number]): Bytes => {
    const [address = '0.0.0.0', prefix] = destination === 'default' ? ['0.0.0.0', '0'] : destination.split('/');
    const bits = Number(prefix ?? 32);
    const flags = `U${gateway === undefined ? '' : 'G'}${bits === 32 ? 'H' : ''}`;
    const numbers = style === 'route' ? '0      0        0' : '    0 0          0';
    const cells = [address, gateway ?? '0.0.0.0', maskOf(bits)].map((cell) => cell.padEnd(15)).join(' ');
    return `${cells} ${flags.padEnd(5)} ${numbers} ${device}\n`;
  };
  return head + sys.routes().map(row).join('');
}
