import { type Wait, waitForChild, waitToRead } from '../../kernel.js';
import type { Frame, FrameOf, Memo } from '../../state/frame.js';
import { freeDescriptor } from '../processes/descriptors.js';
import type { CommandNeeded } from '../failure.js';
import { ShellFailure } from '../failure.js';
import { forkShell } from '../processes/fork.js';
import { addJob, jobStatus, reapChildren, removeJob } from '../processes/jobs.js';
import type { Shell } from '../shell.js';

/** Bytes of one command's output. */
const MAX_OUTPUT = 16 * 1024 * 1024;
const CHUNK = 65_536;
/** Descriptors of process substitutions go down from here, as bash's. */
const LAST_DESCRIPTOR = 63;

/** Starts the command that an expansion needs. */
export function startNeeded(shell: Shell, needed: CommandNeeded): void {
  const body = scriptFrame(shell, needed.text);
  if (needed.kind !== '$') {
    startProcess(shell, needed.kind, body);
    return;
  }
  const { reader, writer } = shell.sys.pipe();
  const descriptor = freeDescriptor(shell.sys, 10);
  shell.sys.duplicate(reader, descriptor);
  shell.sys.close(reader);
  const pid = forkShell(shell, [body], {
    moves: [[writer, 1]],
    closes: [descriptor, writer],
    group: null,
    forgetsErrexit: shell.isBash && !shell.option('posix') && !shell.shopt('inherit_errexit'),
  });
  shell.sys.close(writer);
  addJob(shell, [pid], '', false);
  shell.push({ type: 'substitution', descriptor, pid, parts: [], isRead: false });
}

function scriptFrame(shell: Shell, text: string): Frame {
  const { state } = shell;
  const file = shell.isBash ? /^\s*<\s*([^\s<>&|;()]+)\s*$/.exec(text) : null;
  const source = shell.addSource({
    text: file ? `cat <${file[1]}` : text,
    line: state.line,
    name: '',
    kind: state.mode === 'command' ? 'command' : 'file',
  });
  return { type: 'script', source, at: 0, kind: 'main', positional: null };
}

/** <( ) and >( ): the command runs beside; its pipe is known as /dev/fd/N until the command that uses it has ended. */
function startProcess(shell: Shell, kind: '<' | '>', body: Frame): void {
  const { state, sys } = shell;
  const { reader, writer } = sys.pipe();
  const [own, others] = kind === '<' ? [reader, writer] : [writer, reader];
  let descriptor = shell.isBash ? LAST_DESCRIPTOR : LAST_DESCRIPTOR + 1;
  const open = new Set(sys.descriptors());
  while (open.has(descriptor)) descriptor--;
  sys.duplicate(own, descriptor);
  sys.close(own);
  const pid = forkShell(shell, [body], {
    moves: [[others, kind === '<' ? 1 : 0]],
    closes: [descriptor, others],
    group: null,
  });
  sys.close(others);
  state.lastBackground = pid;
  const job = addJob(shell, [pid], '', false);
  job.isDisowned = true;
  state.openSubstitutions.push(descriptor);
  answer(shell, `/dev/fd/${descriptor}`);
}

/** Gives the answer to the frame that waits for it. */
function answer(shell: Shell, text: string): void {
  (shell.top as { memo?: Memo } | undefined)?.memo?.push(text);
}

export function stepSubstitution(shell: Shell, frame: FrameOf<'substitution'>): Wait | void {
  const { sys, state } = shell;
  if (!frame.isRead) {
    const bytes = sys.read(frame.descriptor, CHUNK);
    if (bytes === undefined) return waitToRead(frame.descriptor);
    sys.charge(1 + (bytes.length >> 4));
    if (bytes !== '') {
      frame.parts.push(bytes);
      if (frame.parts.reduce((sum, part) => sum + part.length, 0) > MAX_OUTPUT) {
        throw new ShellFailure('command substitution: output is too large', 1, 'shell');
      }
      return;
    }
    frame.isRead = true;
    sys.close(frame.descriptor);
  }
  reapChildren(shell);
  const job = state.jobs.find((candidate) => candidate.pids[0] === frame.pid);
  if (job && job.state === 'running') return waitForChild;
  const status = job ? jobStatus(job) : 127;
  if (job) removeJob(shell, job);
  shell.pop(status);
  state.substitutionStatus = status;
  const text = frame.parts.join('');
  if (shell.isBash && text.includes('\0')) shell.complain('warning: command substitution: ignored null byte in input');
  answer(shell, text.replaceAll('\0', '').replace(/(?<!\n)\n+$/, ''));
}
