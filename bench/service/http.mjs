// A lean keep-alive client: the client shares the machine with what it measures.
import http from 'node:http';

export class Client {
  constructor({ port, key }, connections = 1) {
    this.port = port;
    this.key = key;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: connections, noDelay: true });
  }

  /** Resolves with `{ status, text }`. `more`: headers. */
  async request(method, path, body, more) {
    const { status, bytes } = await this.exchange(method, path, body, more);
    return { status, text: bytes.toString('utf8') };
  }

  /** Resolves with `{ status, bytes }`. */
  exchange(method, path, body, more) {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { authorization: `Bearer ${this.key}`, accept: 'application/json' };
    if (payload !== undefined)
      Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) });
    Object.assign(headers, more);
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: this.agent },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => resolve({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(payload);
    });
  }

  /** The parsed body; rejects unless the status is 2xx. */
  async json(method, path, body) {
    const { status, text } = await this.request(method, path, body);
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    return text ? JSON.parse(text) : undefined;
  }

  /** Opens a watch; `line` gets every line. Resolves with a function that ends it. */
  watch(path, line) {
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.port, path, headers: { authorization: `Bearer ${this.key}` }, agent: false },
        (response) => {
          if (response.statusCode !== 200) return reject(new Error(`watch ${path}: ${response.statusCode}`));
          let rest = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            const lines = (rest + chunk).split('\n');
            rest = lines.pop();
            for (const text of lines) line(text);
          });
          response.on('error', () => undefined);
          resolve(() => request.destroy());
        },
      );
      request.on('error', reject);
      request.end();
    });
  }

  cluster(settings) {
    return this.json('POST', '/v1/clusters', { name: 'bench', ...settings });
  }

  close() {
    this.agent.destroy();
  }
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
export const median = (values) => quantile(values, 0.5);

export const deployment = (replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] } },
  },
});
/** Nodes that hold 110 pods each, and are never short of CPU or memory. */
export const nodes = (count) => [{ count, cpu: '64', memory: '256Gi' }];
