import { Expansion } from '../expansion/expansion.js';
import { CommandNeeded, ShellFailure } from '../interpreter/failure.js';
import type { Shell } from '../interpreter/shell.js';
import { userEntry } from '../expansion/tilde.js';
import type { Bytes } from '../kernel.js';
import type { FrameOf } from '../state/frame.js';

/** PS1 or PS2 with its escapes and expansions. A command in it is run: throws CommandNeeded. */
export function promptText(shell: Shell, frame: FrameOf<'input'>, isFirst: boolean): Bytes {
  const text = shell.get(isFirst ? 'PS1' : 'PS2') ?? '';
  const decoded = shell.isDash ? text : decodePrompt(shell, text);
  if (!/[$`]/.test(decoded)) return decoded;
  try {
    const expanded = new Expansion(shell, frame.memo, decoded).quotedText(decoded);
    frame.memo = [];
    return expanded;
  } catch (error) {
    if (error instanceof CommandNeeded) throw error;
    if (!(error instanceof ShellFailure)) throw error;
    frame.memo = [];
    return decoded;
  }
}

export function writePrompt(shell: Shell, frame: FrameOf<'input'>, isFirst: boolean): void {
  shell.write(2, promptText(shell, frame, isFirst));
}

export function startEditor(shell: Shell, frame: FrameOf<'input'>, isFirst: boolean): void {
  const prompt = promptText(shell, frame, isFirst);
  shell.push({
    type: 'editor',
    prompt,
    text: '',
    at: 0,
    historyAt: shell.state.history.length,
    draft: '',
    escape: '',
    killed: '',
    search: null,
    isReady: false,
    tabs: 0,
  });
}

/** The backslash escapes of bash's and busybox' prompts. */
function decodePrompt(shell: Shell, text: Bytes): Bytes {
  let decoded = '';
  let at = 0;
  for (let next = text.indexOf('\\'); next >= 0 && next + 1 < text.length; next = text.indexOf('\\', at)) {
    decoded += text.slice(at, next);
    const code = text.slice(next + 1, next + 4);
    if (/^[0-7]{3}$/.test(code)) {
      decoded += String.fromCharCode(parseInt(code, 8) & 255);
      at = next + 4;
    } else {
      const letter = text[next + 1]!;
      decoded += decodeLetter(shell, letter) ?? `\\${letter}`;
      at = next + 2;
    }
  }
  return decoded + text.slice(at);
}

function decodeLetter(shell: Shell, letter: string): Bytes | undefined {
  const { sys, state } = shell;
  switch (letter) {
    case 'u':
      return userEntry(shell, String(sys.user), 2)?.[0] ?? 'I have no name!';
    case 'h':
      return sys.hostname.split('.')[0]!;
    case 'H':
      return sys.hostname;
    case 'w':
      return tildePath(shell);
    case 'W':
      return tildePath(shell) === '~' || tildePath(shell) === '/'
        ? tildePath(shell)
        : tildePath(shell).split('/').at(-1)!;
    case '$':
      return sys.user === 0 ? '#' : '\\$';
    case 's':
      return state.name.split('/').at(-1)!;
    case 'v':
      return '5.2';
    case 'V':
      return '5.2.15';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 'a':
      return '\x07';
    case 'e':
      return '\x1b';
    case '\\':
      return '\\\\';
    case 'j':
      return String(state.jobs.length);
    case '!':
      return String(state.history.length + 1);
    case '#':
      return String(state.history.length + 1);
    case 't':
      return new Date(sys.now).toISOString().slice(11, 19);
    case 'A':
      return new Date(sys.now).toISOString().slice(11, 16);
    case '[':
    case ']':
      return '';
    default:
      return undefined;
  }
}

function tildePath(shell: Shell): Bytes {
  const path = shell.get('PWD') ?? shell.sys.cwd();
  const home = shell.get('HOME') ?? '';
  if (home === '' || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
