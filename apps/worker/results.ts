import type { ApiRequest, ApiResponse } from '@terrarium/engine';
import { SIGNATURE_HEADER, signResults, type CheckWebhooks, type DueWebhook } from '@terrarium/platform';

const CHECKS: ApiRequest = {
  method: 'GET',
  path: '/apis/terrarium.dev/v1alpha1/checks',
  query: '',
  headers: { accept: 'application/json' },
  user: { name: 'system:terrarium', groups: ['system:masters', 'system:authenticated'] },
};

interface Result {
  readonly revision: number;
  readonly time: string;
  readonly phase: string;
  readonly score: number;
}

interface CheckList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly title?: string };
    readonly status: { readonly points?: number; readonly results?: readonly Result[] };
  }[];
}

export interface ResultsParts {
  readonly host: { request(id: string, request: ApiRequest): Promise<ApiResponse> };
  readonly webhooks: Pick<CheckWebhooks, 'allowsPrivate' | 'recordFailure' | 'recordSeen' | 'recordSent' | 'takeDue'>;
  post(url: string, body: string, headers: Readonly<Record<string, string>>, allowPrivate: boolean): Promise<void>;
  now(): number;
}

/**
 * Sends the results of a cluster's checks that were not received yet, in their order. What was received is recorded
 * after each: one that was sent, but not recorded, is sent again. Rejects when the cluster does not answer.
 */
export async function sendResults({ host, webhooks, post, now }: ResultsParts, cluster: string): Promise<void> {
  const due = await webhooks.takeDue(cluster);
  if (!due) return;
  const response = await host.request(cluster, CHECKS);
  if (response.type !== 'body' || response.status !== 200) throw new Error(`the cluster answered ${response.status}`);
  const list = JSON.parse(textOf(response.body)) as CheckList;
  for (const event of eventsOf(list, due)) {
    const body = JSON.stringify(event);
    try {
      const headers = { [SIGNATURE_HEADER]: signResults(due.secret, body, now()), 'user-agent': 'terrarium-checks' };
      await post(due.url, body, headers, webhooks.allowsPrivate);
    } catch (error) {
      // It is told to who asks about the webhook, and tried again later.
      return webhooks.recordFailure(due, error instanceof Error ? error.message : String(error));
    }
    await webhooks.recordSent(cluster, event.revision);
  }
  await webhooks.recordSeen(cluster, Number(list.metadata.resourceVersion));
}

function eventsOf({ items }: CheckList, { clusterId, sentRevision }: DueWebhook) {
  return items
    .flatMap(({ metadata: { name }, spec: { title = name }, status: { points = 1, results = [] } }) =>
      results.map((result) => ({
        id: `${clusterId}-${result.revision}-${name}`,
        type: 'check.result',
        cluster: clusterId,
        check: name,
        title,
        points,
        ...result,
      })),
    )
    .filter(({ revision }) => revision > sentRevision)
    .sort((a, b) => a.revision - b.revision);
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
