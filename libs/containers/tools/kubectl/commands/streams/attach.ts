import { UsageFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
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
    attachTo(session, pod, container);
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

/** The command goes on as an attached client. Models AttachOptions.Run. */
function attachTo(session: Session, pod: ApiObject, container: string): void {
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
    ...{ stdin, tty, tellsExit: false },
  };
}

export const group: CommandGroup = { commands: { attach } };
