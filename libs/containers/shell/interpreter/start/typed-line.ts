import type { FrameOf } from '../../state/frame.js';
import { translateDialect } from '../../syntax/dialect.js';
import { isIncomplete } from '../../syntax/problem.js';
import { checkText, continues } from '../../syntax/reader.js';
import { reportProblem } from './script.js';
import type { Shell } from '../shell.js';

/** Runs what has been read when it is whole; else asks for more. */
export function takeLine(shell: Shell, frame: FrameOf<'input'>): void {
  const { state } = shell;
  const { text } = frame;
  if (shell.option('v')) shell.write(2, text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
  if (text.trim() === '') {
    endOfLine(shell, frame);
    return;
  }
  const problem = checkText(state.flavour, text);
  const needsMore = problem ? isIncomplete(problem) : continues(text);
  if (needsMore && !frame.isEnded) {
    frame.prompt = 'next';
    return;
  }
  const source = { text, line: frame.line, name: '', kind: 'stdin' as const };
  frame.text = '';
  frame.line += text.split('\n').length - 1;
  frame.prompt = 'first';
  if (problem) {
    reportProblem(shell, source, problem);
    state.status = 2;
    if (!state.isInteractive) shell.exit(2);
    return;
  }
  const id = shell.addSource({ ...source, text: translateDialect(state.flavour, text) });
  shell.push({ type: 'list', source: id, node: 0, index: 0 });
}

function endOfLine(shell: Shell, frame: FrameOf<'input'>): void {
  const { state } = shell;
  const lines = frame.text.split('\n').length - 1;
  frame.text = '';
  frame.line += lines;
  frame.prompt = 'first';
  if (!frame.isEnded) return;
  if (state.isInteractive && shell.option('ignoreeof')) {
    frame.isEnded = false;
    shell.write(2, 'Use "exit" to leave the shell.\n');
    return;
  }
  if (state.isInteractive) {
    shell.write(2, shell.isBash ? (state.isLogin ? 'logout\n' : 'exit\n') : '\n');
  }
  shell.exit(state.status);
}
