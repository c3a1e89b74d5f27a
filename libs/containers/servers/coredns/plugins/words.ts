import { parseAddress } from '../../../../engine/machinery/net/netip.js';
import { CorefileFault } from '../corefile.js';

/** An error of a plug-in's set-up. Models plugin.Error over caddy's Controller.Errf. */
export const fault = (plugin: string, message: string, file: string, line: number): CorefileFault =>
  new CorefileFault(`plugin/${plugin}: ${file}:${line} - Error during parsing: ${message}`);

export const argumentFault = (plugin: string, word: string, file: string, line: number): CorefileFault =>
  fault(plugin, `Wrong argument count or unexpected line ending after '${word}'`, file, line);

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Go's time.ParseDuration, in ms. */
export function readDuration(plugin: string, text: string, file: string, line: number): number {
  let total = 0;
  let rest = text;
  while (rest !== '') {
    const [whole, number, unit] = /^(\d{1,9}(?:\.\d{1,9})?)(ns|us|ms|s|m|h)/.exec(rest) ?? [];
    if (whole === undefined) throw fault(plugin, `time: invalid duration "${text}"`, file, line);
    total += Number(number) * UNITS[unit!]!;
    rest = rest.slice(whole.length);
  }
  if (text === '') throw fault(plugin, 'time: invalid duration ""', file, line);
  return total;
}

/** Whether a name is in a zone; both with the dot at the end. */
export const isInZone = (name: string, zone: string): boolean =>
  zone === '.' || name === zone || name.endsWith(`.${zone}`);

export const longestZone = (name: string, zones: readonly string[]): string | undefined =>
  zones.filter((zone) => isInZone(name, zone)).sort((a, b) => b.length - a.length)[0];

/** The address that a name of a reverse zone stands for. */
export function addressOfPointer(name: string): string | undefined {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.in-addr\.arpa\.$/.exec(name);
  if (four) return four.slice(1).reverse().join('.');
  const digits = name.endsWith('.ip6.arpa.') ? name.slice(0, -'.ip6.arpa.'.length).split('.') : [];
  if (digits.length !== 32 || !digits.every((digit) => /^[\da-f]$/.test(digit))) return undefined;
  const hex = digits.reverse().join('');
  const text = (hex.match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join(':');
  return String(parseAddress(text));
}
