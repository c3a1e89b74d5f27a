import { spawn } from 'node:child_process';

/** One step of a transcript: a command, and what it must print (stdout and stderr together). */
export interface Step {
  readonly line: number;
  readonly command: string;
  readonly expected: string;
}

/**
 * Parses a transcript: `$ command` (here-documents included), then its output up to the next `$` or `#` line.
 * In expected output `<word>` stands for one word that cannot repeat, a lone `...` for any number of lines,
 * and runs of blanks are equal.
 */
export function parseTranscript(text: string): Step[] {
  const steps: Step[] = [];
  const lines = text.split('\n');
  let i = 0;
  while (i < lines.length) {
    const start = lines[i++]!;
    if (!start.startsWith('$ ')) continue;
    const line = i;
    let command = start.slice(2);
    const end = /<<\s*'?(\w+)'?/.exec(command)?.[1];
    if (end) {
      do command += `\n${lines[i]}`;
      while (i < lines.length && lines[i++] !== end);
    }
    const output: string[] = [];
    while (i < lines.length && !lines[i]!.startsWith('$ ') && !lines[i]!.startsWith('# ')) output.push(lines[i++]!);
    steps.push({ line, command, expected: output.join('\n').trim() });
  }
  return steps;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The pattern that a command's output must match as a whole. */
export function pattern(expected: string): RegExp {
  const lines = expected
    .split('\n')
    .map(sortWarnings)
    .map((l) => {
      if (l.trim() === '...') return '(?:.*\\n)*?';
      const words = l
        .trim()
        .split(/\s+/)
        .map((w) => escape(w).replace(/<[a-z-]+>/g, '\\S+'));
      return `[ \\t]*${words.join('[ \\t]+')}[ \\t]*\\n`;
    });
  return new RegExp(`^${lines.join('')}$`);
}

export const normalize = (output: string): string =>
  output.trim() === ''
    ? '\n'
    : `${output
        .trim()
        .split('\n')
        .map((l) => sortWarnings(l.trimEnd()))
        .join('\n')}\n`;

/** kubectl drain joins its warnings in the order of a Go map, which changes from run to run: both sides are sorted. */
function sortWarnings(line: string): string {
  const prefix = 'Warning: ';
  if (!line.startsWith(prefix)) return line;
  return prefix + line.slice(prefix.length).split('; ').sort().join('; ');
}

export const matches = (output: string, expected: string): boolean => pattern(expected).test(normalize(output));

/** '10s', '1m30s', '500ms' in ms. */
export function parseDuration(text: string): number {
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  let total = 0;
  for (const [, n, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g)) total += Number(n) * units[unit!]!;
  return total;
}

const CUT_WATCH = /^I\d{4} .*reflector\.go:\d+\] "Warning: watch ended with error".*context canceled.*\n/gm;

/** client-go logs, once in a while, that kubectl has ended its own watch in the middle of an event. */
export const withoutCutWatches = (output: string): string => output.replaceAll(CUT_WATCH, '');

/**
 * Runs one shell command; gives stdout and stderr in the orders in which a terminal may show them, first as they came.
 * kubectl exec copies each of a session's streams on its own, so which of two lines comes first is chance.
 */
export function run(
  command: string,
  options: { cwd: string; env: Record<string, string>; timeoutMs: number },
): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const chunks: { readonly isError: boolean; readonly text: string }[] = [];
    const take = (isError: boolean) => (data: Buffer) => chunks.push({ isError, text: data.toString() });
    const timer = setTimeout(() => {
      chunks.push({ isError: true, text: `\n(stopped after ${options.timeoutMs} ms)` });
      killGroup(child.pid!);
    }, options.timeoutMs);
    child.stdout.on('data', take(false));
    child.stderr.on('data', take(true));
    child.on('close', () => {
      clearTimeout(timer);
      const read = (of: typeof chunks): string => withoutCutWatches(of.map(({ text }) => text).join(''));
      const out = chunks.filter(({ isError }) => !isError);
      const err = chunks.filter(({ isError }) => isError);
      resolve([read(chunks), read([...out, ...err]), read([...err, ...out])]);
    });
  });
}

/** The whole group: a pipeline's other ends hold our pipes, too. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended by themselves.
  }
}
