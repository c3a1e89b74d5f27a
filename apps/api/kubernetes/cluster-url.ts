/** Longest id that is looked at; find-my-way's own limit is set to the same. */
export const MAX_ID_LENGTH = 500;

/** A URL below /clusters/<id>, as the cluster's own API server sees it. */
export interface ClusterUrl {
  readonly id: string;
  /** Begins with a slash; escapes are left as they are. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

const CLUSTER_URL = /^(?:https?:\/\/[^/]*)?\/clusters\/([^/?]+)(\/[^?]*)?(?:\?([^]*))?$/;

/** Undefined when the URL is not one below /clusters/<id>. */
export function parseClusterUrl(url: string | undefined): ClusterUrl | undefined {
  const [, escapedId = '', path = '/', query = ''] = CLUSTER_URL.exec(url ?? '') ?? [];
  if (escapedId === '' || escapedId.length > MAX_ID_LENGTH) return undefined;
  try {
    return { id: decodeURIComponent(escapedId), path, query };
  } catch {
    return undefined;
  }
}
