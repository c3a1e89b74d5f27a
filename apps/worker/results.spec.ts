import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { postJson } from '@terrarium/host';
import type { DueWebhook } from '@terrarium/platform';
import { sendResults, type ResultsParts } from './results.js';

interface Received {
  readonly signature: string;
  readonly body: string;
}

let server: http.Server | undefined;
afterEach(() => void server?.close());

/** A receiver that answers with these in turn, then with 200. */
async function receive(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ signature: String(request.headers['terrarium-signature']), body });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

const result = (revision: number, score: number) => ({ revision, time: 't', phase: 'Pending', score });
const check = (name: string, ...results: object[]) => ({
  metadata: { name },
  spec: {},
  status: { points: 4, results },
});
const list = {
  metadata: { resourceVersion: '90' },
  items: [check('a', result(10, 1), result(30, 2)), check('b', result(20, 4))],
};

/** A webhook's row, as its cluster's deliveries leave it. */
class Row {
  readonly recorded: string[] = [];
  sentRevision = 0;
  failures = 0;

  constructor(
    private readonly url: string,
    readonly allowsPrivate = true,
  ) {}

  async takeDue(clusterId: string): Promise<DueWebhook> {
    const { url, sentRevision, failures } = this;
    return { clusterId, url, secret: 'whsec_x', sentRevision, failures };
  }

  async recordSent(_id: string, revision: number): Promise<void> {
    this.sentRevision = revision;
    this.failures = 0;
    this.recorded.push(`sent ${revision}`);
  }

  async recordSeen(_id: string, revision: number): Promise<void> {
    this.recorded.push(`seen ${revision}`);
  }

  async recordFailure({ failures }: DueWebhook, error: string): Promise<void> {
    this.failures = failures + 1;
    this.recorded.push(`failed ${this.failures}: ${error}`);
  }

  send(status = 200): Promise<void> {
    const host: ResultsParts['host'] = {
      request: async () => ({ type: 'body', status, headers: {}, body: JSON.stringify(list) }),
    };
    return sendResults({ host, webhooks: this, post: postJson, now: () => 1_764_003_600_000 }, 'c');
  }
}

test('results are sent in their order, signed, and once', async () => {
  const { url, received } = await receive();
  const row = new Row(url);
  await row.send();
  expect(row.recorded).toEqual(['sent 10', 'sent 20', 'sent 30', 'seen 90']);
  const [{ signature, body } = { signature: '', body: '' }] = received;
  expect(JSON.parse(body)).toEqual({
    ...{ id: 'c-10-a', type: 'check.result', cluster: 'c', check: 'a', title: 'a', points: 4 },
    ...result(10, 1),
  });
  const own = createHmac('sha256', 'whsec_x').update(`1764003600.${body}`).digest('hex');
  expect(signature).toBe(`t=1764003600,v1=${own}`);
  await row.send();
  expect(received).toHaveLength(3);
});

test('what was not received is sent again, and nothing before it', async () => {
  const { url, received } = await receive(200, 503, 302);
  const row = new Row(url);
  await row.send();
  await row.send();
  expect(row.recorded).toEqual(['sent 10', 'failed 1: answered 503', 'failed 2: answered 302']);
  await row.send();
  expect(received.map(({ body }) => (JSON.parse(body) as { revision: number }).revision)).toEqual([10, 20, 20, 20, 30]);
  expect(row.recorded.at(-1)).toBe('seen 90');
});

test('an address that is not public is not called unless it may be', async () => {
  const { url, received } = await receive();
  const row = new Row(url, false);
  await row.send();
  expect(row.recorded).toEqual([expect.stringMatching(/^failed 1: dial tcp 127.0.0.1:\d+: calls of addresses/)]);
  expect(received).toEqual([]);
});

test('a cluster that does not answer is tried again by the task', async () => {
  const { url } = await receive();
  await expect(new Row(url).send(500)).rejects.toThrow('the cluster answered 500');
});
