import type { Container, PodSpec } from '../../engine/api/core_v1.js';
import type { Dice } from '../fuzz/dice.js';

const IMAGES = ['busybox', 'busybox:1.36', 'nginx', 'nginx:1.27', 'redis:7', 'httpd', 'alpine', 'nope:1', 'nginx:nope'];
const POLICIES = ['Always', 'IfNotPresent', 'Never'];
const COMMANDS = [
  ['/none'],
  ['sleep', '3600'],
  ['sleep', '20'],
  ['sh', '-c', 'sleep 5; exit 1'],
  ['sh', '-c', 'exit 0'],
  undefined,
];

const exec = (...command: string[]): { exec: { command: string[] } } => ({ exec: { command } });

/** Whatever may hold up the start of others: it ends, has to start again, pulls anew, is never found. */
function makeContainer(dice: Dice, name: string, isMain: boolean): Container {
  const command = dice.pick(COMMANDS);
  const isProbed = isMain && dice.chance(20);
  const postStart = isMain && dice.chance(15) ? dice.pick([exec('sleep', '3'), exec('false')]) : undefined;
  return {
    name,
    image: dice.pick(IMAGES),
    ...(dice.chance(30) ? { imagePullPolicy: dice.pick(POLICIES) } : {}),
    ...(command ? { command } : {}),
    ...(isProbed ? { livenessProbe: { ...exec('false'), periodSeconds: 3, failureThreshold: 2 } } : {}),
    ...(postStart ? { lifecycle: { postStart } } : {}),
  };
}

export function makePodSpec(dice: Dice): Partial<PodSpec> {
  const containers = Array.from({ length: 1 + dice.roll(4) }, (_, i) => makeContainer(dice, `main-${i}`, true));
  const initContainers = Array.from({ length: dice.chance(35) ? 1 + dice.roll(2) : 0 }, (_, i) => ({
    ...makeContainer(dice, `first-${i}`, false),
    ...(dice.chance(40) ? { restartPolicy: 'Always' } : {}),
  }));
  return {
    containers,
    ...(initContainers.length > 0 ? { initContainers } : {}),
    restartPolicy: dice.pick(['Always', 'Always', 'OnFailure', 'Never']),
    terminationGracePeriodSeconds: dice.pick([0, 5, 30]),
    ...(dice.chance(20) ? { activeDeadlineSeconds: 20 + dice.roll(100) } : {}),
    ...(dice.chance(50) ? { nodeName: dice.pick(['worker-1', 'worker-2']) } : {}),
  };
}
