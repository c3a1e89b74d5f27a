import { resourceNamed, readTargets } from '../../discovery/targets.js';
import { pathOf } from '../../discovery/resources.js';
import { KubectlFailure, UsageFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';
import { containersOf, podsOfTarget } from '../pods.js';
import { startsTerminal } from './terminal.js';

/** Models k8s.io/kubectl/pkg/cmd/exec. */
const exec: Command = {
  flags: ['i,stdin', 't,tty', 'c,container:', 'q,quiet', 'pod-running-timeout:'],
  run(session) {
    const { flags, args, dashAt } = session;
    const command = dashAt < 0 ? [] : args.slice(dashAt);
    if (dashAt < 0 && args.length > 1)
      throw new UsageFailure(
        'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead',
        session.path,
      );
    const [target] = args;
    if (target === undefined || dashAt === 0)
      throw new KubectlFailure('pod, type/name or --filename must be specified');
    if (command.length === 0) throw new KubectlFailure('you must specify at least one command for the container');
    const pod = podOf(session, target);
    requireAlive(pod, 'exec into a container in');
    const [container = ''] = containersOf(session, pod);
    const stdin = flags.isOn('stdin');
    const tty = stdin && startsTerminal(session);
    session.stream = {
      path: `${podPath(session, pod)}/exec?${streamQuery(container, { stdin, tty }, command)}`,
      ...{ stdin, tty, tellsExit: true },
    };
  },
};

/** A pod by its name, or the first pod of a workload or Service. Throws KubectlFailure, ApiFailure. */
export function podOf(session: Session, target: string): ApiObject {
  const [found] = readTargets(session, [target.includes('/') ? target : `pods/${target}`]);
  return podsOfTarget(session, found!.resource, found!.names[0]!)[0]!;
}

/** Throws KubectlFailure: all of the pod's containers have ended. */
export function requireAlive(pod: ApiObject, what: string): void {
  const { phase = '' } = (pod['status'] ?? {}) as { phase?: string };
  if (phase === 'Succeeded' || phase === 'Failed')
    throw new KubectlFailure(`cannot ${what} a completed pod; current phase is ${phase}`);
}

export const podPath = (session: Session, { metadata }: ApiObject): string =>
  pathOf(resourceNamed(session, 'pods'), metadata?.namespace ?? '', metadata?.name ?? '');

/** The query of exec and attach. A terminal has one output. */
export function streamQuery(
  container: string,
  { stdin, tty }: { readonly stdin: boolean; readonly tty: boolean },
  command: readonly string[] = [],
): string {
  const pairs: [string, string][] = [
    ...command.map((word): [string, string] => ['command', word]),
    ['container', container],
    ...(stdin ? [['stdin', 'true'] as [string, string]] : []),
    ['stdout', 'true'],
    tty ? ['tty', 'true'] : ['stderr', 'true'],
  ];
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

export const group: CommandGroup = { commands: { exec } };
