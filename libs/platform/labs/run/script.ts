/** How a script has ended, and what it has printed: both of its streams, in the order in which they were read. */
export interface ScriptResult {
  readonly code: number;
  readonly output: string;
}

/** Where a script runs: by the shell of a node, or of a container. */
export type Place = { readonly node: string } | { readonly pod: string; readonly container?: string | undefined };

/** What a command without a terminal is opened with. */
export const UPGRADE: Readonly<Record<string, string>> = { connection: 'Upgrade', upgrade: 'websocket' };

const DEFAULT_NAMESPACE = 'default';

/** The request that opens the script's session. A pod is called NAMESPACE/NAME, or by its name in `default`. */
export function scriptRequest(place: Place, script: string): { readonly path: string; readonly query: string } {
  const query = new URLSearchParams({ stdout: 'true', stderr: 'true' });
  const isNode = 'node' in place;
  if (!isNode && place.container !== undefined) query.set('container', place.container);
  for (const word of [isNode ? 'bash' : 'sh', '-c', script]) query.append('command', word);
  return { path: isNode ? `/api/v1/nodes/${place.node}/shell` : `${podPath(place.pod)}/exec`, query: query.toString() };
}

function podPath(pod: string): string {
  const [namespace, name] = pod.includes('/') ? pod.split('/') : [DEFAULT_NAMESPACE, pod];
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

/** Bytes of the shell's streams as text. */
export const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
