import { read } from '../../../kube/client.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import type { Row } from '../../../kube/row.js';
import { podsText, selectedPath } from './from-object.js';

type Target = Pick<Row, 'namespace' | 'name'>;

/** "ns/pod,ns/pod": pods themselves, or the pods that workloads select. Rejects with Failure. */
export async function logSources(clusterId: string, resource: Resource, targets: readonly Target[]): Promise<string> {
  if (resource.group === '') return targets.map(({ namespace, name }) => `${namespace}/${name}`).join(',');
  const texts = await Promise.all(
    targets.map(async ({ namespace, name }) => {
      const workload = await read({ clusterId }, pathOf(resource, namespace, name));
      return podsText(await read<unknown>({ clusterId }, selectedPath(workload, 'v1', 'pods')));
    }),
  );
  return texts.filter(Boolean).join(',');
}
