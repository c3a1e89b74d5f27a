import type { Job } from '../../../api/batch_v1.js';
import type { EnvVar } from '../../../api/core_v1.js';
import type { ChaosEngine, ChaosExperiment, EngineExperiment, ExperimentDefinition } from '../objects.js';
import { listEnv, POD_NAME } from '../env.js';
import { describeTargets } from '../chaos/targets.js';

const CHECK_DELAY = 2;
const CHECK_TIMEOUT = 180;

/**
 * The Job that runs an experiment. Models chaos-runner/pkg/utils/builders.go and environment.go. Left out: config maps,
 * secrets and files of the host, and sidecars.
 */
export function makeJob(
  name: string,
  engine: ChaosEngine,
  { name: experiment, spec }: EngineExperiment,
  installed: ChaosExperiment,
): Job {
  const definition = installed.spec?.definition ?? {};
  const components = spec?.components ?? {};
  const { podSecurityContext, containerSecurityContext } = definition.securityContext ?? {};
  const { namespace } = engine.metadata;
  const labels = { ...definition.labels, chaosUID: engine.metadata.uid ?? '', ...engine.metadata.labels };
  const annotations = components.experimentAnnotations ? { annotations: components.experimentAnnotations } : {};
  const seconds = engine.spec?.terminationGracePeriodSeconds;
  const container = {
    ...{
      name,
      image: components.experimentImage || definition.image,
      command: definition.command,
      args: definition.args,
    },
    imagePullPolicy: definition.imagePullPolicy || 'Always',
    env: [...jobEnv(engine, experiment, definition, spec), POD_NAME],
    ...(components.resources ? { resources: components.resources } : {}),
    ...(containerSecurityContext ? { securityContext: containerSecurityContext } : {}),
  };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace, labels, ...annotations } },
    spec: {
      template: {
        metadata: { name, labels, ...annotations },
        spec: {
          ...{ serviceAccountName: engine.spec?.chaosServiceAccount, restartPolicy: 'Never', containers: [container] },
          ...(seconds ? { terminationGracePeriodSeconds: seconds } : {}),
          ...(definition.hostPID ? { hostPID: true } : {}),
          ...(podSecurityContext ? { securityContext: podSecurityContext } : {}),
          ...(components.nodeSelector ? { nodeSelector: components.nodeSelector } : {}),
          ...(components.tolerations ? { tolerations: components.tolerations } : {}),
          ...(components.experimentImagePullSecrets ? { imagePullSecrets: components.experimentImagePullSecrets } : {}),
        },
      },
    },
  } as unknown as Job;
}

/** The experiment's variables, over those of the engine's fields; the engine's own are over both. */
function jobEnv(
  engine: ChaosEngine,
  experiment: string,
  { env: defaults = [], imagePullPolicy }: ExperimentDefinition,
  spec: EngineExperiment['spec'],
): EnvVar[] {
  const { metadata, spec: own = {} } = engine;
  const { delay, timeout } = spec?.components?.statusCheckTimeouts ?? {};
  const fields = listEnv({
    ...{ CHAOSENGINE: metadata.name, TARGETS: describeTargets(engine), CHAOS_NAMESPACE: metadata.namespace },
    ...{ AUXILIARY_APPINFO: own.auxiliaryAppInfo, CHAOS_UID: metadata.uid, EXPERIMENT_NAME: experiment },
    LIB_IMAGE_PULL_POLICY: imagePullPolicy || 'Always',
    TERMINATION_GRACE_PERIOD_SECONDS: own.terminationGracePeriodSeconds ?? 0,
    DEFAULT_HEALTH_CHECK: String(own.defaultHealthCheck === true),
    CHAOS_SERVICE_ACCOUNT: own.chaosServiceAccount,
  });
  const last = listEnv({
    STATUS_CHECK_DELAY: delay || CHECK_DELAY,
    STATUS_CHECK_TIMEOUT: timeout || CHECK_TIMEOUT,
    JOB_CLEANUP_POLICY: own.jobCleanUpPolicy,
  });
  const all = [...fields, ...defaults, ...(spec?.components?.env ?? []), ...last];
  return [...new Map(all.map((one) => [one.name, one])).values()];
}
