import type { CompoundList } from 'unbash';
import { errorCodeOf } from '../../kernel.js';
import type { Frame } from '../../state/frame.js';
import type { Unwind } from '../../state/state.js';
import { leaveCommand } from './command.js';
import { closeSockets, restore } from '../processes/descriptors.js';
import { runReturnTrap, showTraps } from '../hooks.js';
import type { Shell } from '../shell.js';
import { restoreVariables } from '../variables.js';

const LOOPS = new Set<Frame['type']>(['while', 'for', 'arithmetic-for', 'select']);

/** Leaves frames, up to the one that break, continue, return, exit or an error leads to. */
export function unwindFrames(shell: Shell, unwind: Unwind): void {
  const { state } = shell;
  state.unwind = null;
  for (;;) {
    const frame = state.frames.at(-1);
    if (!frame) return;
    if (unwind.kind === 'return' && returns(shell, frame, unwind.status)) return;
    if (stops(shell, frame, unwind) || resumes(shell, frame, unwind)) return;
    leaveFrame(shell, frame);
    state.frames.pop();
    if (unwind.kind === 'return' && (frame.type === 'call' || isSourced(frame))) {
      state.status = unwind.status;
      return;
    }
  }
}

/** After an error bash goes on with the next line of a script. */
function resumes(shell: Shell, frame: Frame, unwind: Unwind): boolean {
  const below = shell.state.frames.at(-2);
  if (unwind.kind !== 'abort' || frame.type !== 'list' || below?.type !== 'script' || below.kind !== 'main')
    return false;
  if (shell.state.mode !== 'script') return false;
  const { commands } = shell.nodeOf(frame) as CompoundList;
  const text = shell.state.sources[frame.source]!.text;
  const current = commands[frame.index - 1];
  if (!current) return false;
  const end = text.indexOf('\n', current.end);
  while (frame.index < commands.length && end >= 0 && commands[frame.index]!.pos < end) frame.index++;
  if (end < 0) frame.index = commands.length;
  return true;
}

/** The RETURN trap runs before the frame ends, which then ends by itself. */
function returns(shell: Shell, frame: Frame, status: number): boolean {
  if (frame.type !== 'call' && frame.type !== 'script') return false;
  const before = shell.state.status;
  shell.state.status = status;
  if (!runReturnTrap(shell, frame)) {
    shell.state.status = before;
    return false;
  }
  if (frame.type === 'script') frame.at = shell.state.sources[frame.source]!.text.length;
  return true;
}

const isSourced = (frame: Frame): boolean => frame.type === 'script' && frame.kind === 'source';

function stops(shell: Shell, frame: Frame, unwind: Unwind): boolean {
  switch (unwind.kind) {
    case 'break':
    case 'continue':
      if (frame.type === 'call' || frame.type === 'input') return true;
      if (!LOOPS.has(frame.type)) return false;
      if (unwind.count > 1) {
        unwind.count--;
        return false;
      }
      if (unwind.kind === 'break') {
        leaveFrame(shell, frame);
        shell.pop(0);
      } else shell.state.status = 0;
      return true;
    case 'return':
      return false;
    case 'exit':
      shell.state.status = unwind.status;
      return false;
    case 'abort':
      return frame.type === 'input' || (frame.type === 'script' && frame.kind === 'main');
  }
}

/** Puts back what a frame changed for itself. */
export function leaveFrame(shell: Shell, frame: Frame): void {
  const { state, sys } = shell;
  switch (frame.type) {
    case 'command':
      leaveCommand(shell, frame);
      return;
    case 'redirected':
      closeSockets(shell, frame);
      restore(shell, frame.saved);
      return;
    case 'call':
      state.positional = frame.positional;
      state.line = frame.line;
      state.optionAt = frame.optionAt;
      restoreVariables(shell, frame.saved);
      showTraps(shell, frame);
      return;
    case 'script':
      if (frame.positional) state.positional = frame.positional;
      return;
    case 'substitution':
      try {
        sys.close(frame.descriptor);
      } catch (error) {
        errorCodeOf(error);
      }
      return;
    case 'editor':
      sys.setTerminalMode(0, 'cooked');
  }
}
