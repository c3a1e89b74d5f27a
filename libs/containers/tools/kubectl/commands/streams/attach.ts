import { UsageFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Plain } from '../../../../../engine/kernel/process/program.js';
import type { Command, CommandGroup } from '../command.js';
import { containersOf } from '../pods.js';
import { podOf, podPath, requireAlive, streamQuery } from './exec.js';
import { startsTerminal } from './terminal.js';

/** Models k8s.io/kubectl/pkg/cmd/attach. */
const attach: Command = {
  flags: ['i,stdin', 't,tty', 'c,container:', 'q,quiet', 'pod-running-timeout:'],
  run(session) {
    const { args } = session;
    if (args.length === 0) throw new UsageFailure('at least 1 argument is required for attach', session.path);
    if (args.length > 1)
      throw new UsageFailure(
        `expected POD, TYPE/NAME, got ${args.length} arguments: [${args.join(' ')}]`,
        session.path,
      );
    const pod = podOf(session, args[0]!);
    requireAlive(pod, 'attach a container in');
    const [container = ''] = containersOf(session, pod);
    attachTo(session, pod, container, { after: endOf(pod, container) });
  },
};

interface ContainerSpec {
  readonly name: string;
  readonly tty?: boolean;
}

interface PodSpec {
  readonly containers?: readonly ContainerSpec[];
  readonly initContainers?: readonly ContainerSpec[];
  readonly ephemeralContainers?: readonly ContainerSpec[];
}

/** What follows a session with a terminal. */
export function endOf(pod: ApiObject, container: string): Task {
  const { ephemeralContainers = [] } = (pod['spec'] ?? {}) as PodSpec;
  const isEphemeral = ephemeralContainers.some(({ name }) => name === container);
  return task('attach ended', { pod: pod.metadata?.name ?? '', container, isEphemeral });
}

/** What follows the session, where something does. */
export interface Attaching {
  readonly after?: Task;
}

/** The command goes on as an attached client. Models AttachOptions.Run. */
export function attachTo(session: Session, pod: ApiObject, container: string, more: Attaching = {}): void {
  const { flags } = session;
  const { containers = [], initContainers = [], ephemeralContainers = [] } = (pod['spec'] ?? {}) as PodSpec;
  const found = [...containers, ...initContainers, ...ephemeralContainers].find(({ name }) => name === container);
  const isQuiet = flags.isOn('quiet');
  const stdin = flags.isOn('stdin');
  if (flags.isOn('tty') && !found?.tty && !isQuiet)
    session.err(`error: Unable to use a TTY - container ${container} did not allocate one\n`);
  const tty = stdin && found?.tty === true && (flags.isOn('tty') ? startsTerminal(session) : session.sys.isTerminal(0));
  if (!isQuiet) {
    session.err(
      'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\n',
    );
    session.err("If you don't see a command prompt, try pressing enter.\n");
  }
  session.stream = {
    path: `${podPath(session, pod)}/attach?${streamQuery(container, { stdin, tty })}`,
    ...{ stdin, tty, tellsExit: false, ...more },
  };
}

/** How a session with a terminal can be taken up again. Models AttachOptions.reattachMessage. */
export function sayEnded(session: Session, pod: string, container: string, isEphemeral = false): void {
  const { flags, namespace, sys } = session;
  if (flags.isOn('quiet') || !flags.isOn('stdin') || !flags.isOn('tty') || !sys.isTerminal(0)) return;
  const again = `'kubectl attach ${pod} -c ${container} -n ${namespace} -i -t'`;
  session.out(
    isEphemeral
      ? `Session ended, the ephemeral container will not be restarted but may be reattached using ${again} if it is still running\n`
      : `Session ended, resume using ${again} command\n`,
  );
}

function end(session: Session, data: Plain): void {
  const { pod, container, isEphemeral } = data as { pod: string; container: string; isEphemeral: boolean };
  sayEnded(session, pod, container, isEphemeral);
}

export const group: CommandGroup = { commands: { attach }, tasks: { 'attach ended': end } };
