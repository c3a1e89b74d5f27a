import { SystemError } from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';
import { closeQuietly } from '../processes/descriptors.js';
import type { Shell } from '../shell.js';

/** The first thing that a subshell does: its group, its descriptors, its signals. */
export function setUp(shell: Shell, frame: FrameOf<'setup'>): void {
  const { sys, state } = shell;
  shell.pop();
  if (frame.group !== null) {
    attempt(() => sys.setGroup(sys.pid, frame.group === 0 ? sys.pid : frame.group!));
    if (frame.foreground) attempt(() => sys.setForeground(0, sys.groupOf(sys.pid)));
  }
  for (const signal of frame.resets) attempt(() => sys.handleSignal(signal, 'default'));
  for (const [from, to] of frame.moves) sys.duplicate(from, to);
  const kept = new Set(frame.moves.map(([, to]) => to));
  for (const descriptor of new Set(frame.closes)) if (!kept.has(descriptor)) closeQuietly(shell, descriptor);
  if (!frame.isBackground) return;
  attempt(() => sys.handleSignal('INT', 'ignore'));
  attempt(() => sys.handleSignal('QUIT', 'ignore'));
  if (frame.moves.some(([, to]) => to === 0)) return;
  attempt(() => {
    const empty = sys.open('/dev/null', { read: true });
    if (empty === 0) return;
    sys.duplicate(empty, 0);
    sys.close(empty);
  });
  state.mode = state.mode === 'stdin' ? 'script' : state.mode;
}

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
