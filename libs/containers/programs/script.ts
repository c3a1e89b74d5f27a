import type { CommandResult, CommandWorld, LogLine, Process, Start } from '@terrarium/engine';
import { commands } from '../shell/commands.js';
import { parse, SyntaxProblem, type Node } from '../shell/parse.js';
import { Exit, LoopControl, type Running } from '../shell/control.js';
import { Shell } from '../shell/shell.js';

/** Steps after which a script that has not ended counts as one that runs on. */
const STEPS_TO_END = 10_000;
const STEPS_FOR_LOGS = 200_000;
const STEPS_FOR_PROBE = 500;
const STEPS_FOR_COMMAND = 5_000;
/** Of a command that would run on: it is cut off, as by SIGKILL. */
const KILLED = 137;
/** A moment this far away never comes. */
const NEVER = 1e14;
const MAX_CACHED = 500;

/** A script as far as it was run: a cache of a pure function, so it may be dropped at any time. */
class Run {
  readonly shell: Shell;
  code: number | undefined;
  private readonly running: Running;

  constructor(start: Start, argv: readonly string[], fetch?: CommandWorld['fetch']) {
    this.shell = new Shell({
      fetch,
      startedAt: start.at,
      env: start.env,
      hostname: start.pod.name,
      mounts: (start.container.volumeMounts ?? []).map((m) => m.mountPath),
      resolves: (host, at) => start.resolves(host, at),
      connects: (host, port, at) => start.connects(host, port, at),
    });
    this.running = this.shell.call(argv);
  }

  advance(until: number, maxSteps: number): void {
    while (this.code === undefined && this.shell.now <= until && this.shell.steps < maxSteps) {
      try {
        const step = this.running.next();
        if (step.done) this.code = step.value;
      } catch (error) {
        if (error instanceof Exit) {
          this.code = error.code;
          this.shell.left = true;
        } else if (error instanceof LoopControl) this.code = 0;
        else throw error;
      }
    }
    if (this.code !== undefined) this.shell.flush();
  }
}

const cache = new Map<string, Run>();

function runOf(start: Start, argv: readonly string[]): Run {
  const key = `${start.seed}\0${start.at}\0${argv.join('\0')}`;
  const known = cache.get(key);
  if (known && start.seed) return known;
  const run = new Run(start, argv);
  if (!endless(argv)) run.advance(NEVER, STEPS_TO_END);
  // What hangs on the cluster's names is looked at anew each time.
  if (run.shell.missing.size === 0) {
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
    cache.set(key, run);
  }
  return run;
}

const LEAVES = new Set(['break', 'exit', 'return', 'exec']);

function leaves(node: Node): boolean {
  switch (node.type) {
    case 'simple':
      return LEAVES.has(node.words[0] ?? '');
    case 'seq':
      return node.items.some(leaves);
    case 'pipe':
      return node.parts.some(leaves);
    case 'and':
    case 'or':
      return leaves(node.left) || leaves(node.right);
    case 'not':
    case 'background':
    case 'group':
      return leaves(node.body);
    case 'if':
      return (
        node.branches.some((b) => leaves(b.test) || leaves(b.body)) ||
        (node.otherwise !== undefined && leaves(node.otherwise))
      );
    case 'while':
      return leaves(node.test) || leaves(node.body);
    case 'for':
      return leaves(node.body);
  }
}

/** `while true` without a way out, on the main path. */
function runsOn(node: Node): boolean {
  if (node.type === 'seq')
    return node.items.some((item) => runsOn(item)) && !node.items.some((item) => !runsOn(item) && leaves(item));
  if (node.type === 'and') return runsOn(node.right) && !leaves(node.left);
  if (node.type !== 'while' || node.test.type !== 'simple') return false;
  const [word] = node.test.words;
  return (node.until ? word === 'false' : word === 'true' || word === ':') && !leaves(node.body);
}

function endless(argv: readonly string[]): boolean {
  const script = argv.findIndex((a) => /^-\w*c$/.test(a));
  if (script < 0) return false;
  try {
    return runsOn(parse(argv[script + 1] ?? ''));
  } catch (error) {
    if (error instanceof SyntaxProblem) return false;
    throw error;
  }
}

