import type { Node, Pod } from '../../../api/core_v1.js';
import { bytesOf, textOf } from '../../../kernel/bytes.js';
import { StartFailure } from '../../../kernel/container.js';
import { SystemError } from '../../../kernel/errno.js';
import type { Machine } from '../../../kernel/machine.js';
import { Pods } from '../../../kinds/index.js';
import type { Client, Reader } from '../../../machinery/client.js';
import { ApiError, internalError } from '../../../machinery/meta/status.js';
import type {
  ExecOptions,
  OpenedPort,
  OpenedSession,
  SessionInput,
  SessionOutput,
  SessionPosition,
  SessionReference,
  Sessions,
  StreamOptions,
  TakenInput,
} from '../../../machinery/requests/sessions.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { LoadedMachine, Machines, PodView } from '../../cri/machines.js';
import { findUnlisted } from '../../cri/sandboxes/sandbox-pod.js';
import { exitCodeOf } from '../../cri/pods/machine-process.js';
import { readMachine } from '../../cri/records/machine-record.js';
import { onNode, SHELL, shellPod } from '../../host/shell/node-shell.js';
import { digestOf } from '../../digest.js';

/** The exit code of SIGKILL. */
const KILLED = 137;

export interface SessionOptions {
  readonly machines: Machines;
  readonly read: Reader;
  /** Writes as the kubelet of a pod's node. */
  client(pod: Pod): Client;
}

/**
 * What exec, attach and port-forward open in a pod's machine. Models pkg/kubelet/server (getExec, getAttach,
 * getPortForward) and containerd's streaming server.
 */
export class PodSessions implements Sessions {
  constructor(private readonly options: SessionOptions) {}

  openExec(pod: Pod, { container, command, stdin, tty, takesEnd }: ExecOptions, now: Millis): OpenedSession {
    const containerID = runningContainer(this.options.machines.viewOf(pod), container);
    let id = '';
    let over: SessionOutput | undefined;
    const begin = (loaded: LoadedMachine): OpenedSession => {
      const { machine } = loaded;
      requireRunning(loaded, container, containerID);
      try {
        const request = { argv: command.map(bytesOf), terminal: tty, stdin };
        id = machine.exec(containerID, request, now);
        return open(pod, id);
      } catch (error) {
        if (!(error instanceof StartFailure)) throw error;
        const id = digestOf(`${containerID} ${command.join(' ')} ${now}`);
        return {
          failure: internalError(
            `error executing command in container: failed to exec in container: failed to start exec "${id}": ` +
              `OCI runtime exec failed: exec failed: unable to start container process: ${error.message}: unknown`,
          ),
        };
      }
    };
    const opened = this.change(pod, now, begin, true, ({ machine }) => {
      if (takesEnd) over = takeEnd(machine, id, now);
    });
    return over && opened.session ? { ...opened, over } : opened;
  }

  openShell(node: Node, options: ExecOptions, now: Millis): OpenedSession {
    return this.openExec(shellPod(node), { ...options, container: SHELL, command: onNode(options.command) }, now);
  }

  openAttach(pod: Pod, { container, stdin }: StreamOptions, now: Millis): OpenedSession {
    const missing = notAttachable(pod, container);
    const containerID = runningContainer(this.options.machines.viewOf(pod), container, missing);
    return this.change(pod, now, (loaded) => {
      requireRunning(loaded, container, containerID, missing);
      return open(pod, loaded.machine.attach(containerID, { stdin }, now));
    });
  }

  openPort(pod: Pod, port: number, now: Millis): OpenedPort {
    if (this.options.machines.listenerOf(pod, port, now) === 'summary') return { http: true };
    return this.change(pod, now, ({ machine }) => {
      try {
        return open(pod, machine.connect(port, now, '127.0.0.1'));
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        return { failure: portFailure(pod, port) };
      }
    });
  }

  input(session: SessionReference, input: SessionInput, now: Millis): TakenInput {
    const { resize, stdin = '', closeStdin, received, hangUp } = input;
    const pod = this.findPod(session);
    if (!pod || !readMachine(this.options.read, pod)) return { bytes: stdin.length, lines: [] };
    let lines: readonly string[] = [];
    const bytes = this.change(
      pod,
      now,
      ({ machine }) => {
        const { id } = session;
        if (!machine.hasSession(id)) return undefined;
        if (resize) machine.resize(id, resize, now);
        const bytes = stdin === '' ? 0 : machine.input(id, stdin, now);
        if (closeStdin && bytes === stdin.length) machine.closeInput(id, now);
        if (received) machine.acknowledge(id, received.stdout, received.stderr);
        if (hangUp) machine.hangUp(id, now);
        return bytes;
      },
      !isAcknowledgement(input),
      ({ machine }) => (lines = machine.takeTyped(session.id).map(textOf)),
    );
    return { bytes: bytes ?? stdin.length, lines };
  }

