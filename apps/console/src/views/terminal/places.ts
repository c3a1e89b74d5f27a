/** Where a terminal is opened. */
export type Place =
  | { readonly on: 'node'; readonly node: string }
  | { readonly on: 'container'; readonly namespace: string; readonly pod: string; readonly container: string };

/** As they stand in a link: "node/NAME", "ns/pod", "ns/pod/container", with commas between. */
export const parsePlaces = (text: string): Place[] =>
  text.split(',').flatMap((one): Place[] => {
    const [first, second, third = ''] = one.split('/');
    if (!first || !second) return [];
    // A namespace may be called "node": then the container is named, too.
    if (first === 'node' && third === '') return [{ on: 'node', node: second }];
    return [{ on: 'container', namespace: first, pod: second, container: third }];
  });

export const placeText = (place: Place): string =>
  place.on === 'node' ? `node/${place.node}` : [place.namespace, place.pod, place.container].filter(Boolean).join('/');

export const placesText = (places: readonly Place[]): string => places.map(placeText).join(',');

/** The path of a terminal's WebSocket (docs/TERMINAL.md). */
export function terminalPath(clusterId: string, place: Place, command: readonly string[]): string {
  const query = new URLSearchParams(command.map((word) => ['command', word]));
  if (place.on === 'container' && place.container) query.set('container', place.container);
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
