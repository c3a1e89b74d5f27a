import { at, listAt, textAt, type KubeObject } from '../../../kube/object.js';
import { cpuText, memoryText, readQuantity, usageOf, type Usage } from './usage.js';

/** What one row uses. */
export interface RowUsage extends Usage {
  /** As the cells have it: "250m", with what there is "250m (6%)", as kubectl top has it. */
  readonly texts: { readonly cpu: string; readonly memory: string };
}

/** By the key of the row: "NAMESPACE/NAME". */
export type Usages = ReadonlyMap<string, RowUsage>;

/**
 * Of a list of PodMetrics or NodeMetrics; `nodes`: the list of Nodes, when these are measured. Rows that are as they
 * were `before` stay the same ones, so that nothing is drawn anew for them.
 */
export function usagesOf(metrics: unknown, nodes: unknown, before?: Usages): Usages {
  const capacities = new Map(listAt<KubeObject>(nodes, 'items').map((node) => [node.metadata.name, node]));
  return new Map(
    listAt<KubeObject>(metrics, 'items').map((one) => {
      const { name, namespace = '' } = one.metadata;
      const has = at(capacities.get(name), 'status', 'allocatable');
      const { cpu, memory } = usageOf(one);
      const texts = {
        cpu: cpuText(cpu) + shareOf(cpu, textAt(has, 'cpu')),
        memory: memoryText(memory) + shareOf(memory, textAt(has, 'memory')),
      };
      const key = `${namespace}/${name}`;
      const last = before?.get(key);
      const isSame = last?.texts.cpu === texts.cpu && last.texts.memory === texts.memory;
      return [key, isSame ? last : { cpu, memory, texts }];
    }),
  );
}

const shareOf = (used: number, all: string): string =>
  all === '' ? '' : ` (${Math.round((100 * used) / (readQuantity(all) || 1))}%)`;
