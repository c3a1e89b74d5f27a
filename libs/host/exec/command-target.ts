import type { KubeObject } from '@terrarium/engine';

/** The container that a command runs in. */
export interface CommandTarget {
  readonly namespace: string;
  readonly pod: string;
  /** '' for the pod's only one. */
  readonly container: string;
}

const POD_SUBRESOURCE = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/[a-z]+$/;

/** The container that the URL of a request to pods/exec names, which the cluster has answered already. */
export function commandTargetOf({ path, query }: { readonly path: string; readonly query: string }): CommandTarget {
  const [, namespace = '', pod = ''] = POD_SUBRESOURCE.exec(path) ?? [];
  return {
    namespace: decodeURIComponent(namespace),
    pod: decodeURIComponent(pod),
    container: new URLSearchParams(query).get('container') ?? '',
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly running?: object };
}

interface PodStatus {
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
}

/** Whether the container that a command was started in still runs. */
export function isContainerRunning(pod: KubeObject, container: string): boolean {
  const { status = {} } = pod as { status?: PodStatus };
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const statuses = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  const found = container === '' ? statuses[0] : statuses.find(({ name }) => name === container);
  return found?.state?.running !== undefined;
}
