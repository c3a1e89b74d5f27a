/** Carries a token in the list of protocols: pages cannot set headers on a WebSocket. */
const BEARER = 'base64url.bearer.authorization.k8s.io.';
/** Kubernetes answers only where another protocol than the token's is offered. */
const FRAMES = 'base64.binary.k8s.io';

const toBase64Url = (text) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** One cluster, by a short-lived token that is for this cluster alone. */
export class ClusterClient {
  constructor({ url, clusterId, token }) {
    this.url = url;
    this.clusterId = clusterId;
    this.token = token;
  }

  /** An object or a list of the Kubernetes API. Rejects with what the API answers. */
  async get(path) {
    const response = await fetch(`${this.url}/clusters/${this.clusterId}${path}`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message ?? body.error);
    return body;
  }

  /** The events of a watch from a resourceVersion on: `{ type, object }`. Returns the socket. */
  watch(path, resourceVersion, { opened, event, closed }) {
    const query = new URLSearchParams({ watch: 'true', resourceVersion, allowWatchBookmarks: 'true' });
    const socket = this.connect(`/clusters/${this.clusterId}${path}?${query}`, [
      BEARER + toBase64Url(this.token),
      FRAMES,
    ]);
    socket.addEventListener('open', opened);
    socket.addEventListener('message', ({ data }) => event(JSON.parse(data)));
    socket.addEventListener('close', closed);
    return socket;
  }

  /** The results of a GraphQL subscription, by the protocol graphql-transport-ws. Returns the socket. */
  subscribe(query, variables, { opened, next, closed }) {
    const socket = this.connect('/graphql', ['graphql-transport-ws']);
    const send = (message) => socket.send(JSON.stringify(message));
    const answers = {
      connection_ack: () => {
        send({ type: 'subscribe', id: '1', payload: { query, variables } });
        opened();
      },
      ping: () => send({ type: 'pong' }),
      next: ({ payload }) => next(payload),
      error: ({ payload }) => socket.close(1000, payload[0]?.message.slice(0, 100)),
      complete: () => socket.close(),
    };
    socket.addEventListener('open', () =>
      send({ type: 'connection_init', payload: { authorization: `Bearer ${this.token}` } }),
    );
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      answers[message.type]?.(message);
    });
    socket.addEventListener('close', closed);
    return socket;
  }

  connect(path, protocols) {
    return new WebSocket(this.url.replace(/^http/, 'ws') + path, protocols);
  }
}
