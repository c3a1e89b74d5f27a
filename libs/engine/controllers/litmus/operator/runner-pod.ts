import type { EnvVar, Pod } from '../../../api/core_v1.js';
import { newControllerRef } from '../../controller-ref-manager.js';
import { listEnv } from '../env.js';
import { ChaosEngines, experimentsOf, type ChaosEngine, type ChaosExperiment } from '../objects.js';
import { describeTargets } from '../chaos/targets.js';

const DEFAULT_IMAGE = 'litmuschaos/chaos-runner:latest';
export const RUNNER = 'chaos-runner';

export const runnerNameOf = ({ metadata }: ChaosEngine): string => `${metadata.name}-runner`;

/** The pod of an engine's runner. Models chaos-operator's newGoRunnerPodForCR. Left out: config maps and secrets. */
export function makeRunnerPod(engine: ChaosEngine, first: ChaosExperiment): Pod {
  const { metadata, spec = {} } = engine;
  const runner = spec.components?.runner ?? {};
  const { podSecurityContext, containerSecurityContext } = first.spec?.definition?.securityContext ?? {};
  const container = {
    ...{
      name: RUNNER,
      image: runner.image || DEFAULT_IMAGE,
      imagePullPolicy: runner.imagePullPolicy || 'IfNotPresent',
    },
    env: runnerEnv(engine),
    ...(runner.args ? { args: runner.args } : {}),
    ...(runner.command ? { command: runner.command } : {}),
    ...(runner.resources ? { resources: runner.resources } : {}),
    ...(containerSecurityContext ? { securityContext: containerSecurityContext } : {}),
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name: runnerNameOf(engine), namespace: metadata.namespace, labels: labelsOf(engine) },
      ...(runner.runnerAnnotations ? { annotations: runner.runnerAnnotations } : {}),
      ownerReferences: [newControllerRef(ChaosEngines, engine)],
    },
    spec: {
      ...{ serviceAccountName: spec.chaosServiceAccount, restartPolicy: 'OnFailure', containers: [container] },
      ...(runner.tolerations ? { tolerations: runner.tolerations } : {}),
      ...(runner.nodeSelector ? { nodeSelector: runner.nodeSelector } : {}),
      ...(runner.imagePullSecrets ? { imagePullSecrets: runner.imagePullSecrets } : {}),
      ...(podSecurityContext ? { securityContext: podSecurityContext } : {}),
    },
  } as unknown as Pod;
}

const labelsOf = ({ metadata, spec }: ChaosEngine): Record<string, string> => ({
  ...{ app: metadata.name ?? '', chaosUID: metadata.uid ?? '' },
  ...{ 'app.kubernetes.io/component': RUNNER, 'app.kubernetes.io/part-of': 'litmus' },
  ...spec?.components?.runner?.runnerLabels,
});

const runnerEnv = (engine: ChaosEngine): EnvVar[] =>
  listEnv({
    CHAOSENGINE: engine.metadata.name,
    TARGETS: describeTargets(engine),
    EXPERIMENT_LIST: experimentsOf(engine)
      .map(({ name }) => name)
      .join(),
    CHAOS_SVC_ACC: engine.spec?.chaosServiceAccount,
    AUXILIARY_APPINFO: engine.spec?.auxiliaryAppInfo,
    CLIENT_UUID: engine.metadata.uid,
    CHAOS_NAMESPACE: engine.metadata.namespace,
  });
