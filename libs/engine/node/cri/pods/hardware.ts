import type { Pod } from '../../../api/core_v1.js';
import type { Hardware } from '../../../kernel/state.js';
import { Nodes } from '../../../kinds/index.js';
import { milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import type { Reader } from '../../../machinery/reader.js';

/** The computer that a pod runs on: what its node says of its capacity; 4 processors and 8 GiB when it says nothing. */
export function hardwareOf(state: Reader, { spec }: Pod): Hardware {
  const node = state.get(Nodes, { namespace: '', name: spec.nodeName ?? '' });
  const { cpu = '4', memory = '8Gi' } = node?.status.capacity ?? {};
  return { cpus: milliValue(cpu) / 1_000, memory: quantityValue(memory) };
}
