import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Packet } from '../../../../engine/kernel/capture/packet.js';

/** What tcpdump remembers of a direction of a connection: where its numbers began, and the next one. */
export type Flow = { start: number; next: number };

export interface PrintOptions {
  /** -n: neither ports nor hosts have names. */
  readonly isNumeric: boolean;
  /** -i any: each line names the interface and the direction. */
  readonly isAny: boolean;
  /** -t: no time; -tttt: with the date. */
  readonly times: number;
  /** -q: less. */
  readonly isQuick: boolean;
}

const NAMES: Readonly<Record<number, string>> = {
  22: 'ssh',
  53: 'domain',
  80: 'http',
  443: 'https',
  5432: 'postgresql',
};
const METHODS = ['GET ', 'HEAD ', 'POST ', 'PUT ', 'DELETE ', 'PATCH ', 'OPTIONS ', 'HTTP/'];
const HTTP_PORTS = [80, 8080, 3128];
const WINDOWS = { begin: 64_240, later: 502 };
const MAX_FLOWS = 200;

/** A line of tcpdump. `flows`: of the connections that it has seen, by their ends; it is kept up to date. */
export function printPacket(packet: Packet, flows: Record<string, Flow>, options: PrintOptions): Bytes {
  const { isAny, isNumeric, times, isQuick } = options;
  const { device, isOut, protocol, source, destination } = packet;
  const on = isAny ? `${device.padEnd(5)} ${isOut ? 'Out' : 'In '} ` : '';
  const portOf = (port: number): string => (protocol === 'icmp' ? '' : `.${isNumeric ? port : (NAMES[port] ?? port)}`);
  const ends = `${source}${portOf(packet.sourcePort)} > ${destination}${portOf(packet.destinationPort)}`;
  const what = textOf(packet, flows, isQuick);
  return `${timeOf(packet.at, times)}${on}${source.includes(':') ? 'IP6' : 'IP'} ${ends}: ${what}\n`;
}

function timeOf(at: number, times: number): string {
  if (times === 1) return '';
  const [date = '', clock = ''] = new Date(Math.floor(at)).toISOString().split('T');
  const micros = String(Math.floor((at % 1) * 1_000)).padStart(3, '0');
  return `${times === 4 ? `${date} ` : ''}${clock.slice(0, -1)}${micros} `;
}

function textOf(packet: Packet, flows: Record<string, Flow>, isQuick: boolean): string {
  const { protocol, length, text } = packet;
  if (text !== undefined) return text;
  if (protocol !== 'tcp') return `UDP, length ${length}`;
  const numbers = numbersOf(packet, flows);
  return isQuick ? `tcp ${length}` : `Flags [${packet.flags ?? '.'}], ${numbers}, length ${length}${httpOf(packet)}`;
}

/** Sequence numbers: whole ones at the beginning, then from there on. */
function numbersOf({ flags = '.', length, ...packet }: Packet, flows: Record<string, Flow>): string {
  const [from, to] = [`${packet.source}:${packet.sourcePort}`, `${packet.destination}:${packet.destinationPort}`];
  const isBegin = flags.startsWith('S');
  const own = flowOf(flows, `${from}>${to}`, isBegin);
  const other = flowOf(flows, `${to}>${from}`, false);
  const first = own.next;
  const hasOne = isBegin || flags.startsWith('F');
  own.next += length + (hasOne ? 1 : 0);
  const whole = isBegin || flags.startsWith('R');
  const begin = whole ? own.start + first : first;
  const seq = length > 0 ? `seq ${begin}:${begin + length}, ` : hasOne || flags.startsWith('R') ? `seq ${begin}, ` : '';
  const ack = flags === 'S' ? '' : `ack ${flags === 'S.' ? other.start + other.next : other.next}, `;
  const options = isBegin ? ', options [mss 1460,nop,nop,sackOK,nop,wscale 7]' : '';
  const window = flags.startsWith('R') ? 0 : isBegin ? WINDOWS.begin : WINDOWS.later;
  return `${seq}${ack}win ${window}${options}`;
}

function flowOf(flows: Record<string, Flow>, key: string, isBegin: boolean): Flow {
  if (isBegin) delete flows[key];
  const found = flows[key];
  if (found) return found;
  const keys = Object.keys(flows);
  if (keys.length >= MAX_FLOWS) delete flows[keys[0]!];
  return (flows[key] = { start: startOf(key), next: isBegin ? 0 : 1 });
}

/** The number that a connection begins with is a number of its ends. */
function startOf(key: string): number {
  let number = 2_166_136_261;
  for (let i = 0; i < key.length; i++) number = Math.imul(number ^ key.charCodeAt(i), 16_777_619) >>> 0;
  return number;
}

/** The first line of a request or an answer, at ports that tcpdump takes for those of HTTP. */
function httpOf({ head, sourcePort, destinationPort }: Packet): string {
  if (![sourcePort, destinationPort].some((port) => HTTP_PORTS.includes(port))) return '';
  const [line = ''] = head.split('\r\n');
  return METHODS.some((method) => head.startsWith(method)) ? `: HTTP: ${line}` : '';
}
