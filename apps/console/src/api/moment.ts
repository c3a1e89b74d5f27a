import { kubernetes } from './rest.js';

/** The revision that was the cluster's last at a moment. Rejects with Failure. */
export async function revisionAt(clusterId: string, at: string): Promise<number> {
  const answer = await kubernetes({ clusterId, at }, '/api/v1/namespaces?limit=1');
  const { metadata } = (await answer.json()) as { readonly metadata: { readonly resourceVersion: string } };
  return Number(metadata.resourceVersion);
}

/** The status of a question of terrarium.dev, such as a Why, which a moment answers. Rejects with Failure. */
export async function askPast<T>(
  { clusterId, at }: { readonly clusterId: string; readonly at: string },
  { kind, plural, spec }: { readonly kind: string; readonly plural: string; readonly spec: object },
): Promise<T> {
  const apiVersion = 'terrarium.dev/v1alpha1';
  const answer = await kubernetes({ clusterId, at }, `/apis/${apiVersion}/${plural}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion, kind, spec }),
  });
  return ((await answer.json()) as { readonly status: T }).status;
}
