import { recordCause, recording, recordLater } from './record.js';
import { findObjects, type Found } from '../../discovery/targets.js';
import { shownResource } from '../../discovery/resources.js';
import { FILES, PRINT, SELECT, WRITE } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { dryRunOf, report, writeQuery, type Command, type CommandGroup } from '../command.js';

const scale: Command = {
  flags: [
    ...[...SELECT, ...FILES, ...PRINT, ...WRITE, 'replicas:', 'current-replicas:', 'resource-version:', 'timeout:'],
  ],
  run(session) {
    const { flags } = session;
    if (!flags.has('replicas')) throw new KubectlFailure('required flag(s) "replicas" not set');
    const replicas = Number(flags.value('replicas'));
    if (!Number.isInteger(replicas))
      throw new KubectlFailure(
        `invalid argument "${flags.value('replicas')}" for "--replicas" flag: strconv.ParseInt: parsing "${flags.value('replicas')}": invalid syntax`,
      );
    if (replicas < 0)
      throw new KubectlFailure('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    for (const found of findObjects(session)) scaleOne(session, found, replicas);
  },
};

function scaleOne(session: Session, { resource, path, name, object }: Found, replicas: number): void {
  const { flags } = session;
  const expected = flags.value('current-replicas');
  const now = String(((object['spec'] ?? {}) as { replicas?: number }).replicas ?? '');
  if (expected !== '' && expected !== '-1' && expected !== now)
    throw new KubectlFailure(`Expected replicas to be ${expected}, was ${now}`);
  if (dryRunOf(session) !== 'client') {
    session.patch(`${path}/scale${writeQuery(session, 'kubectl-scale')}`, { spec: { replicas } });
    recordLater(session, path + writeQuery(session, 'kubectl-scale'));
  }
  report(session, `${shownResource(resource)}/${name}`, 'scaled');
}

const autoscale: Command = {
  flags: [...FILES, ...PRINT, ...WRITE, 'min:', 'max:', 'cpu-percent:', 'cpu:', 'memory:', 'name:'],
  run(session) {
    const { flags } = session;
    if (!flags.has('max')) throw new KubectlFailure('required flag(s) "max" not set');
    for (const { resource, name, namespace } of findObjects(session)) {
      const own = flags.value('name') || name;
      const target = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind, name };
      const metrics = metricsOf(session);
      const min = Number(flags.value('min') || -1);
      const object: ApiObject = {
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: own } },
        spec: {
          ...(min > 0 ? { minReplicas: min } : {}),
          ...{ maxReplicas: Number(flags.value('max')), scaleTargetRef: target },
          ...(metrics.length > 0 ? { metrics } : {}),
        },
      };
      const status = { currentMetrics: null, desiredReplicas: 0 };
      let made: ApiObject = { ...object, status };
      if (dryRunOf(session) !== 'client')
        made = session.post(
          `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers${writeQuery(session, 'kubectl-autoscale')}`,
          recordCause(session, object),
        );
      if (flags.has('output') && flags.value('output') !== 'name')
        session.out(printObject(session, readFormat(session), made));
      else report(session, `horizontalpodautoscaler.autoscaling/${own}`, 'autoscaled');
    }
  },
};

function metricsOf({ flags }: Session): object[] {
  const metric = (name: string, text: string): object[] => {
    if (text === '' || text === '-1') return [];
    const target = text.endsWith('%')
      ? { type: 'Utilization', averageUtilization: Number(text.slice(0, -1)) }
      : { type: 'AverageValue', averageValue: text };
    return [{ type: 'Resource', resource: { name, target } }];
  };
  const percent = flags.value('cpu-percent');
  return [
    ...metric('cpu', flags.value('cpu') || (percent === '' || percent === '-1' ? '' : `${percent}%`)),
    ...metric('memory', flags.value('memory')),
  ];
}

export const group: CommandGroup = { commands: { scale: recording(scale), autoscale: recording(autoscale) } };
