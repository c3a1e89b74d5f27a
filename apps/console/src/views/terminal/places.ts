/** Where a terminal is opened. */
export type Place =
  | { readonly on: 'node'; readonly node: string }
  /** `attach`: to its own process; `container`: a shell beside it. A container '' is the default one. */
  | {
      readonly on: 'container' | 'attach';
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
    };

/** In a link, with commas between: "node/NAME", "ns/pod", "ns/pod/container", "attach/ns/pod/container". */
export const parsePlaces = (text: string): Place[] =>
  text.split(',').flatMap((one): Place[] => {
    const [first, second, third = '', fourth] = one.split('/');
    if (!first || !second) return [];
    // A namespace may be called "attach": what is attached to has four parts, if an empty last one.
    if (fourth !== undefined)
      return first === 'attach' && third ? [{ on: 'attach', namespace: second, pod: third, container: fourth }] : [];
    // A namespace may be called "node": then the container is named, too.
    if (first === 'node' && third === '') return [{ on: 'node', node: second }];
    return [{ on: 'container', namespace: first, pod: second, container: third }];
  });

export function placeText(place: Place): string {
  if (place.on === 'node') return `node/${place.node}`;
  const { namespace, pod, container } = place;
  if (place.on === 'attach') return `attach/${namespace}/${pod}/${container}`;
  return [namespace, pod, container].filter(Boolean).join('/');
}

export const placesText = (places: readonly Place[]): string => places.map(placeText).join(',');

/** What a container takes: those that take no input are looked at, and no more. */
export interface Streams {
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** The path of a terminal's WebSocket (docs/TERMINAL.md). `streams`: of a container that is attached to. */
export function terminalPath(clusterId: string, place: Place, streams: Streams = { stdin: true, tty: true }): string {
  const query = new URLSearchParams();
  if (place.on !== 'node' && place.container) query.set('container', place.container);
  if (place.on === 'attach') {
    query.set('attach', 'true');
    for (const stream of ['stdin', 'tty'] as const) if (!streams[stream]) query.set(stream, 'false');
  }
  const names = (place.on === 'node' ? ['nodes', place.node] : ['namespaces', place.namespace, 'pods', place.pod]).map(
    encodeURIComponent,
  );
  const text = query.toString();
  return `/v1/clusters/${encodeURIComponent(clusterId)}/${names.join('/')}/terminal${text && `?${text}`}`;
}

export type TerminalMessage =
  | { readonly exit: { readonly code: number } }
  | { readonly error: { readonly message: string; readonly reason?: string; readonly code?: number } };

/** What a text message of the service says; undefined for what is none. */
export function readMessage(text: string): TerminalMessage | undefined {
  try {
    const message = JSON.parse(text) as Partial<TerminalMessage> | null;
    if (message && 'exit' in message && typeof message.exit?.code === 'number') return message as TerminalMessage;
    if (message && 'error' in message && typeof message.error?.message === 'string') return message as TerminalMessage;
  } catch {
    // No JSON: nothing that the service says.
  }
  return undefined;
}
