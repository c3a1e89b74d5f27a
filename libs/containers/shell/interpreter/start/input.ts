import { type Wait, waitToRead } from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';
import { startEditor, writePrompt } from '../../terminal/prompt.js';
import { announceJobs } from '../processes/jobs.js';
import type { Shell } from '../shell.js';
import { takeLine } from './typed-line.js';

/** Characters of one command that is typed or piped in. */
const MAX_COMMAND = 1024 * 1024;

/** Reads commands from standard input, line by line, and runs each when it is whole. */
export function stepInput(shell: Shell, frame: FrameOf<'input'>): Wait | void {
  if (shell.state.isInteractive && frame.prompt !== 'none') return readTyped(shell, frame);
  return readLine(shell, frame);
}

/** Asks for a line of the terminal: through the editor, or through the terminal's own lines (dash). */
function readTyped(shell: Shell, frame: FrameOf<'input'>): Wait | void {
  if (frame.prompt === 'first') announceJobs(shell);
  const isFirst = frame.prompt === 'first';
  if (!shell.isDash && shell.sys.isTerminal(0)) {
    startEditor(shell, frame, isFirst);
    return;
  }
  writePrompt(shell, frame, isFirst);
  frame.prompt = 'none';
}

/** Byte by byte, so that commands that read the same input find what follows. */
function readLine(shell: Shell, frame: FrameOf<'input'>): Wait | void {
  const { sys, state } = shell;
  while (!frame.isEnded) {
    const byte = state.typed !== '' ? state.typed[0]! : sys.read(0, 1);
    if (byte === undefined) return waitToRead(0);
    if (state.typed !== '') state.typed = state.typed.slice(1);
    sys.charge(1);
    if (byte === '') {
      frame.isEnded = true;
      break;
    }
    frame.text += byte;
    if (byte === '\n') break;
    if (frame.text.length > MAX_COMMAND) frame.isEnded = true;
  }
  takeLine(shell, frame);
}
