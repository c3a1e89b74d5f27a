import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import type { Command } from '../command.js';
import { PRINT, WRITE } from '../../flags/groups.js';
import { commandOf, createObject, nameOfArgs, nameOfImage, requireFlags } from './object.js';

const FLAGS = [...PRINT, ...WRITE];

const deployment: Command = {
  flags: [...FLAGS, 'image:', 'port:', 'r,replicas:'],
  run(session) {
    requireFlags(session, 'image');
    const name = nameOfArgs(session);
    const { flags } = session;
    const images = flags.list('image');
    const command = commandOf(session);
    if (images.length > 1 && command.length > 0)
      throw new KubectlFailure('cannot specify multiple --image options and command');
    const labels = { app: name };
    const port = flags.value('port');
    const containers = images.map((image, at) => ({
      ...{ name: nameOfImage(image).replaceAll('_', '-'), image, resources: {} },
      ...(command.length > 0 ? { command } : {}),
      ...(port !== '' && at === 0 ? { ports: [{ containerPort: Number(port) }] } : {}),
    }));
    const replicas = Number(flags.value('replicas') || 1);
    if (replicas < 0 || !Number.isInteger(replicas))
      throw new KubectlFailure(`invalid replicas: ${flags.value('replicas')}`);
    const object: ApiObject = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        strategy: {},
        template: { metadata: { labels }, spec: { containers } },
      },
      status: {},
    };
    createObject(session, object, 'deployment');
  },
};

const jobSpec = (name: string, image: string, command: readonly string[], restartPolicy: string): object => {
  const container = { name, image, resources: {}, ...(command.length > 0 ? { command } : {}) };
  return { template: { metadata: {}, spec: { containers: [container], restartPolicy } } };
};

const job: Command = {
  flags: [...FLAGS, 'image:', 'from:'],
  run(session) {
    const name = nameOfArgs(session);
    const { flags } = session;
    const image = flags.value('image');
    if ((image === '') === !flags.has('from')) throw new KubectlFailure('either --image or --from must be specified');
    if (flags.has('from') && commandOf(session).length > 0)
      throw new KubectlFailure('cannot specify --from and command');
    const object = flags.has('from')
      ? jobOfCronJob(session, name)
      : { metadata: { name }, spec: jobSpec(name, image, commandOf(session), 'Never') };
    createObject(session, { apiVersion: 'batch/v1', kind: 'Job', ...object, status: {} }, 'job');
  },
};

function jobOfCronJob(session: Session, name: string): object {
  const [type = '', of] = session.flags.value('from').split('/');
  if (of === undefined || !/^(cronjobs?|cj)(\.batch)?$/.test(type))
    throw new KubectlFailure(`from must be an existing cronjob`);
  const cron = session.get(`/apis/batch/v1/namespaces/${session.namespace}/cronjobs/${of}`);
  const { jobTemplate } = cron['spec'] as { jobTemplate: { metadata?: ApiObject['metadata']; spec: object } };
  const { labels, annotations = {} } = jobTemplate.metadata ?? {};
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: of, uid: cron.metadata?.uid, controller: true };
  const metadata = {
    name,
    ...(labels ? { labels } : {}),
    annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...annotations },
    ownerReferences: [owner],
  };
  return { metadata, spec: jobTemplate.spec };
}

const cronjob: Command = {
  flags: [...FLAGS, 'image:', 'schedule:', 'restart:'],
  run(session) {
    requireFlags(session, 'image', 'schedule');
    const name = nameOfArgs(session);
    const { flags } = session;
    const restart = flags.value('restart') || 'OnFailure';
    const template = jobSpec(name, flags.value('image'), commandOf(session), restart);
    const spec = { schedule: flags.value('schedule'), jobTemplate: { metadata: { name }, spec: template } };
    createObject(session, { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec, status: {} }, 'cronjob');
  },
};

export const workloads: Readonly<Record<string, Command>> = {
  'create deployment': deployment,
  'create deploy': deployment,
  'create job': job,
  'create cronjob': cronjob,
  'create cj': cronjob,
};
