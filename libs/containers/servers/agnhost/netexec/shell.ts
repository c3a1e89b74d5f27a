import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { ChildStatus } from '../../../../engine/kernel/process/syscalls.js';
import type { Signal } from '../../../../engine/kernel/signals.js';
import { errnoText, marshal } from '../../go.js';
import { plainText, type HttpReply } from '../../http.js';
import type { Running } from '../../serve.js';
import { logTo } from '../command/command.js';

/** A request of /shell: a command whose output is gathered. */
export type ShellTask = { kind: 'shell'; pid: number; reader: number; output: Bytes; isEnded: boolean };

const MAX_OUTPUT = 1 << 20;
const SIGNAL_WORDS: Partial<Record<Signal, string>> = {
  HUP: 'hangup',
  INT: 'interrupt',
  QUIT: 'quit',
  ABRT: 'aborted',
  KILL: 'killed',
  SEGV: 'segmentation fault',
  PIPE: 'broken pipe',
  TERM: 'terminated',
};

export function beginShell<Own extends Plain>(server: Running<Own>, command: string): HttpReply {
  const { sys } = server;
  logTo(server, bytesOf(`GET /shell?cmd=${command}`));
  const { reader, writer } = sys.pipe();
  try {
    const descriptors = { 0: writer, 1: writer, 2: writer };
    const pid = sys.spawn({ path: '/bin/sh', argv: ['/bin/sh', '-c', bytesOf(command)], descriptors });
    sys.close(writer);
    return continueShell(server, { kind: 'shell', pid, reader, output: '', isEnded: false });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    sys.close(writer);
    sys.close(reader);
    return finish(server, '', `fork/exec /bin/sh: ${errnoText(error)}`);
  }
}

export function continueShell<Own extends Plain>(server: Running<Own>, task: ShellTask): HttpReply {
  const { sys } = server;
  while (!task.isEnded) {
    const bytes = sys.read(task.reader);
    if (bytes === undefined) return { task, wait: { readable: [task.reader] } };
    task.isEnded = bytes === '';
    task.output = (task.output + bytes).slice(0, MAX_OUTPUT);
    if (task.isEnded) sys.close(task.reader);
  }
  const ended = sys.wait(task.pid);
  return ended === undefined ? { task, wait: { child: true } } : finish(server, task.output, explain(ended));
}

/** exec.ExitError's words; undefined for success. */
function explain({ state, code, signal }: ChildStatus): string | undefined {
  if (state === 'killed') return `signal: ${SIGNAL_WORDS[signal ?? 'KILL'] ?? (signal ?? '').toLowerCase()}`;
  return code === 0 ? undefined : `exit status ${code}`;
}

function finish<Own extends Plain>(server: Running<Own>, output: Bytes, error: string | undefined): HttpReply {
  const text = textOf(output);
  const result = { ...(error !== undefined && { error }), ...(text !== '' && { output: text }) };
  const shown = Object.entries(result).map(([name, value]) => `${name}:${value}`);
  logTo(server, bytesOf(`Output: map[${shown.join(' ')}]`));
  return plainText(marshal(result));
}
