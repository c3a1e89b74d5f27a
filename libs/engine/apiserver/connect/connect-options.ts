import { keyOfCall, type Call } from '../call.js';
import { untrackedWriteOptions } from '../call-options.js';

const FLAGS = ['stdin', 'stdout', 'stderr', 'tty'] as const;

/**
 * Lets webhooks and policies admit the options of a connection, with the operation CONNECT. Throws ApiError. Models
 * rest.go ConnectResource.
 */
export function admitConnection(call: Call, tail: string): void {
  const { kind, subresource, server } = call;
  const type = { group: '', version: 'v1', kind: kind.subresources?.connects?.[subresource]?.kind ?? '' };
  const body = {
    apiVersion: type.version,
    kind: type.kind,
    metadata: {},
    ...(subresource === 'proxy' ? pathOption(tail) : streamOptions(call)),
  };
  const options = untrackedWriteOptions(call, false);
  server.writer.admitBody('CONNECT', kind, subresource, { key: keyOfCall(call), type, object: body }, options);
}

const pathOption = (tail: string): object => (tail ? { path: tail } : {});

function streamOptions({ query, subresource }: Call): object {
  const container = query.text('container');
  const [command, ports] = [query.all('command'), query.all('ports')];
  if (subresource === 'portforward') return ports.length > 0 ? { ports: ports.map(Number) } : {};
  const flags = FLAGS.filter((name) => query.flag(name)).map((name) => [name, true] as const);
  return {
    ...Object.fromEntries(flags),
    ...(container ? { container } : {}),
    ...(subresource === 'exec' && command.length > 0 ? { command } : {}),
  };
}
