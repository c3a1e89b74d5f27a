import type { Target } from '../../faults/index.js';
import type { FaultSpec } from '../../kinds/terrarium/fault/kind.js';
import type { ChaosEngine, EngineExperiment } from './objects.js';

/** Seconds, where TOTAL_CHAOS_DURATION does not say. */
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 86_400;

/** The fault that an experiment of an engine stands for; undefined: it is not simulated. */
export function translateExperiment({ spec = {} }: ChaosEngine, experiment: EngineExperiment): FaultSpec | undefined {
  const env = new Map((experiment.spec?.components?.env ?? []).map(({ name, value = '' }) => [name, value]));
  const seconds = Math.min(MAX_SECONDS, Number(env.get('TOTAL_CHAOS_DURATION')) || DEFAULT_SECONDS);
  const duration = `${seconds}s`;
  const { appns = 'default', applabel = '' } = spec.appinfo ?? {};
  const container = env.get('TARGET_CONTAINER');
  const target: Target = { namespaces: [appns], ...labelled(applabel), ...shareOf(env.get('PODS_AFFECTED_PERC')) };
  const containers = container ? { containers: [container] } : {};
  switch (experiment.name) {
    case 'pod-delete':
      return {
        ...{ type: 'PodKill', target, duration },
        parameters: { gracePeriodSeconds: env.get('FORCE') === 'false' ? 30 : 0 },
      };
    case 'container-kill':
      return { type: 'ContainerKill', target: { ...target, ...containers }, duration };
    case 'pod-network-loss': {
      const percent = Math.min(100, Number(env.get('NETWORK_PACKET_LOSS_PERCENTAGE') ?? 100) || 0);
      return { type: 'PacketLoss', target, duration, parameters: { percent } };
    }
    case 'node-drain': {
      const node = env.get('TARGET_NODE');
      return node ? { type: 'NodeDrain', target: { nodes: [node] }, duration } : undefined;
    }
    default:
      return undefined;
  }
}

/** 'app=web'; a list of them is one of labels that hold together. */
function labelled(text: string): Pick<Target, 'podSelector'> {
  const labels = text.split(',').flatMap((pair): [string, string][] => {
    const [name = '', value = ''] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), value.trim()]];
  });
  return labels.length > 0 ? { podSelector: { matchLabels: Object.fromEntries(labels) } } : {};
}

/** Without a share one pod is hit. */
const shareOf = (text: string | undefined): Pick<Target, 'mode' | 'value'> => {
  const percent = Number(text);
  return percent > 0 ? { mode: 'percent', value: Math.min(100, percent) } : { mode: 'one' };
};
