import type { Pod } from '../../../api/core_v1.js';
import type { Hardware } from '../../../kernel/state.js';
import { Nodes } from '../../../kinds/index.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import { lastingEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/reader.js';

/** The computer that a pod runs on: what its node says of its capacity; 4 processors and 8 GiB when it says nothing. */
export function hardwareOf(state: Reader, { spec }: Pod): Hardware {
  const node = state.get(Nodes, { namespace: '', name: spec.nodeName ?? '' });
  const { cpu = '4', memory = '8Gi' } = node?.status.capacity ?? {};
  const taken = takenOn(state, spec.nodeName ?? '');
  return { cpus: milliValue(cpu) / 1_000, memory: quantityValue(memory), ...(taken ? { taken } : {}) };
}

/** What faults let something beside the pods take of a node, by their times: whoever looks finds the same. */
function takenOn(state: Reader, node: string): Hardware['taken'] {
  const pressures = lastingEffects(state, 'pressure').filter(({ effect }) => effect.nodes.includes(node));
  if (pressures.length === 0) return undefined;
  return (resource, at) => {
    const active = pressures.filter(({ effect, from, to }) => effect.resource === resource && from <= at && at < to);
    return Math.max(0, ...active.map(({ effect }) => effect.percent / 100));
  };
}
