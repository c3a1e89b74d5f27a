import { faultTypes, type FaultType } from '../../engine/faults/index.js';
import type { Dice } from '../fuzz/dice.js';
import type { TimedRequest } from './workload.js';

const SECOND = 1_000;
const FAULTS = '/apis/terrarium.dev/v1alpha1/faults';
const NODES = ['worker-1', 'worker-2'];
/** Controllers that a workload has work for. */
const CONTROLLERS = ['deployment', 'replicaset', 'statefulset', 'job', 'endpointslice', 'garbagecollector'];

/** One of a type, on what it can act on, for as long as a workload may notice. */
function makeFault(dice: Dice, type: FaultType, name: string, from: number, to: number): TimedRequest {
  const lists = type.needs ? { controllers: [dice.pick(CONTROLLERS)] } : {};
  const pods = { namespaces: ['default'], ...(dice.chance(40) ? { mode: 'one' } : {}) };
  const selected = type.selects === 'nodes' ? { nodes: [dice.pick(NODES)] } : type.selects === 'pods' ? pods : {};
  const target = { ...selected, ...lists };
  const parameters = type.parameters?.['offset'] ? { offset: `${dice.roll(600) - 300}s` } : {};
  const spec = {
    ...{ type: type.name, parameters },
    ...(Object.keys(target).length > 0 ? { target } : {}),
    duration: `${10 + dice.roll(50)}s`,
    seed: dice.roll(100),
  };
  return {
    at: (from + dice.roll(to - from)) * SECOND,
    method: 'POST',
    path: FAULTS,
    body: { metadata: { name }, spec },
  };
}

/** Faults of all types come in turn, two for each seed, within so many seconds. */
export function makeFaults(dice: Dice, seed: number, seconds: number): readonly TimedRequest[] {
  return [0, 1].map((i) => {
    const type = faultTypes[(2 * seed + i) % faultTypes.length]!;
    return makeFault(dice, type, `fault-${i}`, 10, Math.floor(0.7 * seconds));
  });
}
