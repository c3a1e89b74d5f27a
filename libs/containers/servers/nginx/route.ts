import type { Bytes } from '../../../engine/kernel/bytes.js';
import { find, findAll, type Directive } from './configuration.js';

/** The blocks that a request's directives are looked up in, the innermost first. */
export interface Route {
  readonly server: Directive;
  readonly location: Directive | undefined;
  readonly chain: readonly (readonly Directive[])[];
}

/** Ports of all servers, with whether they speak TLS. */
export function portsOf(configuration: readonly Directive[]): ReadonlyMap<number, boolean> {
  const ports = new Map<number, boolean>();
  for (const server of serversOf(configuration)) {
    for (const { port, isTls } of listensOf(server)) ports.set(port, (ports.get(port) ?? false) || isTls);
  }
  return ports;
}

export const serversOf = (configuration: readonly Directive[]): readonly Directive[] =>
  findAll(find(configuration, 'http')?.block ?? [], 'server');

/** Where a server listens. */
export function listensOf(server: Directive): { port: number; isTls: boolean; isDefault: boolean }[] {
  const listens = findAll(server.block, 'listen');
  if (listens.length === 0) return [{ port: 80, isTls: false, isDefault: false }];
  return listens.map(({ args: [address = '80', ...words] }) => ({
    port: Number(/(?:^|:)(\d+)$/.exec(address)?.[1] ?? 80),
    isTls: words.includes('ssl'),
    isDefault: words.includes('default_server') || words.includes('default'),
  }));
}

/** The server for a port and a Host header, and the location of a path. */
export function findRoute(
  configuration: readonly Directive[],
  port: number,
  host: string,
  path: Bytes,
): Route | undefined {
  const candidates = serversOf(configuration).filter((one) => listensOf(one).some((listen) => listen.port === port));
  const server =
    findByName(candidates, host.replace(/:\d+$/, '').toLowerCase()) ??
    candidates.find((one) => listensOf(one).some((listen) => listen.port === port && listen.isDefault)) ??
    candidates[0];
  if (server === undefined) return undefined;
  const locations = findLocations(server.block ?? [], path);
  const http = find(configuration, 'http')?.block ?? [];
  const chain = [...locations.map((one) => one.block ?? []).reverse(), server.block ?? [], http];
  return { server, location: locations.at(-1), chain };
}

function findByName(servers: readonly Directive[], host: string): Directive | undefined {
  const names = (server: Directive): Bytes[] => findAll(server.block, 'server_name').flatMap(({ args }) => args);
  const matches = (name: Bytes): boolean =>
    name.startsWith('*.') ? host.endsWith(name.slice(1)) : name.endsWith('.*') && host.startsWith(name.slice(0, -1));
  return (
    servers.find((server) => names(server).some((name) => name.toLowerCase() === host)) ??
    servers.find((server) => names(server).some(matches)) ??
    servers.find((server) => names(server).some((name) => name.startsWith('~') && test(name.slice(1), host, false)))
  );
}

/** nginx' order: an exact location, the longest prefix if it says ^~, the first expression, the longest prefix. */
function findLocations(block: readonly Directive[], path: Bytes): Directive[] {
  const locations = findAll(block, 'location');
  const exact = locations.find(({ args }) => args[0] === '=' && args[1] === path);
  if (exact !== undefined) return [exact];
  let prefix: Directive | undefined;
  const textOf = ({ args }: Directive): Bytes => args.at(-1)!;
  for (const location of locations) {
    const isPrefix = location.args.length === 1 ? !location.args[0]!.startsWith('@') : location.args[0] === '^~';
    if (
      isPrefix &&
      path.startsWith(textOf(location)) &&
      textOf(location).length >= (prefix ? textOf(prefix).length : 0)
    ) {
      prefix = location;
    }
  }
  const inner = prefix === undefined ? [] : [prefix, ...findLocations(prefix.block ?? [], path)];
  if (prefix?.args[0] === '^~') return inner;
  const expression = locations.find(
    ({ args }) => (args[0] === '~' || args[0] === '~*') && test(args[1] ?? '', path, args[0] === '~*'),
  );
  return expression === undefined ? inner : [expression];
}

const MAX_EXPRESSION = 200;
/** A path's bytes that expressions are tried on: repetition in repetition then stays cheap. */
const MAX_PATH = 2_000;

/** A repeated group that repeats itself may take exponential time: it never matches. */
function isHostile(expression: Bytes): boolean {
  const repeats = (char = ''): boolean => char === '+' || char === '*' || char === '{';
  let hasRepeated = false;
  for (let i = 0; i < expression.length; i++) {
    if (expression[i] === '\\') i++;
    else if (expression[i] === ')' && repeats(expression[i + 1]) && hasRepeated) return true;
    else if (repeats(expression[i])) hasRepeated = true;
  }
  return false;
}

/** A regular expression of the configuration over a bounded path. */
export function test(expression: Bytes, text: Bytes, ignoresCase: boolean): boolean {
  return match(expression, text, ignoresCase) !== undefined;
}

export function match(expression: Bytes, text: Bytes, ignoresCase: boolean): RegExpExecArray | undefined {
  if (expression.length > MAX_EXPRESSION || isHostile(expression)) return undefined;
  try {
    return new RegExp(expression, ignoresCase ? 'i' : '').exec(text.slice(0, MAX_PATH)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The arguments of the innermost block that has the directive. */
export const inherited = ({ chain }: Route, name: string): readonly Bytes[] | undefined =>
  chain.map((block) => find(block, name)).find((directive) => directive !== undefined)?.args;