/** Is this a command line that the shell's interpreter understands? */
export const isCommand = (argv: readonly string[]): boolean =>
  Object.hasOwn(commands, argv[0]?.split('/').at(-1) ?? '');

/** A shell script or a simple tool. As process 1 it does not hear SIGTERM, unless it traps it. */
export function scriptProcess(start: Start, argv: readonly string[] = start.argv): Process {
  const interactive =
    start.container.stdin && /^(ba|a|da)?sh$/.test(argv[0]?.split('/').at(-1) ?? '') && argv.length === 1;
  if (interactive)
    return { listens: [], readyAfterMs: 0, lines: () => [], run: (command, world) => runIn(start, command, world) };
  const run = runOf(start, argv);
  const { shell } = run;
  const exit =
    run.code !== undefined && shell.now < NEVER
      ? { afterMs: Math.max(1, Math.round(shell.now)), code: run.code }
      : undefined;
  return {
    ...(exit ? { exit } : {}),
    ...(shell.missing.size > 0 ? { polls: true } : {}),
    listens: (start.container.ports ?? []).map((p) => p.containerPort),
    readyAfterMs: 0,
    ...(argv.some((a) => /\btrap\b.*\b(SIG)?TERM\b/s.test(a)) ? { stop: { afterMs: 200, code: 0 } } : {}),
    changes: [...new Set(shell.fileTimes.map((f) => f.at))],
    exec: (command, at) => execIn(start, run, command, at),
    run: (command, world) => runIn(start, command, world, run),
    lines: (until) => linesOf(run, until),
  };
}

function linesOf(run: Run, until: number): readonly LogLine[] {
  run.advance(until, STEPS_FOR_LOGS);
  const { lines } = run.shell;
  return lines.length === 0 || lines.at(-1)!.at <= until ? lines : lines.filter((l) => l.at <= until);
}

/** Runs a probe's command among the files that are there at that time. */
function execIn(start: Start, run: Run, command: readonly string[], at: number): { code: number; output: string } {
  run.advance(at, STEPS_FOR_LOGS);
  if (!isCommand(command)) return { code: 0, output: '' };
  const probe = new Run({ ...start, at: start.at + at }, command);
  for (const { at: when, path, exists } of run.shell.fileTimes)
    if (when <= at) probe.shell.setFile(path, exists ? (run.shell.files.get(path) ?? '') : undefined);
  probe.advance(NEVER, STEPS_FOR_PROBE);
  return { code: probe.code ?? 0, output: probe.shell.lines.map((l) => l.text).join('\n') + '\n' };
}

/**
 * Runs a user's command among the files of the container: its volumes', the kubelet's, and what its own script has
 * made. What a command makes is gone with it.
 */
export function runIn(
  start: Start,
  command: readonly string[],
  { stdin, sinceStart, fetch }: CommandWorld,
  own?: Run,
): CommandResult {
  const run = new Run({ ...start, at: start.at + sinceStart }, command, fetch);
  const { shell } = run;
  for (const [path, text] of Object.entries({ ...filesOfHost(start), ...start.files() })) shell.setFile(path, text);
  own?.advance(sinceStart, STEPS_FOR_LOGS);
  for (const { at, path, exists } of own?.shell.fileTimes ?? [])
    if (at <= sinceStart) shell.setFile(path, exists ? (own!.shell.files.get(path) ?? '') : undefined);
  shell.stdin = stdin;
  run.advance(NEVER, STEPS_FOR_COMMAND);
  return { output: shell.text, code: run.code ?? KILLED, ended: shell.left };
}

/** What a kubelet puts into every container. */
const filesOfHost = ({ pod }: Start): Record<string, string> => ({
  '/etc/hostname': `${pod.name}\n`,
  '/etc/hosts': `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${pod.ip}\t${pod.name}\n`,
  '/etc/resolv.conf': `search ${pod.namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n`,
});
