import type { ApiObject, Session } from '../../kubectl/session/session.js';
import { attempt, envOf, findDenial } from '../api.js';
import { info } from '../log.js';
import { compare, readSides } from './comparator.js';
import { type CmdInputs, errorOf, failureOf, type Outcome, type Probe, type Source } from './types.js';

const TYPES = ['int', 'float', 'string'];
const SUFFIX = 6;
const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** What a command has printed. */
export interface Printed {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Models validateResult, and what is made of a command's end. */
export function judgeCommand(session: Session, probe: Probe, { code, output, errors }: Printed): Outcome {
  const inputs = probe['cmdProbe/inputs'] ?? {};
  if (code !== 0 && inputs.source) {
    const why = `failed to create a stderr and stdout stream, command terminated with exit code ${code}`;
    return { error: { errorCode: 'GENERIC_ERROR', reason: why } };
  }
  if (code !== 0) return errorOf(probe, `unable to run command: ${output}`);
  const { type = '', criteria = '', value = '' } = inputs.comparator ?? {};
  if (!TYPES.includes(type.toLowerCase()))
    return errorOf(probe, `comparator type '${type}' not supported in the cmd probe`);
  const actual = output.trim();
  const comparison = { type, criteria, actual, expected: value };
  const [a, b] = readSides(comparison);
  info(session, `[Probe]: {Actual value: ${a}}, {Expected value: ${b}}, {Operator: ${criteria}}`);
  const wrong = compare(comparison);
  if (wrong !== undefined) return failureOf(probe, errors.trim() === '' ? wrong : errors, probe.name);
  return { description: `Actual value: '${actual}'. Expected value: '${value}'`, register: actual };
}

/** The name of a probe's pod: that of the run, which is drawn once. */
export const podNameOf = (session: Session): string =>
  `${envOf(session, 'EXPERIMENT_NAME')}-probe-${Array.from({ length: SUFFIX }, () => LETTERS[Math.floor(session.sys.random() * LETTERS.length)]).join('')}`;

const podPath = (session: Session, name = ''): string =>
  `/api/v1/namespaces/${envOf(session, 'CHAOS_NAMESPACE')}/pods${name === '' ? '' : `/${name}`}`;

/** Undefined: the pod that a command of an image of its own runs in is made. Models createProbePod. */
export function createProbePod(session: Session, probe: Probe, source: Source, name: string): Outcome | undefined {
  const own = attempt(() => session.get(podPath(session, envOf(session, 'POD_NAME'))));
  if (own.failure !== undefined) return errorOf(probe, own.failure);
  const made = attempt(() => session.post(podPath(session), makeProbePod(session, source, name, own.object)));
  return made.failure === undefined ? undefined : errorOf(probe, made.failure);
}

function makeProbePod(session: Session, source: Source, name: string, own: ApiObject): object {
  const { serviceAccountName } = (own['spec'] ?? {}) as { serviceAccountName?: string };
  const container = {
    ...{ name: `${envOf(session, 'EXPERIMENT_NAME')}-probe`, image: source.image },
    imagePullPolicy: source.imagePullPolicy || envOf(session, 'LIB_IMAGE_PULL_POLICY', 'Always'),
    command: source.command?.length ? source.command : ['/bin/sh'],
    args: source.args?.length ? source.args : ['-c', 'sleep 10000'],
    env: source.env ?? [],
    securityContext: { privileged: source.privileged ?? false },
    volumeMounts: source.volumeMount ?? [],
  };
  const labels = { name, chaosUID: envOf(session, 'CHAOS_UID'), ...source.labels };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, labels, ...(source.annotations ? { annotations: source.annotations } : {}) },
    spec: {
      ...{ restartPolicy: 'Never', serviceAccountName, containers: [container], volumes: source.volumes ?? [] },
      hostNetwork: source.hostNetwork ?? false,
      ...(source.nodeSelector ? { nodeSelector: source.nodeSelector } : {}),
      ...(source.tolerations ? { tolerations: source.tolerations } : {}),
      ...(source.imagePullSecrets ? { imagePullSecrets: source.imagePullSecrets } : {}),
    },
  };
}

/** 'waits' while the probe's pod does not run. Models CheckApplicationStatusesByLabels. */
export function checkProbePod(session: Session, name: string): 'runs' | 'waits' | Outcome {
  const { object, failure } = attempt(() => session.get(podPath(session, name)));
  const target = `{podName: ${name}, namespace: ${envOf(session, 'CHAOS_NAMESPACE')}}`;
  if (object === undefined) return { error: { errorCode: 'STATUS_CHECKS_ERROR', reason: failure, target } };
  const { phase = 'Pending' } = (object['status'] ?? {}) as { phase?: string };
  if (phase === 'Running') return 'runs';
  if (phase === 'Pending') return 'waits';
  return { error: { errorCode: 'STATUS_CHECKS_ERROR', reason: 'container is in terminated state', target } };
}

/** Begins the command in the probe's pod; an outcome: it may not. */
export function execIn(session: Session, name: string, command: string): { readonly path: string } | Outcome {
  const denial = findDenial(session, 'create', 'pods/exec');
  if (denial !== undefined)
    return { error: { errorCode: 'GENERIC_ERROR', reason: `failed to create a stderr and stdout stream, ${denial}` } };
  const words = ['/bin/sh', '-c', command].map((word) => `command=${encodeURIComponent(word)}`);
  const container = `container=${encodeURIComponent(`${envOf(session, 'EXPERIMENT_NAME')}-probe`)}`;
  return { path: `${podPath(session, name)}/exec?${[...words, container, 'stdout=true', 'stderr=true'].join('&')}` };
}

/** Models deleteProbePod. */
export const deleteProbePod = (session: Session, name: string): void =>
  void attempt(() => session.send('DELETE', podPath(session, name), undefined, ''));

export const inputsOf = (probe: Probe): CmdInputs => probe['cmdProbe/inputs'] ?? {};
