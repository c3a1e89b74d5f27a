import { requestHeaders } from './credentials.js';
import { Failure } from './failure.js';

/** Asks /v1 for what GraphQL does not have. Rejects with Failure. */
export async function rest<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetchPage(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/**
 * A request to a cluster's own Kubernetes API: `path` begins with /api or /apis. With a moment, to the cluster as it
 * was then. Rejects with Failure in the API server's words.
 */
export const kubernetes = (
  { clusterId, at }: { readonly clusterId: string; readonly at?: string },
  path: string,
  init: RequestInit = {},
): Promise<Response> =>
  fetchPage(`/clusters/${encodeURIComponent(at ? `${clusterId}@${at}` : clusterId)}${path}`, init);

/** A fetch of this page's. Rejects with Failure unless it is answered with a 2xx. */
export async function fetchPage(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...requestHeaders(), ...(init.headers as Record<string, string> | undefined) };
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), 0);
  }
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: Response): Promise<Failure> {
  const text = await response.text();
  try {
    // /v1 answers { error, details }, Kubernetes a Status.
    const { error, message, details } = JSON.parse(text) as { error?: string; message?: string; details?: unknown };
    return new Failure(error ?? message ?? text, response.status, details);
  } catch {
    // Not JSON: a proxy's own page, of which the first line is enough.
    return new Failure(text.slice(0, 200) || response.statusText, response.status);
  }
}
