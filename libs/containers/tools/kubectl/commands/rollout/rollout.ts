import { timestamp } from '../../../../../engine/machinery/time/time.js';
import { shownResource } from '../../discovery/resources.js';
import { findObjects, type Found } from '../../discovery/targets.js';
import { Details } from '../../describe/parts/details.js';
import { describeTemplate } from '../../describe/parts/pod-template.js';
import { FILES, PRINT, SELECT, WRITE } from '../../flags/groups.js';
import { alignTabs } from '../../output/tabwriter.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, KubeJson, Session } from '../../session/session.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';
import { revisionsOf } from './revisions.js';
import { status, tasks } from './status.js';

const FLAGS = [...SELECT, ...FILES, ...PRINT, ...WRITE];
const RESTARTED = 'kubectl.kubernetes.io/restartedAt';

const shown = ({ resource, name }: Found): string => `${shownResource(resource)}/${name}`;

function requireTarget(session: Session): void {
  if (session.args.length === 0 && !session.flags.has('filename') && session.flags.value('selector') === '')
    throw new KubectlFailure('required resource not specified');
}

const restart: Command = {
  flags: FLAGS,
  run(session) {
    requireTarget(session);
    for (const found of findObjects(session)) {
      if (!['Deployment', 'DaemonSet', 'StatefulSet'].includes(found.resource.kind)) {
        session.err(
          `error: ${found.resource.plural}${found.resource.group === '' ? '' : `.${found.resource.group}`} "${found.name}" restarting is not supported\n`,
        );
        session.code = 1;
        continue;
      }
      if ((found.object['spec'] as { paused?: boolean } | undefined)?.paused === true)
        throw new KubectlFailure(
          `deployments.apps "${found.name}" can't restart paused deployment (run rollout resume first)`,
        );
      const annotations = { [RESTARTED]: timestamp(session.now) };
      change(session, found, { spec: { template: { metadata: { annotations } } } }, 'restarted');
    }
  },
};

function change(session: Session, found: Found, body: unknown, verb: string): void {
  if (dryRunOf(session) !== 'client')
    session.patch(found.path + writeQuery(session, 'kubectl-rollout'), body, 'strategic');
  session.out(`${shown(found)} ${verb}${dryRunSuffix(session)}\n`);
}

const pausing = (isPaused: boolean): Command => ({
  flags: FLAGS,
  run(session) {
    requireTarget(session);
    const [verb, already] = isPaused ? ['paused', 'is already paused'] : ['resumed', 'is not paused'];
    for (const found of findObjects(session)) {
      const plural = `${found.resource.plural}.${found.resource.group}`;
      if (found.resource.kind !== 'Deployment')
        throw new KubectlFailure(`${plural} "${found.name}" ${isPaused ? 'pausing' : 'resuming'} is not supported`);
      const is = (found.object['spec'] as { paused?: boolean } | undefined)?.paused === true;
      if (is === isPaused) throw new KubectlFailure(`${plural} "${found.name}" ${already}`);
      change(session, found, { spec: { paused: isPaused ? true : null } }, verb);
    }
  },
});

const history: Command = {
  flags: [...FLAGS, 'revision:'],
  run(session) {
    requireTarget(session);
    const wanted = Number(session.flags.value('revision') || 0);
    for (const found of findObjects(session)) {
      const revisions = revisionsOf(session, found);
      if (wanted > 0) {
        const one = revisions.find(({ number }) => number === wanted);
        if (!one) throw new KubectlFailure('unable to find the specified revision');
        session.out(`${shown(found)} with revision #${wanted}\n${formatTemplate(one.template)}\n`);
        continue;
      }
      const rows = revisions.map(({ number, cause }) => `${number}\t${cause || '<none>'}`);
      const text = alignTabs(['REVISION\tCHANGE-CAUSE', ...rows, ''].join('\n'), { minWidth: 0, padding: 2 });
      session.out(`${shown(found)} \n${text}\n`);
    }
  },
};

/** `rollout history --revision` prints what describe does, but with tabs. */
function formatTemplate(template: KubeJson): string {
  const details = new Details();
  describeTemplate(details, template as ApiObject);
  return details.raw();
}

const undo: Command = {
  flags: [...FLAGS, 'to-revision:'],
  run(session) {
    requireTarget(session);
    const wanted = Number(session.flags.value('to-revision') || 0);
    for (const found of findObjects(session)) undoOne(session, found, wanted);
  },
};

/** Models k8s.io/kubectl/pkg/polymorphichelpers/rollback.go. */
function undoOne(session: Session, found: Found, wanted: number): void {
  const { object, resource, name } = found;
  if ((object['spec'] as { paused?: boolean } | undefined)?.paused === true)
    throw new KubectlFailure(
      `you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again`,
    );
  const revisions = revisionsOf(session, found);
  const to = wanted > 0 ? revisions.find(({ number }) => number === wanted) : revisions.at(-2);
  if (!to)
    throw new KubectlFailure(
      wanted > 0
        ? `unable to find specified revision ${wanted} in history`
        : `no rollout history found for deployment "${name}"`,
    );
  const current = revisions.at(-1);
  if (to === current)
    return session.out(`${shown(found)} skipped rollback (current template already matches revision ${wanted})\n`);
  if (dryRunOf(session) !== 'client') {
    const query = writeQuery(session, 'kubectl-rollout');
    if (resource.kind === 'Deployment')
      session.patch(
        found.path + query,
        [{ op: 'replace', path: '/spec/template', value: templateOf(to.template) }],
        'json',
      );
    else session.patch(found.path + query, to.object['data'], 'strategic');
  }
  session.out(`${shown(found)} rolled back${dryRunSuffix(session)}\n`);
}

/** Without the label that tells ReplicaSets apart. */
function templateOf(template: KubeJson): KubeJson {
  const metadata = (template['metadata'] ?? {}) as { labels?: Record<string, string> };
  const { 'pod-template-hash': _hash, ...labels } = metadata.labels ?? {};
  return { ...template, metadata: { ...metadata, labels } };
}

export const group: CommandGroup = {
  commands: {
    'rollout status': status,
    'rollout history': history,
    'rollout undo': undo,
    'rollout restart': restart,
    'rollout pause': pausing(true),
    'rollout resume': pausing(false),
  },
  tasks,
};
