import { Dice } from '../fuzz/dice.js';
import { makeWorkload, type TimedRequest, type Workload } from './workload.js';

const MINUTES = 4;
const SECOND = 1_000;
const NAMESPACE = 'namespaces/default';

const WORDS = ['echo working', 'sleep 5', 'sleep 0.7', 'date', "printf '%s\\n' a b", 'true', 'false', 'echo "a  b"'];
/** Scripts whose courses their texts tell; the last ones, of which that is not so, stand between them. */
function scriptOf(dice: Dice): string {
  const word = (): string => dice.pick(WORDS);
  return dice.pick([
    () => `${word()}; ${word()}; ${word()}`,
    () => `${word()} && ${word()} || ${word()}`,
    () => `for i in 1 2 $(seq 3 ${3 + dice.roll(4)}); do echo "step $i"; sleep $i; ${word()}; done`,
    () => `${word()}; ${word()}; exit ${dice.roll(4)}`,
    () => `echo $HOSTNAME > /tmp/x; ${word()}; cat /tmp/x`,
    () => `sleep $(date +%S | cut -c2); ${word()}`,
  ])();
}

function podSpec(dice: Dice, restartPolicy: string): object {
  const container = {
    name: 'c',
    image: dice.pick(['busybox:1.36', 'bash:5', 'alpine:3.20']),
    command: dice.chance(20) ? ['sleep', `${dice.roll(20)}`] : ['sh', '-c', scriptOf(dice)],
    ...(dice.chance(20) ? { env: [{ name: 'A', value: 'b' }] } : {}),
    ...(dice.chance(20) ? { terminationMessagePolicy: 'FallbackToLogsOnError' } : {}),
    ...(dice.chance(10) ? { resources: { limits: { cpu: '50m', memory: '64Mi' } } } : {}),
    ...(dice.chance(10) ? { livenessProbe: { exec: { command: ['true'] }, periodSeconds: 3 } } : {}),
  };
  return { restartPolicy, terminationGracePeriodSeconds: 2, containers: [container] };
}

/** Controllers that make one pod after the other, all with the same command line. */
function makers(dice: Dice): TimedRequest[] {
  const post = (group: string, plural: string, at: number, name: string, spec: object): TimedRequest => ({
    at: at * SECOND,
    method: 'POST',
    path: `/apis/${group}/v1/${NAMESPACE}/${plural}`,
    body: { metadata: { name }, spec },
  });
  const labels = { app: 'short' };
  return [
    ...[1, 2, 3].map((i) =>
      post('batch', 'cronjobs', i, `every-${i}`, {
        schedule: '* * * * *',
        jobTemplate: { spec: { backoffLimit: 1, template: { spec: podSpec(dice, 'Never') } } },
      }),
    ),
    ...[1, 2].map((i) =>
      post('batch', 'jobs', 20 * i, `many-${i}`, {
        ...{ completions: 6, parallelism: 2, backoffLimit: 2 },
        template: { spec: podSpec(dice, dice.pick(['Never', 'OnFailure'])) },
      }),
    ),
    post('apps', 'deployments', 30, 'short', {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(dice, 'Always') },
    }),
    { at: 100 * SECOND, method: 'DELETE', path: `/apis/apps/v1/${NAMESPACE}/deployments/short`, body: undefined },
  ];
}

/** A random workload, and beside it controllers that make pods which soon end. */
export function shortPodsOf(seed: number): Workload {
  const dice = new Dice(seed);
  const workload = makeWorkload(dice, MINUTES);
  return { ...workload, requests: [...workload.requests, ...makers(dice)].sort((a, b) => a.at - b.at) };
}