  read(session: SessionReference, { stdoutFrom, stderrFrom }: SessionPosition, now: Millis): SessionOutput {
    const pod = this.findPod(session);
    if (!pod || !readMachine(this.options.read, pod)) return GONE;
    const { machine, isWaiting } = this.look(pod, now);
    if (!machine.hasSession(session.id)) return GONE;
    const output = machine.output(session.id);
    const wakeAt = machine.nextWakeTogether();
    return {
      stdout: output.stdout.slice(Math.max(0, stdoutFrom - output.stdoutFrom)),
      stderr: output.stderr.slice(Math.max(0, stderrFrom - output.stderrFrom)),
      stdoutFrom: Math.max(stdoutFrom, output.stdoutFrom),
      stderrFrom: Math.max(stderrFrom, output.stderrFrom),
      unread: output.unread,
      ...(output.ended ? { exit: { code: output.exit ? exitCodeOf(output.exit) : 0 } } : {}),
      ...(wakeAt === undefined ? {} : { wakeAt }),
      ...(isWaiting ? { waits: true } : {}),
    };
  }

  private findPod({ namespace, pod: name, uid }: SessionReference): Pod | undefined {
    const { read } = this.options;
    const pod = findUnlisted(read, { namespace, name }) ?? read.get(Pods, { namespace, name });
    return pod?.metadata.uid === uid ? pod : undefined;
  }

  private look(pod: Pod, now: Millis): LoadedMachine {
    const { machines } = this.options;
    return machines.look(machines.viewOf(pod), now);
  }

  /**
   * Acts on a pod's machine, lets it run, and writes it down. An act that returns undefined changes nothing. `runs`:
   * otherwise it is written down as it is then, and what follows from that is its course. `after`: before that.
   */
  private change<T>(
    pod: Pod,
    now: Millis,
    act: (loaded: LoadedMachine) => T,
    runs = true,
    after?: (loaded: LoadedMachine) => void,
  ): T {
    const { machines } = this.options;
    if (machines.isAtWork(pod)) throw ownPod();
    return machines.acting(machines.viewOf(pod), now, (loaded) => {
      const result = act(loaded);
      if (result === undefined || isFailure(result)) return result;
      if (runs) machines.run(loaded, now);
      after?.(loaded);
      machines.store(this.options.client(pod), pod, loaded);
      return result;
    });
  }
}

/** The end of a session that is over, which is then forgotten. Undefined: it goes on. */
function takeEnd(machine: Machine, id: string, now: Millis): SessionOutput | undefined {
  const { stdout, stderr, exit, ended } = machine.output(id);
  if (!ended) return undefined;
  machine.hangUp(id, now);
  return { stdout, stderr, exit: { code: exit ? exitCodeOf(exit) : 0 } };
}

const GONE: SessionOutput = { stdout: '', stderr: '', exit: { code: KILLED } };

/** A client that only takes what is printed: what a process prints in that room would have to be written down. */
const isAcknowledgement = ({ resize, stdin, closeStdin, hangUp }: SessionInput): boolean =>
  !resize && !stdin && !closeStdin && !hangUp;

const isFailure = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'failure' in result && result.failure !== undefined;

const open = ({ metadata }: Pod, id: string): OpenedSession => ({
  session: { namespace: metadata.namespace ?? '', pod: metadata.name ?? '', uid: metadata.uid ?? '', id },
});

/** The running container's ID. Throws ApiError 500 in the kubelet's own words. */
function runningContainer({ statuses }: PodView, name: string, missing = notFound(name)): string {
  const found = statuses.get(name);
  if (!found?.state?.running || !found.containerID) throw missing;
  return found.containerID;
}

/** The pod's status may not know yet that a container has ended: the kubelet asks its runtime. Throws as above. */
function requireRunning(
  { machine, runs }: LoadedMachine,
  name: string,
  containerID: string,
  missing = notFound(name),
): void {
  if (!runs.has(containerID) || !machine.container(containerID).running) throw missing;
}

/** A program asks for a session in its own pod, whose machine is in the middle of its step. */
const ownPod = (): ApiError => internalError('a program cannot open a session in its own pod (not simulated)');

const notFound = (name: string): ApiError =>
  new ApiError(500, 'InternalError', `container not found (${JSON.stringify(name)})`);

/** Models pkg/kubelet/kubelet_pods.go GetAttach, whose words are others than those of GetExec. */
const notAttachable = ({ metadata }: Pod, name: string): ApiError =>
  new ApiError(500, 'InternalError', `container ${name} not found in pod ${metadata.name}_${metadata.namespace}`);

/** Models containerd's portForward (internal/cri/server/sandbox_portforward_linux.go). */
const portFailure = ({ metadata }: Pod, port: number): ApiError => {
  const sandbox = digestOf(metadata.uid ?? '');
  return new ApiError(
    500,
    'InternalError',
    `error forwarding port ${port} to pod ${sandbox}, uid : failed to execute portforward in network namespace "/var/run/netns/cni-${sandbox.slice(0, 8)}": ` +
      `failed to connect to localhost:${port} inside namespace "${sandbox}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found `,
  );
};
